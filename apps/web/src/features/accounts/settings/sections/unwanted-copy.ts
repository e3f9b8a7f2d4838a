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
    text: "Un primer mensaje que contenga una de ellas no te llega, ni lo que venga después hasta que tú le escribas. A quien lo escribió no se le dice.",
    label: "Palabra",
    add: "Añadir palabra",
    remove: (word) => `Quitar ${isolate(word)}`,
    removeShort: "Quitar",
  },
});
