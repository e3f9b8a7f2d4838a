import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { defineCopy } from "@lambda/contract/copy";
import { composeMail, type Mail } from "../../platform/mail/compose.ts";

const loggedOutMailCopy = defineCopy({
  en: {
    subject: (brand: string) => `You were logged out of ${brand} everywhere`,
    lead: "All devices were logged out. Passkeys, second PINs and recovery words were removed: set up again what you need. Your password stays as it is; if somebody else may know it, choose a new one.",
    notYou: (operator: string) => `If it was not you, somebody had one of your devices. Write to us: ${operator}`,
  },
  es: {
    subject: (brand) => `Se ha cerrado tu sesión de ${brand} en todas partes`,
    lead: "Se ha cerrado la sesión en todos los dispositivos. Se han quitado las llaves de acceso, los segundos PIN y las palabras de recuperación: vuelve a poner lo que necesites. Tu contraseña sigue igual; si otra persona puede saberla, elige otra.",
    notYou: (operator) => `Si no has sido tú, alguien tuvo uno de tus dispositivos. Escríbenos: ${operator}`,
  },
});

/** Sent after "log out everywhere", which also takes away what its owner may count on. */
export function loggedOutMail(brand: Brand, locale: Locale, to: string): Mail {
  const copy = loggedOutMailCopy[locale];
  return composeMail(brand, to, copy.subject(brand.name), [copy.lead, copy.notYou(brand.operatorAddress)]);
}
