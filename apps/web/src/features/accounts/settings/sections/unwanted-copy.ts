import { isolate } from "@lambda/contract/isolate";
import { defineCopyHook } from "../../../../format/i18n.ts";

export const useUnwantedCopy = defineCopyHook({
  en: {
    title: "Words you don't want in first messages",
    text: "A first message with one of these words never reaches you, and neither does anything after it until you write to him. He isn't told.",
    label: "Word",
    add: "Add word",
    remove: (word: string) => `Remove ${isolate(word)}`,
    removeShort: "Remove",
  },
  es: {
    title: "Palabras que no quieres en un primer mensaje",
    text: "Un primer mensaje con una de estas palabras no te llega, ni nada de lo que siga hasta que tú le escribas. A él no se le dice.",
    label: "Palabra",
    add: "Agregar palabra",
    remove: (word) => `Quitar ${isolate(word)}`,
    removeShort: "Quitar",
  },
});
