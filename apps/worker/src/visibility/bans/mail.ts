import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { defineCopy } from "@lambda/contract/copy";
import { composeMail, formatDay, type Mail } from "../../platform/mail/send-mail.ts";

const banMailCopy = defineCopy({
  en: {
    subject: (brand: string) => `No new account on ${brand}`,
    lead: (brand: string, day: string) =>
      `Someone asked for a new account on ${brand} with this address. An account of this address was closed for breaking the rules, so no new one can be opened with it until ${day}.`,
    appeal:
      "If you think this is wrong, you can ask us to look at it again. Say that it is about a closed account, and from which address you write:",
    ignore: "If it wasn't you, you don't have to do anything. Nobody else was told.",
  },
  es: {
    subject: (brand) => `Ninguna cuenta nueva en ${brand}`,
    lead: (brand, day) =>
      `Alguien pidió una cuenta nueva en ${brand} con esta dirección. Una cuenta de esta dirección se cerró por incumplir las normas, así que hasta el ${day} no se puede abrir otra con ella.`,
    appeal:
      "Si crees que es un error, puedes pedirnos que lo revisemos. Di que se trata de una cuenta cerrada y desde qué dirección escribes:",
    ignore: "Si no fuiste tú quien la pidió, no tienes que hacer nada. No se lo dijimos a nadie más.",
  },
});

/** Sent to the address only: the visitor who requested the account gets the same response as everybody. */
export function bannedMail(
  brand: Brand,
  locale: Locale,
  to: string,
  { until, contact }: { readonly until: number; readonly contact: string },
): Mail {
  const copy = banMailCopy[locale];
  return composeMail(brand, to, copy.subject(brand.name), [
    copy.lead(brand.name, formatDay(locale, until)),
    copy.appeal,
    { link: contact },
    copy.ignore,
  ]);
}
