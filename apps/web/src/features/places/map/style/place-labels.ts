import type { RegionBounds } from "@lambda/contract/map-archives";
import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import type { MapColors } from "./colors.ts";
import { BOLD_FONT, TEXT_FONT } from "./fonts.ts";
import { isKind, labelsOf } from "./layers.ts";
import { ringLabels } from "./own-area-layers.ts";
import { COLLISION_IMAGE, COLLISION_SOURCE, PLACES_LAYER, WORLD_SOURCE } from "./sources.ts";

/** Labels of places, and the layer that keeps them off markers. */

/** From this zoom on, streets are labeled instead of their city. */
const CITY_LABELS_END_ZOOM = 12;

const BIG_CITY = 1_000_000;

/** Shows places of lower rank as the zoom grows, `close` ones alone from the zoom of streets on. Symbol filters are only evaluated at whole zoom levels. */
const withRank = (close: readonly ExpressionSpecification[]): ExpressionSpecification =>
  [
    "step",
    ["zoom"],
    ["<=", ["get", "rank"], 2],
    ...Array.from({ length: 10 }, (_, i) => {
      const fits = ["<=", ["get", "rank"], i + 3];
      return [i + 3, i + 3 < CITY_LABELS_END_ZOOM ? fits : ["all", fits, ...close]];
    }).flat(),
  ] as ExpressionSpecification;
const RANK_FITS_ZOOM = withRank([]);

/** Nothing without regions: all is outside then. */
const outsideOf = (regions: readonly RegionBounds[]): ExpressionSpecification[] =>
  regions.length === 0
    ? []
    : [["!", ["within", { type: "MultiPolygon", coordinates: regions.map((region) => [ringOf(region)]) }]]];

const ringOf = ({ west, south, east, north }: RegionBounds): [number, number][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** @param regions boxes with streets, which have labels of their own quarters */
export function placeLabels(
  colors: MapColors,
  name: ExpressionSpecification,
  regions: readonly RegionBounds[],
): LayerSpecification[] {
  const outside = outsideOf(regions);
  const placeLabel = labelsOf(WORLD_SOURCE, colors, name);
  const label = (id: string, options: Parameters<typeof placeLabel>[2]) => placeLabel(id, PLACES_LAYER, options);
  const quarters = label("quarter-name", {
    minzoom: 11,
    filter: ["all", isKind("quarter"), RANK_FITS_ZOOM, ...outside],
    layout: {
      "text-size": ["interpolate", ["linear"], ["zoom"], 11, 11.5, 15, 15],
      "text-letter-spacing": 0.02,
      "text-variable-anchor": ["center", "bottom", "top"],
      "text-radial-offset": 1,
      "text-max-width": 8,
      "text-padding": 8,
      "symbol-sort-key": ["-", 0, ["get", "population"]],
    },
    paint: { "text-color": colors.quietText },
  });
  return [
    quarters,
    // MapLibre places the labels of upper layers first: a city displaces a ring's label, and both displace a quarter's.
    ...ringLabels(colors),
    label("city-name", {
      minzoom: 3,
      // Zoomed in on streets, the corner of the map names the city instead.
      filter: ["all", isKind("city"), withRank(outside)],
      layout: {
        "text-font": ["case", [">=", ["get", "population"], 200_000], ["literal", BOLD_FONT], ["literal", TEXT_FONT]],
        "text-size": [
          "interpolate",
          ["linear"],
          ["zoom"],
          3,
          ["case", [">=", ["get", "population"], BIG_CITY], 11.5, 10.5],
          8,
          ["case", [">=", ["get", "population"], BIG_CITY], 17, [">=", ["get", "population"], 100_000], 14, 12],
          13,
          ["case", [">=", ["get", "population"], BIG_CITY], 24, [">=", ["get", "population"], 100_000], 18, 15],
        ],
        "text-max-width": 8,
        // Above or next to the city's point, where most members are.
        "text-variable-anchor": ["bottom", "top", "left", "right"],
        "text-radial-offset": 0.8,
        "text-justify": "auto",
        "text-padding": ["interpolate", ["linear"], ["zoom"], 3, 6, 10, 10],
        "symbol-sort-key": ["-", ["*", ["get", "rank"], 100_000_000], ["get", "population"]],
      },
      paint: {
        "text-color": [
          "case",
          [">=", ["get", "population"], 200_000],
          colors.strongText,
          [">=", ["get", "population"], 20_000],
          colors.text,
          colors.quietText,
        ],
      },
    }),
    label("state-name", {
      minzoom: 4,
      maxzoom: 7,
      filter: isKind("state"),
      layout: {
        "text-size": ["interpolate", ["linear"], ["zoom"], 4, 10.5, 7, 14],
        "text-letter-spacing": 0.12,
        "text-variable-anchor": ["center", "bottom", "top", "left", "right"],
        "text-radial-offset": 1.5,
        "text-max-width": 6,
        "text-padding": 4,
      },
      paint: { "text-color": colors.quietText },
    }),
    label("country-name", {
      maxzoom: 7,
      filter: ["all", isKind("country"), RANK_FITS_ZOOM],
      layout: {
        "text-font": BOLD_FONT,
        "text-size": ["interpolate", ["linear"], ["zoom"], 1, 10.5, 4, 13, 7, 17],
        "text-letter-spacing": 0.06,
        "text-max-width": 6,
        "text-padding": 6,
        "symbol-sort-key": ["get", "rank"],
      },
    }),
  ];
}

/** Reserves the space of markers and bubbles so that no label is half hidden by one. As the topmost layer it is placed first. */
export const COLLISION_LAYER: LayerSpecification = {
  id: "taken",
  type: "symbol",
  source: COLLISION_SOURCE,
  layout: {
    "icon-image": COLLISION_IMAGE,
    "icon-size": ["get", "size"],
    "icon-anchor": ["get", "anchor"],
    "icon-allow-overlap": true,
    "icon-padding": 0,
  },
  // Never painted: in software rendering, even empty images of this size cost half a frame.
  paint: { "icon-opacity": 0 },
};
