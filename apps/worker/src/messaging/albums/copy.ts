import { defineCopy } from "@lambda/contract/copy";

export const albumsCopy = defineCopy({
  en: {
    requested: "Someone asks to see your private pictures.",
    opened: "Someone has shared their private pictures with you.",
  },
  es: {
    requested: "Alguien te pide ver tus fotos privadas.",
    opened: "Alguien ha compartido contigo sus fotos privadas.",
  },
});
