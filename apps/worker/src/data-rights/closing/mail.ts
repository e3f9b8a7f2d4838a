import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { defineCopy } from "@lambda/contract/copy";
import { originOf } from "../../platform/http/address.ts";
import { composeMail, formatDay } from "../../platform/mail/compose.ts";
import type { Mail } from "../../platform/mail/mail.ts";

const siteClosesCopy = defineCopy({
  en: {
    subject: (brand: string, day: string) => `${brand} closes on ${day}`,
    lead: (brand: string, day: string) =>
      `${brand} and its sister sites close. On ${day} your account is erased with everything in it: profile, pictures, messages. Nobody gets any of it.`,
    download: "Until then you can download your data. Another site of this software opens the file.",
    action: "Download my data",
    nothing: "You need not do anything. You can also delete your account now.",
  },
  es: {
    subject: (brand, day) => `${brand} cierra el ${day}`,
    lead: (brand, day) =>
      `${brand} y sus sitios hermanos cierran. El ${day} se borra tu cuenta con todo lo que contiene: perfil, fotos, mensajes. Nadie recibe nada de ello.`,
    download: "Hasta entonces puedes descargar tus datos. Otro sitio de este software abre el archivo.",
    action: "Descargar mis datos",
    nothing: "No tienes que hacer nada. También puedes borrar tu cuenta ya.",
  },
});

export function siteClosesMail(brand: Brand, locale: Locale, to: string, until: number): Mail {
  const copy = siteClosesCopy[locale];
  const day = formatDay(locale, until);
  return composeMail(brand, to, copy.subject(brand.name, day), [
    copy.lead(brand.name, day),
    copy.download,
    { link: `${originOf(brand)}/settings#data`, action: copy.action },
    copy.nothing,
  ]);
}
