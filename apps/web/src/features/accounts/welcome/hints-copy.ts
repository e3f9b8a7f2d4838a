import { defineCopyHook } from "../../../format/i18n.ts";

export const useHintsCopy = defineCopyHook({
  en: {
    push: "Want to know when someone writes?",
    pushUse: "Your phone says you have a message. The lock screen shows neither the name nor a word of it.",
    noPush:
      "This browser won't take our notifications. You can try again in Account, or add this site to your home screen.",
    pushAsk: "Notify me on this device",
    pushOn: "This device will notify you",
    phone: "Phone",
    computer: "Computer",
    exit: "Gone in a blink",
    exitUse:
      "Tap the logo at the top three times, or press Escape twice, to open an empty page of notes from anywhere on this site. In Account you can set a lock with a PIN and a neutral name for the icon.",
    close: "Got it",
  },
  es: {
    push: "¿Quieres saber cuando alguien te escribe?",
    pushUse:
      "Tu teléfono te avisa que tienes un mensaje. En la pantalla bloqueada no sale ni el nombre ni una palabra.",
    noPush:
      "Este navegador no acepta nuestros avisos. Inténtalo otra vez en Cuenta, o agrega el sitio a tu pantalla de inicio.",
    pushAsk: "Avísame en este dispositivo",
    pushOn: "Este dispositivo te avisa",
    phone: "Teléfono",
    computer: "Computadora",
    exit: "Fuera en un parpadeo",
    exitUse:
      "Toca tres veces el símbolo de arriba, o presiona Escape dos veces, para abrir una página de notas vacía desde cualquier parte. En Cuenta puedes poner un bloqueo con PIN y un nombre neutro para el icono.",
    close: "Entendido",
  },
});
