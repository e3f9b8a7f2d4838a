import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { defineCopy } from "@lambda/contract/copy";
import { composeMail, formatDay, type Mail } from "../../platform/mail/compose.ts";

const closingMailCopy = defineCopy({
  en: {
    noAccount: (brand: string) => `No new account on ${brand}`,
    noAccountLead: (brand: string, day: string) =>
      `Somebody asked for a new account on ${brand} with this address. The site closes on ${day} and takes nobody new.`,
    ignore: "If it was not you who asked, you need not do anything. Nobody else was told of this.",
  },
  es: {
    noAccount: (brand) => `Ninguna cuenta nueva en ${brand}`,
    noAccountLead: (brand, day) =>
      `Alguien pidió una cuenta nueva en ${brand} con esta dirección. El sitio cierra el ${day} y ya no admite a nadie.`,
    ignore: "Si no fuiste tú quien la pidió, no tienes que hacer nada. No se lo hemos dicho a nadie más.",
  },
});

/** Sent to the address only, so that nobody else learns that it has no account. */
export function noAccountMail(brand: Brand, locale: Locale, to: string, until: number): Mail {
  const copy = closingMailCopy[locale];
  const lead = copy.noAccountLead(brand.name, formatDay(locale, until));
  return composeMail(brand, to, copy.noAccount(brand.name), [lead, copy.ignore]);
}
