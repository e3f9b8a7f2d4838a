import { isolate } from "@lambda/contract/isolate";
import { defineCopyHook } from "../../../../format/i18n.ts";

export const useLockdownListCopy = defineCopyHook({
  en: {
    show: "What can lock this account",
    text: "Shown only after you confirm that it's you: second PINs and recovery words are nobody else's business.",
    none: "Nothing can lock this account.",
    words: "Recovery words",
    wordsText: (when: string) => `They end a lock-down. ${when}`,
    device: "A device",
    signalText: (hours: number, when: string) =>
      `Its second PIN refuses every login for ${hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`}. ${when}`,
    setAt: (when: string) => `Set ${when}`,
    setEarlier: "Set some time ago",
    remove: "Remove",
    removeName: (name: string) => `Remove ${isolate(name)}`,
  },
  es: {
    show: "Qué puede cerrar esta cuenta",
    text: "Solo se muestra después de confirmar que eres tú: los segundos PIN y las palabras de recuperación no son asunto de nadie más.",
    none: "Nada puede cerrar esta cuenta.",
    words: "Palabras de recuperación",
    wordsText: (when) => `Terminan un cierre de emergencia. ${when}`,
    device: "Un dispositivo",
    signalText: (hours, when) =>
      `Su segundo PIN rechaza cualquier entrada durante ${hours < 48 ? `${hours} horas` : `${Math.round(hours / 24)} días`}. ${when}`,
    setAt: (when) => `Se puso el ${when}`,
    setEarlier: "Se puso hace tiempo",
    remove: "Quitar",
    removeName: (name) => `Quitar ${isolate(name)}`,
  },
});
