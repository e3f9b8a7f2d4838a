import { defineCopyHook } from "../../format/i18n.ts";

export const useDigitsCopy = defineCopyHook({
  en: {
    title: "Check your mail",
    text: "Open the link in it, or type its code here. Either works once, for 10 minutes.",
    label: "Six-digit code",
    enter: "Log in",
    welcome: "Welcome.",
    wrong: (left: number) =>
      left === 1 ? "That code isn't right. One try is left." : `That code isn't right. ${left} tries are left.`,
    usedUp: "That was your fifth try, so this code is dead. The link in the mail still works, or ask for a new mail.",
    over: "That code's expired.",
    again: "Ask for a new mail",
    nothingCame: "No mail after a few minutes? Check your spam folder, then reload this page and ask again.",
  },
  es: {
    title: "Mira tu correo",
    text: "Abre el enlace, o escribe aquí el código. Cualquiera sirve una vez, durante 10 minutos.",
    label: "Código de seis números",
    enter: "Entrar",
    welcome: "Bienvenido.",
    wrong: (left) =>
      left === 1
        ? "Ese código no es correcto. Te queda un intento."
        : `Ese código no es correcto. Te quedan ${left} intentos.`,
    usedUp: "Ese fue el quinto intento: el código ya no sirve. El enlace del correo sí, o pide otro correo.",
    over: "Ese código ya venció.",
    again: "Pedir otro correo",
    nothingCame: "¿No llega nada en unos minutos? Mira en el correo no deseado, recarga esta página y pídelo otra vez.",
  },
});
