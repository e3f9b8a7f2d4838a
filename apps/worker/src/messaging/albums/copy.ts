import { defineCopy } from "@lambda/contract/copy";

export const albumsCopy = defineCopy({
  en: {
    requested: "Someone wants to see your private pictures.",
    opened: "Someone opened his album to you.",
  },
  es: {
    requested: "Alguien te pide ver tus fotos privadas.",
    opened: "Alguien ha compartido contigo sus fotos privadas.",
  },
});
