import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { escapeHtml } from "../../platform/mail/escape-html.ts";
import type { Mail } from "../../platform/mail/mail.ts";

/** To the new address: only who reads it can finish the change. */
export function confirmEmailMail(brand: Brand, locale: Locale, to: string, link: string): Mail {
  const words = {
    en: {
      subject: `Confirm your new address for ${brand.name}`,
      lead: `Open this link on the device where you are logged in to ${brand.name}, within 10 minutes, and your mail will come here.`,
      action: "Confirm this address",
    },
    es: {
      subject: `Confirma tu nueva dirección para ${brand.name}`,
      lead: `Abre este enlace en el dispositivo con el que has entrado en ${brand.name}, antes de 10 minutos, y tu correo llegará aquí.`,
      action: "Confirmar esta dirección",
    },
  }[locale];
  return compose(brand, to, words.subject, words.lead, { href: link, text: words.action });
}

/** To an address that has an account already: its owner learns of the try, whoever tried learns nothing. */
export function addressInUseMail(brand: Brand, locale: Locale, to: string): Mail {
  const words = {
    en: {
      subject: `Your address for ${brand.name}`,
      lead: "Someone wanted to use this address for another account. Yours has it, and keeps it. You need not do anything.",
    },
    es: {
      subject: `Tu dirección para ${brand.name}`,
      lead: "Alguien quiso usar esta dirección para otra cuenta. La tuya la tiene y la conserva. No tienes que hacer nada.",
    },
  }[locale];
  return compose(brand, to, words.subject, words.lead);
}

/** To the old address, after the change, so that a thief cannot do it in silence. */
export function addressChangedMail(brand: Brand, locale: Locale, to: string): Mail {
  const words = {
    en: {
      subject: `Your address for ${brand.name} was changed`,
      lead: `Mail of ${brand.name} now goes to another address. If it was not you, write to us at once: ${brand.operatorAddress}`,
    },
    es: {
      subject: `Ha cambiado tu dirección para ${brand.name}`,
      lead: `El correo de ${brand.name} va ahora a otra dirección. Si no has sido tú, escríbenos enseguida: ${brand.operatorAddress}`,
    },
  }[locale];
  return compose(brand, to, words.subject, words.lead);
}

export function passwordChangedMail(brand: Brand, locale: Locale, to: string): Mail {
  const words = {
    en: {
      subject: `Your password for ${brand.name} was changed`,
      lead: `Your other devices were logged out. If it was not you, request a login link and choose a new password, or write to us: ${brand.operatorAddress}`,
    },
    es: {
      subject: `Ha cambiado tu contraseña de ${brand.name}`,
      lead: `Tus otros dispositivos han salido de la cuenta. Si no has sido tú, pide un enlace y elige otra contraseña, o escríbenos: ${brand.operatorAddress}`,
    },
  }[locale];
  return compose(brand, to, words.subject, words.lead);
}

export function accountDeletedMail(brand: Brand, locale: Locale, to: string, purge: Date): Mail {
  const day = purge.toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
  const words = {
    en: {
      subject: `Your ${brand.name} account is deleted`,
      lead: `Nobody sees you any more. On ${day} everything you left is erased for good. Until then a login link from the register page brings you back as you were.`,
    },
    es: {
      subject: `Tu cuenta de ${brand.name} está borrada`,
      lead: `Ya nadie te ve. El ${day} se borra para siempre todo lo que dejaste. Hasta entonces, un enlace desde la página de registro te trae de vuelta tal como eras.`,
    },
  }[locale];
  return compose(brand, to, words.subject, words.lead);
}

function compose(
  brand: Brand,
  to: string,
  subject: string,
  lead: string,
  action?: { readonly href: string; readonly text: string },
): Mail {
  const link = action ? `\n\n${action.href}` : "";
  const anchor = action ? `<p><a href="${escapeHtml(action.href)}">${escapeHtml(action.text)}</a></p>` : "";
  return {
    to,
    subject,
    text: `${lead}${link}\n\n${brand.legalName}`,
    html: `<p>${escapeHtml(lead)}</p>${anchor}<p>${escapeHtml(brand.legalName)}</p>`,
  };
}
