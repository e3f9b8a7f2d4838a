import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { composeMail, formatDay, type Mail } from "../../platform/mail/compose.ts";
import { settingsMailCopy } from "./copy.ts";

/** Sent to the new address: only somebody who reads its mail can complete the change. */
export function confirmEmailMail(brand: Brand, locale: Locale, to: string, link: string): Mail {
  const copy = settingsMailCopy[locale].confirmEmail;
  return composeMail(brand, to, copy.subject(brand.name), [copy.lead(brand.name), { link, action: copy.action }]);
}

/** Sent to an address that already has an account: its owner learns of the attempt, the member who made it does not. */
export function addressInUseMail(brand: Brand, locale: Locale, to: string): Mail {
  const copy = settingsMailCopy[locale].addressInUse;
  return composeMail(brand, to, copy.subject(brand.name), [copy.lead]);
}

/** Sent to the current address, so that a change can be stopped before it happens. It does not name the new one. */
export function addressRequestedMail(brand: Brand, locale: Locale, to: string, link: string): Mail {
  const copy = settingsMailCopy[locale].addressRequested;
  return composeMail(brand, to, copy.subject(brand.name), [copy.lead(brand.name), { link, action: copy.action }]);
}

/** Sent to the old address after the change, so that a thief cannot make it unnoticed. */
export function addressChangedMail(brand: Brand, locale: Locale, to: string): Mail {
  const copy = settingsMailCopy[locale].addressChanged;
  return composeMail(brand, to, copy.subject(brand.name), [copy.lead(brand.name, brand.operatorAddress)]);
}

export function passwordChangedMail(brand: Brand, locale: Locale, to: string): Mail {
  const copy = settingsMailCopy[locale].passwordChanged;
  return composeMail(brand, to, copy.subject(brand.name), [copy.lead(brand.operatorAddress)]);
}

export function accountDeletedMail(brand: Brand, locale: Locale, to: string, purge: Date): Mail {
  const copy = settingsMailCopy[locale].accountDeleted;
  return composeMail(brand, to, copy.subject(brand.name), [copy.lead(formatDay(locale, purge.getTime()))]);
}

export type LockdownMailKind = "signal" | "words";

/** Sent when a second PIN or recovery words are set. It names neither, since others may read the mailbox. */
export function lockdownMail(
  brand: Brand,
  locale: Locale,
  to: string,
  { kind, device, link }: { kind: LockdownMailKind; device: string; link: string },
): Mail {
  const copy = settingsMailCopy[locale].lockdown;
  return composeMail(brand, to, copy.subject(brand.name), [
    copy.leads[kind](device),
    copy.stop,
    { link, action: copy.action },
    copy.keep,
  ]);
}
