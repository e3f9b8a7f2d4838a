import { defineCopyHook } from "../../format/i18n.ts";

export const useRegisterCopy = defineCopyHook({
  en: {
    email: "Email",
    registerTitle: "Come in.",
    registerText: "New here, back again, or forgot your password? We mail you a link and a code.",
    emailHelp: "Just for the link, and to answer you. No other member ever sees it.",
    emailInvalid: "That doesn't look like an email address. Check it and try again.",
    notOpen: "We're not open yet. If you're on the team, you get a link by mail.",
    acknowledgements: "Before you come in",
    read: "Read",
    readAll: (title: string) => `Read: ${title}`,
    required: "Acceptance of all of the acknowledgements above are required.",
    request: "Send me a login link",
    requesting: "Requesting...",
    working: "We're swamped. Hang on a minute, and leave this page open.",
    nothingCame: "No mail after a few minutes? Check your spam folder, then reload this page and ask again.",
    haveAccount: "Already in? Login",
    terms: "Terms",
    privacy: "Privacy",
  },
  es: {
    email: "Correo electrónico",
    registerTitle: "Pasa.",
    registerText:
      "Si eres nuevo, si vuelves o si olvidaste la contraseña: te mandamos un enlace y un código al correo, y nada más.",
    emailHelp: "Solo para el enlace y para lo que nos pidas. Ningún miembro lo ve.",
    emailInvalid: "Esto no parece una dirección de correo. Compruébala e inténtalo de nuevo.",
    notOpen: "Este sitio todavía no está abierto. Quien es de su equipo recibe un enlace por correo.",
    acknowledgements: "Antes de entrar",
    read: "Leer",
    readAll: (title) => `Leer: ${title}`,
    required: "Hay que aceptar todas las declaraciones de arriba.",
    request: "Mándame un enlace",
    requesting: "Solicitando...",
    working:
      "Ahora mismo mucha gente pide un enlace. Tu dispositivo resuelve antes un acertijo, lo que puede tardar un minuto. Deja esta página abierta.",
    nothingCame:
      "Si en unos minutos no llega nada, mira en el correo no deseado y después recarga esta página y pídelo de nuevo.",
    haveAccount: "¿Ya tienes cuenta? Entrar",
    terms: "Condiciones",
    privacy: "Privacidad",
  },
});
