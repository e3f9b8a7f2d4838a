import { defineCopyHook } from "../../format/i18n.ts";

export const useNotificationsCopy = defineCopyHook({
  en: {
    loading: "Loading notifications",
    none: "None",
    noneHint: "Your matches, messages and other news show up here.",
    delete: "Delete",
    clear: "Clear all",
    failed: "We couldn't load your notifications.",
    tryAgain: "Try again",
  },
  es: {
    loading: "Cargando avisos",
    none: "Ninguno",
    noneHint: "Aquí llegan tus matches, mensajes y novedades.",
    delete: "Borrar",
    clear: "Borrar todo",
    failed: "No pudimos cargar los avisos.",
    tryAgain: "Reintentar",
  },
});
