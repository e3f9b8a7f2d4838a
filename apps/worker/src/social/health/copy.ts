import { defineCopy } from "../../platform/copy.ts";

export const healthCopy = defineCopy({
  en: {
    reminder: "This is the reminder you asked for.",
  },
  es: {
    reminder: "Este es el recordatorio que pediste.",
  },
});
