import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import type { MapColors } from "./colors.ts";
import { BOLD_FONT, TEXT_FONT } from "./fonts.ts";
import { ringNames } from "./rings.ts";
import { PLACES, TAKEN_IMAGE, TAKEN_SOURCE, WORLD_SOURCE } from "./sources.ts";

/** Names of places, and what keeps them off the members. */

const STREETS_NAMES_ZOOM = 11.5;

const BASE = { type: "symbol", source: WORLD_SOURCE, "source-layer": PLACES } as const;
const BIG_CITY = 1_000_000;

const isKind = (kind: string): ExpressionSpecification => ["==", ["get", "kind"], kind];
const haloOf = (colors: MapColors) => ({ "text-halo-color": colors.halo, "text-halo-width": 1.4 });

/** The filter of a label looks at the zoom in whole steps only. */
const RANKED: ExpressionSpecification = [
  "step",
  ["zoom"],
  ["<=", ["get", "rank"], 2],
  ...Array.from({ length: 10 }, (_, i) => [i + 3, ["<=", ["get", "rank"], i + 3]]).flat(),
] as ExpressionSpecification;

export function placeNames(
  colors: MapColors,
  name: ExpressionSpecification,
  hasStreets: boolean,
): LayerSpecification[] {
  return [
    // A region names its own quarters.
    ...(hasStreets ? [] : [quarterNames(colors, name)]),
    // Labels of upper layers are placed first: a ring's name makes room for a town's, a quarter's for both.
    ...ringNames(colors),
    cityNames(colors, name, hasStreets),
    stateNames(colors, name),
    countryNames(colors, name),
  ];
}

function quarterNames(colors: MapColors, name: ExpressionSpecification): LayerSpecification {
  return {
    ...BASE,
    id: "quarter-name",
    minzoom: 11,
    filter: ["all", isKind("quarter"), RANKED],
    layout: {
      "text-field": name,
      "text-font": TEXT_FONT,
      "text-size": ["interpolate", ["linear"], ["zoom"], 11, 11.5, 15, 15],
      "text-letter-spacing": 0.02,
      "text-variable-anchor": ["center", "bottom", "top"],
      "text-radial-offset": 1,
      "text-max-width": 8,
      "text-padding": 8,
      "symbol-sort-key": ["-", 0, ["get", "population"]],
    },
    paint: { ...haloOf(colors), "text-color": colors.quietText },
  };
}

function cityNames(colors: MapColors, name: ExpressionSpecification, hasStreets: boolean): LayerSpecification {
  return {
    ...BASE,
    id: "city-name",
    minzoom: 3,
    // Among streets the corner of the screen names the town; twice would be once too often.
    ...(hasStreets ? { maxzoom: STREETS_NAMES_ZOOM } : {}),
    filter: ["all", isKind("city"), RANKED],
    layout: {
      "text-field": name,
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
      // The name stands above its point, where members gather, or beside them.
      "text-variable-anchor": ["bottom", "top", "left", "right"],
      "text-radial-offset": 0.8,
      "text-justify": "auto",
      "text-padding": ["interpolate", ["linear"], ["zoom"], 3, 6, 10, 10],
      "symbol-sort-key": ["-", ["*", ["get", "rank"], 100_000_000], ["get", "population"]],
    },
    paint: {
      ...haloOf(colors),
      "text-color": [
        "case",
        [">=", ["get", "population"], 200_000],
        colors.strongText,
        [">=", ["get", "population"], 20_000],
        colors.text,
        colors.quietText,
      ],
    },
  };
}

function stateNames(colors: MapColors, name: ExpressionSpecification): LayerSpecification {
  return {
    ...BASE,
    id: "state-name",
    minzoom: 4,
    maxzoom: 7,
    filter: isKind("state"),
    layout: {
      "text-field": name,
      "text-font": TEXT_FONT,
      "text-size": ["interpolate", ["linear"], ["zoom"], 4, 10.5, 7, 14],
      "text-letter-spacing": 0.12,
      "text-variable-anchor": ["center", "bottom", "top", "left", "right"],
      "text-radial-offset": 1.5,
      "text-max-width": 6,
      "text-padding": 4,
    },
    paint: { ...haloOf(colors), "text-color": colors.quietText },
  };
}

function countryNames(colors: MapColors, name: ExpressionSpecification): LayerSpecification {
  return {
    ...BASE,
    id: "country-name",
    maxzoom: 7,
    filter: ["all", isKind("country"), RANKED],
    layout: {
      "text-field": name,
      "text-font": BOLD_FONT,
      "text-size": ["interpolate", ["linear"], ["zoom"], 1, 10.5, 4, 13, 7, 17],
      "text-letter-spacing": 0.06,
      "text-max-width": 6,
      "text-padding": 6,
      "symbol-sort-key": ["get", "rank"],
    },
    paint: { ...haloOf(colors), "text-color": colors.text },
  };
}

/** Takes the room of members and bubbles, so that no name is half under a picture. Placed first, being the uppermost. */
export const TAKEN_LAYER: LayerSpecification = {
  id: "taken",
  type: "symbol",
  source: TAKEN_SOURCE,
  layout: {
    "icon-image": TAKEN_IMAGE,
    "icon-size": ["get", "size"],
    "icon-anchor": ["get", "anchor"],
    "icon-allow-overlap": true,
    "icon-padding": 0,
  },
  // Placed and never painted: even empty images of this size cost half a frame by software.
  paint: { "icon-opacity": 0 },
};
