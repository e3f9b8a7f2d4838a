import { defineCopy } from "@lambda/contract/copy";

export const healthCopy = defineCopy({
  en: { reminder: "This is the reminder you asked for." },
  es: { reminder: "Este es el recordatorio que pediste." },
});
