import { isolate } from "@lambda/contract/isolate";
import { defineCopyHook } from "../../../../format/i18n.ts";

export const useUnwantedCopy = defineCopyHook({
  en: {
    title: "Words you do not want in first messages",
    text: "A first message that contains one of them is kept from you, and so is everything that follows until you write to the sender. The sender is not told.",
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
