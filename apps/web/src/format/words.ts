import { defineCopyHook } from "./i18n.ts";

/** Words that mean the same on every screen. */
export const useWords = defineCopyHook({
  en: {
    close: "Close",
    cancel: "Cancel",
    more: "Load More",
    retry: "Try again",
    loading: "Loading",
    failed: "This didn't load.",
  },
  es: {
    close: "Cerrar",
    cancel: "Cancelar",
    more: "Cargar más",
    retry: "Reintentar",
    loading: "Cargando",
    failed: "Esto no cargó.",
  },
});
