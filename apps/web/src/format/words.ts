import { defineCopy } from "@lambda/contract/copy";

/** Words that mean the same on every screen. */
export const words = defineCopy({
  en: { close: "Close", retry: "Try again", loading: "Loading", failed: "This could not be loaded." },
  es: { close: "Cerrar", retry: "Reintentar", loading: "Cargando", failed: "No se ha podido cargar." },
});
