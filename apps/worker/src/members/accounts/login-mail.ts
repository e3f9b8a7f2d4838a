import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { escapeHtml } from "../../platform/mail/escape-html.ts";
import type { Mail } from "../../platform/mail/mail.ts";

/** The mail with the login link. It names the brand, as the member asked for it there, and nothing about the member. */
export function loginMail(brand: Brand, locale: Locale, to: string, link: string): Mail {
  const words = {
    en: {
      subject: `Your login link for ${brand.name}`,
      lead: `Use this link to log in to ${brand.name}. It works once, for 10 minutes.`,
      ignore: "If you did not ask for it, ignore this mail: nobody can log in without the link.",
      action: "Log in",
    },
    es: {
      subject: `Tu enlace para entrar en ${brand.name}`,
      lead: `Con este enlace entras en ${brand.name}. Sirve una sola vez, durante 10 minutos.`,
      ignore: "Si no lo pediste, no hagas caso: sin el enlace nadie puede entrar.",
      action: "Entrar",
    },
  }[locale];
  return {
    to,
    subject: words.subject,
    text: `${words.lead}\n\n${link}\n\n${words.ignore}\n\n${brand.legalName}`,
    html: `<p>${words.lead}</p><p><a href="${escapeHtml(link)}">${words.action}</a></p><p>${words.ignore}</p><p>${escapeHtml(brand.legalName)}</p>`,
  };
}
