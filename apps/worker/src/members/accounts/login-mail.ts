import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { escapeHtml } from "../../platform/mail/escape-html.ts";
import type { Mail } from "../../platform/mail/mail.ts";
import { loginMailCopy } from "./copy.ts";

/** The mail with the login link. It names the brand, as it was asked for there, and nothing about the member. */
export function loginMail(brand: Brand, locale: Locale, to: string, link: string): Mail {
  const copy = loginMailCopy[locale];
  const lead = copy.lead(brand.name);
  return {
    to,
    subject: copy.subject(brand.name),
    text: `${lead}\n\n${link}\n\n${copy.ignore}\n\n${brand.legalName}`,
    html: `<p>${lead}</p><p><a href="${escapeHtml(link)}">${copy.action}</a></p><p>${copy.ignore}</p><p>${escapeHtml(brand.legalName)}</p>`,
  };
}
