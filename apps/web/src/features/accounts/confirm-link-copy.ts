import { defineCopyHook } from "../../format/i18n.ts";

export const useConfirmLinkCopy = defineCopyHook({
  en: {
    askedTitle: (address: string) => `Log in as ${address}?`,
    askedText:
      "This device didn't ask for this link. Say yes only if the address is yours: the account's owner could read everything you do in it, and see where you are.",
    askedYes: "Yes, log in",
    askedNo: "No, leave it",
    otherTitle: "You're already logged in.",
    otherText: (address: string) =>
      `This link opens the account of ${address || "someone else"}, not yours. Go on only if you asked for it: the man who sent it could read everything you do there.`,
    otherNo: "Stay in my account",
    otherYes: "Open the other account",
  },
  es: {
    askedTitle: (address: string) => `¿Entrar como ${address}?`,
    askedText:
      "Este dispositivo no pidió este enlace. Di que sí solo si la dirección es tuya: el dueño de la cuenta podría leer todo lo que hagas en ella y ver dónde estás.",
    askedYes: "Sí, entrar",
    askedNo: "No, dejarlo",
    otherTitle: "Ya tienes la sesión abierta.",
    otherText: (address: string) =>
      `Este enlace abre la cuenta de ${address || "otra persona"} no la tuya. Sigue solo si tú lo pediste: el hombre que lo mandó podría leer todo lo que hagas ahí.`,
    otherNo: "Quedarme en mi cuenta",
    otherYes: "Abrir la otra cuenta",
  },
});
