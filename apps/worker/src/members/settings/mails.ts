import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { escapeHtml } from "../../platform/mail/escape-html.ts";
import type { Mail } from "../../platform/mail/mail.ts";
import { settingsMailCopy } from "./copy.ts";

/** Sent to the new address: only somebody who reads its mail can complete the change. */
export function confirmEmailMail(brand: Brand, locale: Locale, to: string, link: string): Mail {
  const copy = settingsMailCopy[locale].confirmEmail;
  return compose(brand, to, copy.subject(brand.name), copy.lead(brand.name), { href: link, text: copy.action });
}

/** Sent to an address that already has an account: its owner learns of the attempt, the member who made it does not. */
export function addressInUseMail(brand: Brand, locale: Locale, to: string): Mail {
  const copy = settingsMailCopy[locale].addressInUse;
  return compose(brand, to, copy.subject(brand.name), copy.lead);
}

/** Sent to the old address after the change, so that a thief cannot make it unnoticed. */
export function addressChangedMail(brand: Brand, locale: Locale, to: string): Mail {
  const copy = settingsMailCopy[locale].addressChanged;
  return compose(brand, to, copy.subject(brand.name), copy.lead(brand.name, brand.operatorAddress));
}

export function passwordChangedMail(brand: Brand, locale: Locale, to: string): Mail {
  const copy = settingsMailCopy[locale].passwordChanged;
  return compose(brand, to, copy.subject(brand.name), copy.lead(brand.operatorAddress));
}

export function accountDeletedMail(brand: Brand, locale: Locale, to: string, purge: Date): Mail {
  const day = purge.toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
  const copy = settingsMailCopy[locale].accountDeleted;
  return compose(brand, to, copy.subject(brand.name), copy.lead(day));
}

function compose(
  brand: Brand,
  to: string,
  subject: string,
  lead: string,
  action?: { readonly href: string; readonly text: string },
): Mail {
  const link = action ? `\n\n${action.href}` : "";
  const anchor = action ? `<p><a href="${escapeHtml(action.href)}">${escapeHtml(action.text)}</a></p>` : "";
  return {
    to,
    subject,
    text: `${lead}${link}\n\n${brand.legalName}`,
    html: `<p>${escapeHtml(lead)}</p>${anchor}<p>${escapeHtml(brand.legalName)}</p>`,
  };
}
