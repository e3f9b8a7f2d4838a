import type { BrandPalette } from "@lambda/brands";
import type { MapRegion } from "@lambda/contract/map-archives";
import type { FeatureCollection } from "geojson";
import type {
  ExpressionSpecification,
  LayerSpecification,
  LineLayerSpecification,
  StyleSpecification,
} from "maplibre-gl";
import { streetsMaxZoom } from "../data/regions.ts";
import { type MapColors, mapColors } from "./colors.ts";
import { isKind } from "./layers.ts";
import { cellLayers, ringLayer } from "./own-area-layers.ts";
import { COLLISION_LAYER, placeLabels } from "./place-labels.ts";
import {
  COLLISION_SOURCE,
  METRIC_GRID,
  METRIC_GRID_MAX_ZOOM,
  METRIC_GRID_MIN_ZOOM,
  OWN_AREA_SOURCE,
  STREETS_SOURCE,
  WORLD_SOURCE,
} from "./sources.ts";
import { STREETS_MIN_ZOOM, streetAreas, streetLabels } from "./streets.ts";

/**
 * The MapLibre style: a subdued map of land, borders and few labels, so that members stand out. It has streets where
 * the operator installed a region of OpenStreetMap, and a metric grid elsewhere.
 */

export interface MapStyleOptions {
  readonly palette: BrandPalette;
  readonly theme: "dark" | "light";
  readonly locale: "en" | "es";
  /** The world archive, e.g. /tiles/world.pmtiles. */
  readonly tilesUrl: string;
  /** The installed regions with streets; none until they are loaded. */
  readonly regions: readonly MapRegion[];
}

const EMPTY: FeatureCollection = { type: "FeatureCollection", features: [] };
const OSM_ATTRIBUTION =
  '© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap contributors</a>';
const WORLD_ATTRIBUTION = "Natural Earth · GeoNames";

export function mapStyle(options: MapStyleOptions): StyleSpecification {
  const { regions } = options;
  return {
    version: 8,
    name: "lambda",
    sources: {
      [WORLD_SOURCE]: { type: "vector", url: `pmtiles://${options.tilesUrl}`, attribution: WORLD_ATTRIBUTION },
      [OWN_AREA_SOURCE]: { type: "geojson", data: EMPTY },
      [COLLISION_SOURCE]: { type: "geojson", data: EMPTY },
      [METRIC_GRID]: {
        type: "vector",
        tiles: [`${METRIC_GRID}://{z}/{x}/{y}`],
        minzoom: METRIC_GRID_MIN_ZOOM,
        maxzoom: METRIC_GRID_MAX_ZOOM,
      },
      ...(regions.length === 0
        ? {}
        : {
            [STREETS_SOURCE]: {
              type: "vector",
              tiles: [`${STREETS_SOURCE}://{z}/{x}/{y}`],
              minzoom: STREETS_MIN_ZOOM,
              maxzoom: streetsMaxZoom(regions),
              attribution: OSM_ATTRIBUTION,
            },
          }),
    },
    layers: createLayers(options, mapColors(options.palette, options.theme)),
  };
}

function createLayers({ regions, locale }: MapStyleOptions, colors: MapColors): LayerSpecification[] {
  const hasStreets = regions.length > 0;
  const localName: ExpressionSpecification =
    locale === "es"
      ? ["coalesce", ["get", "name_es"], ["get", "name:es"], ["get", "name"]]
      : ["coalesce", ["get", "name:en"], ["get", "name"]];
  return [
    { id: "water", type: "background", paint: { "background-color": colors.water } },
    { id: "land", type: "fill", source: WORLD_SOURCE, "source-layer": "earth", paint: { "fill-color": colors.land } },
    ...metricGridLayers(colors),
    ...(hasStreets ? streetAreas(colors) : []),
    ...borderLayers(colors),
    ...cellLayers(colors),
    ringLayer(colors),
    ...(hasStreets ? streetLabels(colors, localName) : []),
    ...placeLabels(
      colors,
      localName,
      regions.map(({ bounds }) => bounds),
    ),
    COLLISION_LAYER,
  ];
}

/** Layers of the world archive's coasts and borders, and of the metric grid. */

function metricGridLayers(colors: MapColors): LayerSpecification[] {
  const layer = (kind: string, minzoom: number, opacity: ExpressionSpecification): LayerSpecification => ({
    id: `ground-${kind}`,
    type: "line",
    source: METRIC_GRID,
    "source-layer": METRIC_GRID,
    minzoom,
    filter: isKind(kind),
    paint: { "line-color": colors.grid, "line-width": 1, "line-opacity": opacity },
  });
  return [
    layer("m100", 14, ["interpolate", ["linear"], ["zoom"], 14.3, 0, 16, 0.2, 18, 0.24]),
    layer("m1000", 11, ["interpolate", ["linear"], ["zoom"], 11, 0, 12.5, 0.22, 14, 0.28, 16, 0.46]),
    layer("m10000", 8, ["interpolate", ["linear"], ["zoom"], 8, 0, 9.5, 0.15, 12, 0.34, 14, 0.5]),
  ];
}

function borderLayers(colors: MapColors): LayerSpecification[] {
  const border = (kind: string, minzoom: number, paint: LineLayerSpecification["paint"]): LayerSpecification => ({
    id: `${kind}-border`,
    type: "line",
    source: WORLD_SOURCE,
    "source-layer": "boundaries",
    minzoom,
    filter: isKind(kind),
    paint: { "line-color": colors.fineBorder, ...paint },
  });
  return [
    {
      id: "coast",
      type: "line",
      source: WORLD_SOURCE,
      "source-layer": "earth",
      paint: { "line-color": colors.coast, "line-width": ["interpolate", ["linear"], ["zoom"], 2, 0.4, 8, 1, 14, 1.4] },
    },
    border("county", 7.5, {
      "line-width": 1,
      "line-dasharray": [4, 3],
      "line-opacity": ["interpolate", ["linear"], ["zoom"], 7.5, 0, 9, 0.9],
    }),
    border("state", 3, {
      "line-width": ["interpolate", ["linear"], ["zoom"], 3, 0.5, 8, 1.2],
      "line-opacity": ["interpolate", ["linear"], ["zoom"], 3, 0.3, 5, 1],
    }),
    border("country", 0, {
      "line-color": colors.border,
      "line-width": ["interpolate", ["linear"], ["zoom"], 1, 0.4, 5, 0.9, 10, 1.6],
    }),
  ];
}
