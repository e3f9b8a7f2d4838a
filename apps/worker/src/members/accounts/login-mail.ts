import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { escapeHtml } from "../../platform/mail/escape-html.ts";
import type { Mail } from "../../platform/mail/mail.ts";
import { loginMailCopy } from "./copy.ts";

/**
 * The mail with the login link and the digits. It names the brand, where the login was requested, and nothing about the
 * member.
 */
export function loginMail(
  brand: Brand,
  locale: Locale,
  to: string,
  { link, digits }: { link: string; digits: string },
): Mail {
  const copy = loginMailCopy[locale];
  const lead = copy.lead(brand.name);
  const keep = copy.keep(brand.name);
  return {
    to,
    subject: copy.subject(brand.name),
    text: [lead, link, copy.digits, digits, keep, copy.ignore, brand.legalName].join("\n\n"),
    html: [
      `<p>${lead}</p><p><a href="${escapeHtml(link)}">${copy.action}</a></p>`,
      `<p>${copy.digits}</p><p style="font-size:28px;font-weight:bold;letter-spacing:4px">${digits}</p>`,
      `<p>${keep}</p><p>${copy.ignore}</p><p>${escapeHtml(brand.legalName)}</p>`,
    ].join(""),
  };
}
