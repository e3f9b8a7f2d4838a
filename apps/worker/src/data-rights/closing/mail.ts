import { BRANDS, type Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { defineCopy } from "@lambda/contract/copy";
import { originOf } from "../../platform/http/address.ts";
import { composeMail, formatDay, type Mail } from "../../platform/mail/compose.ts";

const siteClosesCopy = defineCopy({
  en: {
    subject: (brand: string, day: string) => `${brand} closes on ${day}`,
    lead: (brands: string, day: string) =>
      `This is the end of ${brands}. On ${day} your account is erased with everything in it: profile, pictures, messages. Nobody gets any of it.`,
    download: "Until then you can download your data. Another site of this software opens the file.",
    action: "Download my data",
    nothing: "You need not do anything. You can also delete your account now.",
    stays: (brand: string) => `${brand} stays`,
    staysLead: (brand: string, day: string) =>
      `We wrote that ${brand} closes. It stays: nothing is erased on ${day}, and you need not do anything.`,
  },
  es: {
    subject: (brand, day) => `${brand} cierra el ${day}`,
    lead: (brands, day) =>
      `Es el final de ${brands}. El ${day} se borra tu cuenta con todo lo que contiene: perfil, fotos, mensajes. Nadie recibe nada de ello.`,
    download: "Hasta entonces puedes descargar tus datos. Otro sitio de este software abre el archivo.",
    action: "Descargar mis datos",
    nothing: "No tienes que hacer nada. También puedes borrar tu cuenta ya.",
    stays: (brand) => `${brand} continúa`,
    staysLead: (brand, day) =>
      `Te escribimos que ${brand} cierra. Continúa: el ${day} no se borra nada, y no tienes que hacer nada.`,
  },
});

export function siteClosesMail(brand: Brand, locale: Locale, to: string, until: number): Mail {
  const copy = siteClosesCopy[locale];
  const day = formatDay(locale, until);
  return composeMail(brand, to, copy.subject(brand.name, day), [
    copy.lead(new Intl.ListFormat(locale).format(BRANDS.map(({ name }) => name)), day),
    copy.download,
    { link: `${originOf(brand)}/settings#data`, action: copy.action },
    copy.nothing,
  ]);
}

export function siteStaysMail(brand: Brand, locale: Locale, to: string, until: number): Mail {
  const copy = siteClosesCopy[locale];
  return composeMail(brand, to, copy.stays(brand.name), [copy.staysLead(brand.name, formatDay(locale, until))]);
}
