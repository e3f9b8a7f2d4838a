import { defineCopy } from "@lambda/contract/copy";

export const logoutCopy = defineCopy({
  en: {
    loggingOut: "Logging out...",
    logoutTitle: "See you soon.",
    logoutText: "This device forgets what it knew about you.",
    logoutFailed: "The server could not be reached. You are still logged in.",
    retry: "Try again",
    loginAgain: "Login Again",
  },
  es: {
    loggingOut: "Saliendo...",
    logoutTitle: "Hasta pronto.",
    logoutText: "Este dispositivo olvida lo que sabía de ti.",
    logoutFailed: "No se ha podido contactar con el servidor. Sigues dentro.",
    retry: "Reintentar",
    loginAgain: "Entrar de nuevo",
  },
});
