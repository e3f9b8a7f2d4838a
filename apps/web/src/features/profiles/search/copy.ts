import { defineCopyHook } from "../../../format/i18n.ts";

/** What every search shows at once. Filters and cards bring theirs. */
export const useSearchCopy = defineCopyHook({
  en: {
    ways: "Views",
    tiles: "Tiles",
    swype: "Swype",
    details: "Details",
    loading: "Loading men near you",
    loadMore: "Load More",
    displayed: (count: number) => `Displayed ${count}`,
    members: "Guys near you",
    empty: "There are no profiles to show in your area or with any filters yo may have applied.",
    emptyHint: "Widen your filters, or come back when the bars are open.",
    clear: "Clear filters",
    farther: "Look farther out",
    failed: "We couldn't load who's near you.",
    filters: "Filters",
    filtersSet: (count: number) => `Filters ${count} set`,
  },
  es: {
    ways: "Vistas",
    tiles: "Mosaico",
    swype: "Deslizar",
    details: "Detalles",
    loading: "Buscando hombres cerca de ti",
    loadMore: "Cargar más",
    displayed: (count: number) => `Mostrados: ${count}`,
    members: "Hombres cerca de ti",
    empty: "No hay perfiles que mostrar en tu zona o con los filtros que hayas aplicado.",
    emptyHint: "Afloja los filtros, o vuelve cuando abran los bares.",
    clear: "Quitar filtros",
    farther: "Buscar más lejos",
    failed: "No pudimos cargar quién está cerca.",
    filters: "Filtros",
    filtersSet: (count: number) => (count === 1 ? "Filtros 1 activo" : `Filtros ${count} activos`),
  },
});
