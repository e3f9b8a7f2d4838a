import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { escapeHtml } from "../../platform/mail/escape-html.ts";
import type { Mail } from "../../platform/mail/mail.ts";
import { passkeysCopy } from "./copy.ts";

/** Sent so that nobody can add a way to log in unnoticed. */
export function passkeyAddedMail(
  brand: Brand,
  locale: Locale,
  to: string,
  { name, link }: { name: string; link: string },
): Mail {
  const copy = passkeysCopy[locale].added;
  return compose(brand, to, copy.subject(brand.name), copy.lead(name, brand.operatorAddress), copy.action, link);
}

export function passkeyClonedMail(
  brand: Brand,
  locale: Locale,
  to: string,
  { name, link }: { name: string; link: string },
): Mail {
  const copy = passkeysCopy[locale].cloned;
  return compose(brand, to, copy.subject(brand.name), copy.lead(name), copy.action, link);
}

function compose(brand: Brand, to: string, subject: string, lead: string, action: string, link: string): Mail {
  return {
    to,
    subject,
    text: `${lead}\n\n${link}\n\n${brand.legalName}`,
    html: `<p>${escapeHtml(lead)}</p><p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p><p>${escapeHtml(brand.legalName)}</p>`,
  };
}
