import { defineCopyHook } from "../../format/i18n.ts";

export const useLogoutCopy = defineCopyHook({
  en: {
    loggingOut: "Logging out...",
    logoutTitle: "See you soon.",
    logoutText: "This device forgets what it knew about you.",
    logoutFailed: "We can't reach the server. You're still logged in.",
    waiting: (count: number) =>
      count === 1
        ? "One message hasn't been sent yet. If you log out now, it's lost."
        : `${count} messages haven't been sent yet. If you log out now, they're lost.`,
    stay: "Stay logged in",
    logOutAnyway: "Log out anyway",
    loginAgain: "Login Again",
  },
  es: {
    loggingOut: "Cerrando la sesión...",
    logoutTitle: "Hasta pronto.",
    logoutText: "Este dispositivo olvida lo que sabía de ti.",
    logoutFailed: "No podemos conectar con el servidor. Tu sesión sigue abierta.",
    waiting: (count: number) =>
      count === 1
        ? "Hay un mensaje sin enviar. Si sales ahora, se pierde."
        : `Hay ${count} mensajes sin enviar. Si sales ahora, se pierden.`,
    stay: "Quedarme",
    logOutAnyway: "Salir de todos modos",
    loginAgain: "Entrar de nuevo",
  },
});
