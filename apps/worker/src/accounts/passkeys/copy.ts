import { defineCopy } from "@lambda/contract/copy";
import { isolate } from "@lambda/contract/isolate";

export const passkeysCopy = defineCopy({
  en: {
    added: {
      subject: (brand: string) => `A passkey was added to your ${brand} account`,
      lead: (name: string, operator: string) =>
        `Anyone who unlocks the device with the passkey "${isolate(name)}" can now log in as you. If it wasn't you, remove it in your account, end the sessions you don't know, or write to us: ${operator}`,
      action: "Look at my passkeys",
    },
    cloned: {
      subject: (brand: string) => `A passkey of your ${brand} account no longer works`,
      lead: (name: string) =>
        `The passkey "${isolate(name)}" was used by two devices that don't know of each other, so one of them may hold a copy. It opens nothing any more. Remove it in your account and add a new one; a link to this address lets you in as ever.`,
      action: "Look at my passkeys",
      note: (name: string) =>
        `Your passkey "${isolate(name)}" may have been copied. It opens nothing any more: remove it, and add a new one.`,
    },
  },
  es: {
    added: {
      subject: (brand) => `Se agregó una llave de acceso a tu cuenta de ${brand}`,
      lead: (name, operator) =>
        `Quien desbloquee el dispositivo con la llave de acceso «${isolate(name)}» puede entrar como tú. Si no fuiste tú, quítala en tu cuenta, cierra las sesiones que no conozcas o escríbenos: ${operator}`,
      action: "Ver mis llaves de acceso",
    },
    cloned: {
      subject: (brand) => `Una llave de acceso de tu cuenta de ${brand} dejó de funcionar`,
      lead: (name) =>
        `Dos dispositivos que no saben el uno del otro usaron la llave de acceso «${isolate(name)}», así que uno puede tener una copia. Ya no abre nada. Quítala en tu cuenta y agrega otra; con un enlace a esta dirección entras como siempre.`,
      action: "Ver mis llaves de acceso",
      note: (name) =>
        `Puede que alguien haya copiado tu llave de acceso «${isolate(name)}». Ya no abre nada: quítala y agrega otra.`,
    },
  },
});
