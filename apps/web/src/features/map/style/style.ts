import type { BrandPalette } from "@lambda/brands";
import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from "maplibre-gl";
import { type MapColors, mapColors } from "./colors.ts";
import { NO_RINGS } from "./distance-rings.ts";
import { GROUND_LAYER, GROUND_MAX_ZOOM, GROUND_MIN_ZOOM } from "./ground.ts";
import { placeNames, TAKEN_LAYER } from "./names.ts";
import { cellLayers, ringLine } from "./rings.ts";
import { CELL_SOURCE, RINGS_SOURCE, STREETS_SOURCE, TAKEN_SOURCE, WORLD_SOURCE } from "./sources.ts";
import { STREETS_FROM_ZOOM, streetAreas, streetLabels } from "./streets.ts";
import { borderLayers, groundLayers } from "./world.ts";

/**
 * A quiet map of land, borders and few names, so that the members on it are the brightest thing. Streets where the operator
 * has installed a region of OpenStreetMap; a metric grid elsewhere.
 */

export interface MapStyleOptions {
  readonly palette: BrandPalette;
  readonly theme: "dark" | "light";
  readonly locale: "en" | "es";
  /** The world archive, e.g. /tiles/world.pmtiles. */
  readonly tilesUrl: string;
  /** The closest zoom of the installed regions' tiles; undefined without a region. */
  readonly streetsMaxZoom?: number | undefined;
}

const OSM_ATTRIBUTION =
  '© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap contributors</a>';
const WORLD_ATTRIBUTION = "Made with Natural Earth · GeoNames";

export function mapStyle(options: MapStyleOptions): StyleSpecification {
  const { streetsMaxZoom } = options;
  return {
    version: 8,
    name: "lambda",
    sources: {
      [WORLD_SOURCE]: { type: "vector", url: `pmtiles://${options.tilesUrl}`, attribution: WORLD_ATTRIBUTION },
      [RINGS_SOURCE]: { type: "geojson", data: NO_RINGS },
      [CELL_SOURCE]: { type: "geojson", data: NO_RINGS },
      [TAKEN_SOURCE]: { type: "geojson", data: NO_RINGS },
      [GROUND_LAYER]: {
        type: "vector",
        tiles: [`${GROUND_LAYER}://{z}/{x}/{y}`],
        minzoom: GROUND_MIN_ZOOM,
        maxzoom: GROUND_MAX_ZOOM,
      },
      ...(streetsMaxZoom === undefined
        ? {}
        : {
            [STREETS_SOURCE]: {
              type: "vector",
              tiles: [`${STREETS_SOURCE}://{z}/{x}/{y}`],
              minzoom: STREETS_FROM_ZOOM,
              maxzoom: streetsMaxZoom,
              attribution: OSM_ATTRIBUTION,
            },
          }),
    },
    layers: layersOf(options, mapColors(options.palette, options.theme)),
  };
}

function layersOf({ streetsMaxZoom, locale }: MapStyleOptions, colors: MapColors): LayerSpecification[] {
  const hasStreets = streetsMaxZoom !== undefined;
  const localName: ExpressionSpecification =
    locale === "es"
      ? ["coalesce", ["get", "name_es"], ["get", "name:es"], ["get", "name"]]
      : ["coalesce", ["get", "name:en"], ["get", "name"]];
  return [
    { id: "water", type: "background", paint: { "background-color": colors.water } },
    { id: "land", type: "fill", source: WORLD_SOURCE, "source-layer": "earth", paint: { "fill-color": colors.land } },
    ...groundLayers(colors),
    ...(hasStreets ? streetAreas(colors) : []),
    ...borderLayers(colors),
    ...cellLayers(colors),
    ringLine(colors),
    ...(hasStreets ? streetLabels(colors, localName) : []),
    ...placeNames(colors, localName, hasStreets),
    TAKEN_LAYER,
  ];
}
