import { defineCopy } from "@lambda/contract/copy";

export const settingsMailCopy = defineCopy({
  en: {
    confirmEmail: {
      subject: (brand: string) => `Confirm your new address for ${brand}`,
      lead: (brand: string) =>
        `Open this link within 10 minutes on a device where you are logged in to ${brand}, and confirm the address there. From then on your mail comes here.`,
      action: "Confirm this address",
    },
    addressInUse: {
      subject: (brand: string) => `Your address for ${brand}`,
      lead: "Someone tried to use this address for another account. It stays with yours. You don't have to do anything.",
    },
    addressRequested: {
      subject: (brand: string) => `A new address for your ${brand} account`,
      lead: (brand: string) =>
        `Someone logged in to your ${brand} account asked for its mail to go to another address. If it was you, confirm it from the mail at that address. If it wasn't you, stop it within 10 minutes: log out everywhere, or choose a new password.`,
      action: "Open my account",
    },
    addressChanged: {
      subject: (brand: string) => `Your address for ${brand} was changed`,
      lead: (brand: string, operator: string) =>
        `Mail from ${brand} now goes to another address. If it wasn't you, write to us at once: ${operator}`,
    },
    passwordChanged: {
      subject: (brand: string) => `Your password for ${brand} was changed`,
      lead: (operator: string) =>
        `Your other devices were logged out, and second PINs, recovery words and changes of address that were under way no longer work. Your passkeys still do. If it wasn't you, request a login link, log out everywhere and choose a new password, or write to us: ${operator}`,
    },
    lockdown: {
      subject: (brand: string) => `A safety setting of your ${brand} account was changed`,
      leads: {
        signal: (device: string) => `From now on this device can lock your account for a time: ${device}.`,
        words: (device: string) =>
          `Words that end a lock of your account were set on this device: ${device}. Earlier ones no longer work.`,
      },
      stop: "If it wasn't you, log out everywhere or choose a new password: either ends it. The list of your devices shows it, and there you can remove it.",
      action: "Look at my devices",
      keep: "If someone else reads your mail, delete this one.",
    },
    dataDownloaded: {
      subject: (brand: string) => `Your ${brand} data was downloaded`,
      lead: (device: string) =>
        `Someone downloaded everything in your account: messages, notes and pictures. The device: ${device}. If it was you, you don't have to do anything.`,
      stop: "If it wasn't you, log out everywhere and choose a new password. Your account shows when the last download was.",
      action: "Look at my devices",
    },
    accountDeleted: {
      subject: (brand: string) => `Your ${brand} account is deleted`,
      lead: (day: string) =>
        `Nobody sees you now. On ${day} everything you left is erased for good. Until then a login link from the register page brings you back as you were.`,
    },
  },
  es: {
    confirmEmail: {
      subject: (brand) => `Confirma tu nueva dirección para ${brand}`,
      lead: (brand) =>
        `Abre este enlace en menos de 10 minutos en un dispositivo con tu sesión de ${brand} abierta, y confirma allí la dirección. Desde ese momento tu correo llegará aquí.`,
      action: "Confirmar esta dirección",
    },
    addressInUse: {
      subject: (brand) => `Tu dirección para ${brand}`,
      lead: "Alguien intentó usar esta dirección para otra cuenta. Sigue siendo de la tuya. No tienes que hacer nada.",
    },
    addressRequested: {
      subject: (brand) => `Una dirección nueva para tu cuenta de ${brand}`,
      lead: (brand) =>
        `Alguien que entró en tu cuenta de ${brand} pidió que su correo vaya a otra dirección. Si fuiste tú, confírmalo desde el correo que llegó allí. Si no, detenlo en menos de 10 minutos: cierra la sesión en todas partes o elige otra contraseña.`,
      action: "Abrir mi cuenta",
    },
    addressChanged: {
      subject: (brand) => `Cambió tu dirección para ${brand}`,
      lead: (brand, operator) =>
        `El correo de ${brand} llega ahora a otra dirección. Si no fuiste tú, escríbenos enseguida: ${operator}`,
    },
    passwordChanged: {
      subject: (brand) => `Cambió tu contraseña de ${brand}`,
      lead: (operator) =>
        `Se cerró la sesión en tus otros dispositivos, y ya no sirven los segundos PIN, las palabras de recuperación ni los cambios de dirección pendientes. Tus llaves de acceso sí. Si no fuiste tú, pide un enlace, cierra la sesión en todas partes y elige otra contraseña, o escríbenos: ${operator}`,
    },
    lockdown: {
      subject: (brand) => `Cambió un ajuste de seguridad de tu cuenta de ${brand}`,
      leads: {
        signal: (device) => `Desde ahora este dispositivo puede cerrar tu cuenta durante un tiempo: ${device}.`,
        words: (device) =>
          `En este dispositivo se pusieron palabras que terminan un cierre de tu cuenta: ${device}. Las anteriores ya no sirven.`,
      },
      stop: "Si no fuiste tú, cierra la sesión en todas partes o elige otra contraseña: con cualquiera de las dos cosas deja de valer. La lista de tus dispositivos lo muestra, y allí puedes quitarlo.",
      action: "Ver mis dispositivos",
      keep: "Si otra persona lee tu correo, borra este mensaje.",
    },
    dataDownloaded: {
      subject: (brand) => `Se descargaron tus datos de ${brand}`,
      lead: (device) =>
        `Alguien descargó todo lo que hay en tu cuenta: mensajes, notas y fotos. El dispositivo: ${device}. Si fuiste tú, no tienes que hacer nada.`,
      stop: "Si no fuiste tú, cierra la sesión en todas partes y elige otra contraseña. Tu cuenta muestra cuándo fue la última descarga.",
      action: "Ver mis dispositivos",
    },
    accountDeleted: {
      subject: (brand) => `Tu cuenta de ${brand} está borrada`,
      lead: (day) =>
        `Ya nadie te ve. El ${day} se borrará para siempre todo lo que dejaste. Hasta entonces, con un enlace desde la página de registro vuelves tal como estabas.`,
    },
  },
});
