import { defineCopyHook } from "../../../../format/i18n.ts";

export const useVoiceMessageCopy = defineCopyHook({
  en: {
    title: "Voice message",
    send: "Send it",
    hint: "Up to 30 seconds. Nothing is sent before you press Send it, and it's never transcribed.",
    once: "He can play it only once",
    onceHint: "Then it's deleted from our server. Nobody can stop him from recording it.",
  },
  es: {
    title: "Mensaje de voz",
    send: "Enviarlo",
    hint: "Hasta 30 segundos. Nada se envía antes de que toques Enviarlo, y nunca se transcribe.",
    once: "Solo puede oírlo una vez",
    onceHint: "Después se borra de nuestro servidor. Nadie puede impedir que lo grabe.",
  },
});
