import { defineCopy } from "@lambda/contract/copy";

export const introductionCopy = defineCopy({
  en: { title: "Voice introduction" },
  es: { title: "Presentación de voz" },
});
