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
    planRuns:
      "Your plan with a friend is still on. Log out and this phone can't say you're fine anymore, so your friend gets the alarm.",
    openPlan: "Open the plan",
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
    planRuns:
      "Tu plan con un amigo sigue en marcha. Si sales, este teléfono ya no puede decir que estás bien y a tu amigo le llega la alarma.",
    openPlan: "Abrir el plan",
    stay: "Quedarme",
    logOutAnyway: "Salir de todos modos",
    loginAgain: "Entrar de nuevo",
  },
});
