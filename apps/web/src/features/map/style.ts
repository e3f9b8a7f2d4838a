import type { BrandPalette } from "@lambda/brands";
import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from "maplibre-gl";
import { GROUND_LAYER, GROUND_MAX_ZOOM, GROUND_MIN_ZOOM } from "./ground.ts";
import { NO_RINGS } from "./rings.ts";
import { type MapColors, mapColors } from "./style-colors.ts";
import { BOLD_FONT, TEXT_FONT } from "./style-fonts.ts";
import { REGION_SOURCE, streetAreas, streetLabels } from "./style-streets.ts";

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

const WORLD_SOURCE = "world";
/** GeoJSON source of the distance rings; empty until `ringsAround` is set on it. */
export const RINGS_SOURCE = "rings";
/** GeoJSON source of the cell that others see him in. */
export const CELL_SOURCE = "cell";
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
    ringNames(colors),
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
    ...placeLayers(colors, localName, regionUrl !== undefined),
  ];
}

function groundLayers(colors: MapColors): LayerSpecification[] {
  const layer = (kind: string, minzoom: number, opacity: ExpressionSpecification): LayerSpecification => ({
    id: `ground-${kind}`,
    type: "line",
    source: GROUND_LAYER,
    "source-layer": GROUND_LAYER,
    minzoom,
    filter: ["==", ["get", "kind"], kind],
    paint: { "line-color": colors.grid, "line-width": 1, "line-opacity": opacity },
  });
  return [
    layer("m100", 14, ["interpolate", ["linear"], ["zoom"], 14.3, 0, 16, 0.2, 18, 0.24]),
    layer("m1000", 11, ["interpolate", ["linear"], ["zoom"], 11, 0, 12.5, 0.22, 14, 0.28, 16, 0.46]),
    layer("m10000", 8, ["interpolate", ["linear"], ["zoom"], 8, 0, 9.5, 0.15, 12, 0.34, 14, 0.5]),
  ];
}

function borderLayers(colors: MapColors): LayerSpecification[] {
  const base = { type: "line", source: WORLD_SOURCE, "source-layer": "boundaries" } as const;
  const of = (kind: string): ExpressionSpecification => ["==", ["get", "kind"], kind];
  return [
    {
      id: "coast",
      type: "line",
      source: WORLD_SOURCE,
      "source-layer": "earth",
      paint: { "line-color": colors.coast, "line-width": ["interpolate", ["linear"], ["zoom"], 2, 0.4, 8, 1, 14, 1.4] },
    },
    {
      ...base,
      id: "county-border",
      minzoom: 7.5,
      filter: of("county"),
      paint: {
        "line-color": colors.fineBorder,
        "line-width": 1,
        "line-dasharray": [4, 3],
        "line-opacity": ["interpolate", ["linear"], ["zoom"], 7.5, 0, 9, 0.9],
      },
    },
    {
      ...base,
      id: "state-border",
      minzoom: 3,
      filter: of("state"),
      paint: {
        "line-color": colors.fineBorder,
        "line-width": ["interpolate", ["linear"], ["zoom"], 3, 0.5, 8, 1.2],
        "line-opacity": ["interpolate", ["linear"], ["zoom"], 3, 0.3, 5, 1],
      },
    },
    {
      ...base,
      id: "country-border",
      filter: of("country"),
      paint: {
        "line-color": colors.border,
        "line-width": ["interpolate", ["linear"], ["zoom"], 1, 0.4, 5, 0.9, 10, 1.6],
      },
    },
  ];
}

/** The square that others see him in; from afar it would be a dot. */
function cellLayers(colors: MapColors): LayerSpecification[] {
  const base = { source: CELL_SOURCE, minzoom: 9 } as const;
  return [
    { ...base, id: "cell", type: "fill", paint: { "fill-color": colors.ring, "fill-opacity": 0.1 } },
    {
      ...base,
      id: "cell-edge",
      type: "line",
      paint: { "line-color": colors.ring, "line-width": 1.4, "line-opacity": 0.6, "line-dasharray": [3, 3] },
    },
  ];
}

/** A ring is drawn between its own two zooms, and fades at both ends. */
function ringOpacity(full: number): ExpressionSpecification {
  const stops: unknown[] = [];
  for (let zoom = 2; zoom <= 22; zoom += 0.5) {
    const inside = ["min", ["-", zoom, ["get", "from"]], ["-", ["get", "to"], zoom]];
    stops.push(zoom, ["*", full, ["max", 0, ["min", 1, inside]]]);
  }
  return ["interpolate", ["linear"], ["zoom"], ...stops] as ExpressionSpecification;
}

function ringLine(colors: MapColors): LayerSpecification {
  return {
    id: "ring",
    type: "line",
    source: RINGS_SOURCE,
    filter: ["==", ["geometry-type"], "LineString"],
    paint: { "line-color": colors.ring, "line-width": 1.2, "line-opacity": ringOpacity(0.34) },
  };
}

function ringNames(colors: MapColors): LayerSpecification {
  return {
    id: "ring-name",
    type: "symbol",
    source: RINGS_SOURCE,
    // A name that has faded must not keep others away.
    filter: ["all", ["==", ["geometry-type"], "Point"], RING_IN_RANGE],
    layout: {
      "text-field": ["get", "label"],
      "text-font": BOLD_FONT,
      "text-size": 12,
      "text-padding": 4,
    },
    paint: {
      "text-color": colors.ring,
      "text-halo-color": colors.land,
      "text-halo-width": 3,
      "text-opacity": ringOpacity(0.95),
    },
  };
}

const RING_IN_RANGE: ExpressionSpecification = [
  "step",
  ["zoom"],
  false,
  ...Array.from({ length: 21 }, (_, i) => [
    i + 2,
    ["all", ["<=", ["get", "from"], i + 1.6], [">=", ["get", "to"], i + 2.4]],
  ]).flat(),
] as ExpressionSpecification;

function placeLayers(colors: MapColors, name: ExpressionSpecification, hasRegion: boolean): LayerSpecification[] {
  const base = { type: "symbol", source: WORLD_SOURCE, "source-layer": "places" } as const;
  const of = (kind: string): ExpressionSpecification => ["==", ["get", "kind"], kind];
  const halo = { "text-halo-color": colors.halo, "text-halo-width": 1.4 };
  // The filter of a label looks at the zoom in whole steps only.
  const ranked: ExpressionSpecification = [
    "step",
    ["zoom"],
    ["<=", ["get", "rank"], 2],
    ...Array.from({ length: 10 }, (_, i) => [i + 3, ["<=", ["get", "rank"], i + 3]]).flat(),
  ] as ExpressionSpecification;
  const big = 1_000_000;
  return [
    // An extract names its own quarters.
    ...(hasRegion
      ? []
      : [
          {
            ...base,
            id: "quarter-name",
            minzoom: 11,
            filter: ["all", of("quarter"), ranked] as unknown as ExpressionSpecification,
            layout: {
              "text-field": name,
              "text-font": TEXT_FONT,
              "text-size": ["interpolate", ["linear"], ["zoom"], 11, 11.5, 15, 15],
              "text-letter-spacing": 0.02,
              "text-max-width": 8,
              "text-padding": 8,
              "symbol-sort-key": ["-", 0, ["get", "population"]],
            },
            paint: { ...halo, "text-color": colors.quietText },
          } satisfies LayerSpecification,
        ]),
    // Labels of upper layers are placed first: a ring's name makes room for a town's, a quarter's for both.
    ringNames(colors),
    {
      ...base,
      id: "city-name",
      minzoom: 3,
      filter: ["all", of("city"), ranked],
      layout: {
        "text-field": name,
        "text-font": ["case", [">=", ["get", "population"], 200_000], ["literal", BOLD_FONT], ["literal", TEXT_FONT]],
        "text-size": [
          "interpolate",
          ["linear"],
          ["zoom"],
          3,
          ["case", [">=", ["get", "population"], big], 11.5, 10.5],
          8,
          ["case", [">=", ["get", "population"], big], 17, [">=", ["get", "population"], 100_000], 14, 12],
          13,
          ["case", [">=", ["get", "population"], big], 24, [">=", ["get", "population"], 100_000], 18, 15],
        ],
        "text-max-width": 8,
        // The name stands above its point, where men gather.
        "text-offset": [0, -1.4],
        "text-padding": ["interpolate", ["linear"], ["zoom"], 3, 6, 10, 10],
        "symbol-sort-key": ["-", ["*", ["get", "rank"], 100_000_000], ["get", "population"]],
      },
      paint: {
        ...halo,
        "text-color": [
          "case",
          [">=", ["get", "population"], 200_000],
          colors.strongText,
          [">=", ["get", "population"], 20_000],
          colors.text,
          colors.quietText,
        ],
      },
    },
    {
      ...base,
      id: "state-name",
      minzoom: 4,
      maxzoom: 7,
      filter: of("state"),
      layout: {
        "text-field": name,
        "text-font": TEXT_FONT,
        "text-size": ["interpolate", ["linear"], ["zoom"], 4, 10.5, 7, 14],
        "text-letter-spacing": 0.12,
        "text-max-width": 6,
        "text-padding": 4,
      },
      paint: { ...halo, "text-color": colors.quietText },
    },
    {
      ...base,
      id: "country-name",
      maxzoom: 7,
      filter: ["all", of("country"), ranked],
      layout: {
        "text-field": name,
        "text-font": BOLD_FONT,
        "text-size": ["interpolate", ["linear"], ["zoom"], 1, 10.5, 4, 13, 7, 17],
        "text-letter-spacing": 0.06,
        "text-max-width": 6,
        "text-padding": 6,
        "symbol-sort-key": ["get", "rank"],
      },
      paint: { ...halo, "text-color": colors.text },
    },
  ];
}
