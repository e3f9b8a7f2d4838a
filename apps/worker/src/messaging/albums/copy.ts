import { defineCopy } from "@lambda/contract/copy";

export const albumsCopy = defineCopy({
  en: {
    requested: "Someone wants to see your private pictures.",
    opened: "Someone opened his album to you.",
  },
  es: {
    requested: "Alguien quiere ver tus fotos privadas.",
    opened: "Alguien te abrió su álbum.",
  },
});
