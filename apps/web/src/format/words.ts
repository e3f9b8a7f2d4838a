import { defineCopyHook } from "./i18n.ts";

/** Words that mean the same on every screen. */
export const useWords = defineCopyHook({
  en: {
    close: "Close",
    more: "Load More",
    retry: "Try again",
    loading: "Loading",
    failed: "This could not be loaded.",
  },
  es: {
    close: "Cerrar",
    more: "Cargar más",
    retry: "Reintentar",
    loading: "Cargando",
    failed: "No se ha podido cargar.",
  },
});
