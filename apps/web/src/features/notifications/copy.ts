import { defineCopy } from "@lambda/contract/copy";

export const notificationsCopy = defineCopy({
  en: {
    loading: "Loading notifications",
    none: "None",
    noneHint: "Matches, messages and news about you will wait here.",
    delete: "Delete",
    more: "Load More",
    failed: "The notifications could not be loaded.",
    tryAgain: "Try again",
  },
  es: {
    loading: "Cargando avisos",
    none: "Ninguno",
    noneHint: "Aquí te esperarán los matches, los mensajes y las novedades sobre ti.",
    delete: "Borrar",
    more: "Cargar más",
    failed: "No se han podido cargar los avisos.",
    tryAgain: "Reintentar",
  },
});
