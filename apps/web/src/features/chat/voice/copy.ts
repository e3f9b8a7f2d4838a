import { defineCopy } from "@lambda/contract/copy";

export const voiceMessageCopy = defineCopy({
  en: {
    title: "Voice message",
    send: "Send it",
    hint: "Up to 30 seconds. Nothing is sent before you press Send it, and nothing is written down from it.",
    once: "He can listen once",
    onceHint: "Then it is deleted from our server. Nobody can stop him from recording it.",
  },
  es: {
    title: "Mensaje de voz",
    send: "Enviarlo",
    hint: "Hasta 30 segundos. Nada se envía antes de que pulses Enviarlo, y nada de él se pasa a texto.",
    once: "Puede oírlo una vez",
    onceHint: "Después se borra de nuestro servidor. Nadie puede impedir que lo grabe.",
  },
});
