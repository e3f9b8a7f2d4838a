import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { composeMail, type Mail } from "../../platform/mail/compose.ts";
import { passkeysCopy } from "./copy.ts";

/** Sent so that nobody can add a way to log in unnoticed. */
export function passkeyAddedMail(
  brand: Brand,
  locale: Locale,
  to: string,
  { name, link }: { name: string; link: string },
): Mail {
  const copy = passkeysCopy[locale].added;
  return composeMail(brand, to, copy.subject(brand.name), [
    copy.lead(name, brand.operatorAddress),
    { link, action: copy.action },
  ]);
}

export function passkeyClonedMail(
  brand: Brand,
  locale: Locale,
  to: string,
  { name, link }: { name: string; link: string },
): Mail {
  const copy = passkeysCopy[locale].cloned;
  return composeMail(brand, to, copy.subject(brand.name), [copy.lead(name), { link, action: copy.action }]);
}
