import type { BrandPalette } from "@lambda/brands";
import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from "maplibre-gl";
import { type MapColors, mapColors } from "./colors.ts";
import { NO_RINGS } from "./distance-rings.ts";
import { GROUND_LAYER, GROUND_MAX_ZOOM, GROUND_MIN_ZOOM } from "./ground.ts";
import { placeNames, TAKEN_LAYER } from "./names.ts";
import { cellLayers, ringLine, ringNames } from "./rings.ts";
import { CELL_SOURCE, REGION_SOURCE, RINGS_SOURCE, TAKEN_SOURCE, WORLD_SOURCE } from "./sources.ts";
import { streetAreas, streetLabels } from "./streets.ts";
import { borderLayers, groundLayers } from "./world.ts";

/**
 * Our own quiet map: land, borders and few names, so that the men on it are the brightest thing. Streets where the
 * operator has installed an extract of OpenStreetMap or names a raster tile server; a metric grid where not.
 */

export interface MapStyleOptions {
  readonly palette: BrandPalette;
  readonly theme: "dark" | "light";
  readonly locale: "en" | "es";
  /** The world archive, e.g. /tiles/world.pmtiles. */
  readonly tilesUrl: string;
  /** A Protomaps extract (schema 4), when there is one. */
  readonly regionUrl?: string | undefined;
  /** A raster tile server's template with {z}, {x} and {y}; replaces the drawn land. Its terms ask for the attribution. */
  readonly rasterUrl?: string | undefined;
  readonly rasterAttribution?: string | undefined;
}

const OSM_ATTRIBUTION =
  '© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap contributors</a>';
const WORLD_ATTRIBUTION = "Made with Natural Earth · GeoNames";

export function mapStyle(options: MapStyleOptions): StyleSpecification {
  const colors = mapColors(options.palette, options.theme);
  const { regionUrl, rasterUrl } = options;
  return {
    version: 8,
    name: "lambda",
    sources: {
      [WORLD_SOURCE]: { type: "vector", url: `pmtiles://${options.tilesUrl}`, attribution: WORLD_ATTRIBUTION },
      [RINGS_SOURCE]: { type: "geojson", data: NO_RINGS },
      [CELL_SOURCE]: { type: "geojson", data: NO_RINGS },
      [TAKEN_SOURCE]: { type: "geojson", data: NO_RINGS },
      ...(rasterUrl
        ? {
            raster: {
              type: "raster",
              tiles: [rasterUrl],
              tileSize: 256,
              maxzoom: 19,
              attribution: options.rasterAttribution ?? OSM_ATTRIBUTION,
            },
          }
        : {
            [GROUND_LAYER]: {
              type: "vector",
              tiles: [`${GROUND_LAYER}://{z}/{x}/{y}`],
              minzoom: GROUND_MIN_ZOOM,
              maxzoom: GROUND_MAX_ZOOM,
            },
          }),
      ...(regionUrl && !rasterUrl
        ? { [REGION_SOURCE]: { type: "vector", url: `pmtiles://${regionUrl}`, attribution: OSM_ATTRIBUTION } }
        : {}),
    },
    layers: rasterUrl ? rasterLayers(options, colors) : vectorLayers(options, colors),
  };
}

function rasterLayers({ theme }: MapStyleOptions, colors: MapColors): LayerSpecification[] {
  // Public tile servers draw for daylight: at night they are dimmed and bleached rather than inverted.
  const paint =
    theme === "dark" ? { "raster-brightness-max": 0.42, "raster-saturation": -0.75 } : { "raster-saturation": -0.3 };
  return [
    { id: "water", type: "background", paint: { "background-color": colors.water } },
    { id: "raster", type: "raster", source: "raster", paint },
    ...cellLayers(colors),
    ringLine(colors),
    ...ringNames(colors),
    TAKEN_LAYER,
  ];
}

function vectorLayers({ regionUrl, locale }: MapStyleOptions, colors: MapColors): LayerSpecification[] {
  const localName: ExpressionSpecification =
    locale === "es"
      ? ["coalesce", ["get", "name_es"], ["get", "name:es"], ["get", "name"]]
      : ["coalesce", ["get", "name:en"], ["get", "name"]];
  return [
    { id: "water", type: "background", paint: { "background-color": colors.water } },
    { id: "land", type: "fill", source: WORLD_SOURCE, "source-layer": "earth", paint: { "fill-color": colors.land } },
    ...groundLayers(colors),
    ...(regionUrl ? streetAreas(colors) : []),
    ...borderLayers(colors),
    ...cellLayers(colors),
    ringLine(colors),
    ...(regionUrl ? streetLabels(colors, localName) : []),
    ...placeNames(colors, localName, regionUrl !== undefined),
    TAKEN_LAYER,
  ];
}
