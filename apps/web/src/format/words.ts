import { defineCopy } from "@lambda/contract/copy";

/** Words that mean the same on every screen. */
export const words = defineCopy({
  en: { close: "Close", retry: "Try again" },
  es: { close: "Cerrar", retry: "Reintentar" },
});
