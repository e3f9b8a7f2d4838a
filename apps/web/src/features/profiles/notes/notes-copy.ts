import { defineCopyHook } from "../../../format/i18n.ts";

export const useNotesCopy = defineCopyHook({
  en: {
    search: "Search your notes",
    loading: "Loading notes",
    tags: "Your tags",
    gone: "Not visible now",
    empty: "Nothing noted yet.",
    emptyHint: "On a guy's profile you can write down what you want to remember about him. Only you ever read it.",
    noMatch: "No note contains these words.",
    look: "Look around",
    clear: "Clear search",
    failed: "Your notes didn't load.",
  },
  es: {
    search: "Buscar en tus notas",
    loading: "Cargando notas",
    tags: "Tus etiquetas",
    gone: "No se ve ahora",
    empty: "Aún no anotaste nada.",
    emptyHint: "En el perfil de un hombre puedes anotar lo que quieras recordar de él. Solo tú lo lees.",
    noMatch: "Ninguna nota tiene esas palabras.",
    look: "Echar un vistazo",
    clear: "Borrar la búsqueda",
    failed: "Tus notas no cargaron.",
  },
});
