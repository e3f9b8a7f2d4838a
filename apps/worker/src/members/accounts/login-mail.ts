import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { composeMail } from "../../platform/mail/compose.ts";
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
  return composeMail(brand, to, copy.subject(brand.name), [
    copy.lead(brand.name),
    { link, action: copy.action },
    copy.digits,
    { code: digits },
    copy.keep(brand.name),
    copy.ignore,
  ]);
}
