import { defineCopy } from "@lambda/contract/copy";

export const settingsMailCopy = defineCopy({
  en: {
    confirmEmail: {
      subject: (brand: string) => `Confirm your new address for ${brand}`,
      lead: (brand: string) =>
        `Open this link within 10 minutes, on the device where you are logged in to ${brand}. From then on your mail comes here.`,
      action: "Confirm this address",
    },
    addressInUse: {
      subject: (brand: string) => `Your address for ${brand}`,
      lead: "Someone tried to use this address for another account. It stays with yours. You need not do anything.",
    },
    addressChanged: {
      subject: (brand: string) => `Your address for ${brand} was changed`,
      lead: (brand: string, operator: string) =>
        `Mail from ${brand} now goes to another address. If it was not you, write to us at once: ${operator}`,
    },
    passwordChanged: {
      subject: (brand: string) => `Your password for ${brand} was changed`,
      lead: (operator: string) =>
        `Your other devices were logged out. If it was not you, request a login link and choose a new password, or write to us: ${operator}`,
    },
    accountDeleted: {
      subject: (brand: string) => `Your ${brand} account is deleted`,
      lead: (day: string) =>
        `Nobody sees you any more. On ${day} everything you left is erased for good. Until then a login link from the register page brings you back as you were.`,
    },
  },
  es: {
    confirmEmail: {
      subject: (brand) => `Confirma tu nueva dirección para ${brand}`,
      lead: (brand) =>
        `Abre este enlace en menos de 10 minutos, en el dispositivo con el que has entrado en ${brand}. Desde ese momento tu correo llegará aquí.`,
      action: "Confirmar esta dirección",
    },
    addressInUse: {
      subject: (brand) => `Tu dirección para ${brand}`,
      lead: "Alguien ha intentado usar esta dirección para otra cuenta. Sigue siendo la de la tuya. No tienes que hacer nada.",
    },
    addressChanged: {
      subject: (brand) => `Ha cambiado tu dirección para ${brand}`,
      lead: (brand, operator) =>
        `El correo de ${brand} llega ahora a otra dirección. Si no has sido tú, escríbenos enseguida: ${operator}`,
    },
    passwordChanged: {
      subject: (brand) => `Ha cambiado tu contraseña de ${brand}`,
      lead: (operator) =>
        `Se ha cerrado la sesión en tus otros dispositivos. Si no has sido tú, pide un enlace y elige otra contraseña, o escríbenos: ${operator}`,
    },
    accountDeleted: {
      subject: (brand) => `Tu cuenta de ${brand} está eliminada`,
      lead: (day) =>
        `Ya nadie te ve. El ${day} se borrará para siempre todo lo que dejaste. Hasta entonces, con un enlace desde la página de registro vuelves tal como estabas.`,
    },
  },
});
