import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import type { MapColors } from "./colors.ts";
import { BOLD_FONT } from "./fonts.ts";
import { isKind, isShape, labelsOf } from "./layers.ts";
import { STREETS_SOURCE } from "./sources.ts";

/** Street layers from Protomaps extracts (schema 4), above the world's land and below its labels. */

/** Below this zoom only the world's outlines are drawn, so that the edge of an extract does not show. */
export const STREETS_MIN_ZOOM = 9;
/** How much wider the casing around a road is drawn than the road itself. */
const CASING_PX = 1.6;
const GREEN = [
  "park",
  "national_park",
  "nature_reserve",
  "protected_area",
  "forest",
  "wood",
  "grass",
  "grassland",
  "scrub",
  "golf_course",
  "cemetery",
  "garden",
  "recreation_ground",
];

/** In pixels at zooms 10, 14 and 18. */
type Widths = readonly [number, number, number];
type RoadClass = { readonly kinds: string[]; readonly minZoom: number; readonly widths: Widths };
/** Minor roads come first, so that major roads are drawn over them. */
const ROADS: Record<"minor" | "major" | "highway", RoadClass> = {
  minor: { kinds: ["minor_road", "other"], minZoom: 12, widths: [0.4, 1.6, 18] },
  major: { kinds: ["major_road"], minZoom: STREETS_MIN_ZOOM, widths: [0.7, 3.2, 26] },
  highway: { kinds: ["highway"], minZoom: STREETS_MIN_ZOOM, widths: [1.2, 4.5, 32] },
};

export function streetAreas(colors: MapColors): LayerSpecification[] {
  const base = { source: STREETS_SOURCE, minzoom: STREETS_MIN_ZOOM } as const;
  const area = (id: string, layer: string, filter: ExpressionSpecification, color: string) =>
    ({ ...base, id, type: "fill", "source-layer": layer, filter, paint: { "fill-color": color } }) as const;
  const line = (id: string, layer: string, filter: ExpressionSpecification, color: string, widths: Widths) =>
    ({
      ...base,
      id,
      type: "line",
      "source-layer": layer,
      filter,
      paint: { "line-color": color, "line-width": byZoom(widths) },
    }) as const;
  const building = area("streets-building", "buildings", isKind("building", "building_part"), colors.building);
  const path = line("streets-path", "roads", isKind("path"), colors.road, [0.5, 0.8, 2.5]);
  return [
    // Opaque: together with the water it covers the metric grid.
    area("streets-earth", "earth", isShape("Polygon"), colors.land),
    area("streets-green", "landuse", isKind(...GREEN), colors.green),
    area("streets-water", "water", isShape("Polygon"), colors.water),
    line("streets-river", "water", isShape("LineString"), colors.water, [0.5, 1.2, 6]),
    {
      ...building,
      minzoom: 14,
      paint: { ...building.paint, "fill-opacity": ["interpolate", ["linear"], ["zoom"], 14, 0, 15.5, 1] },
    },
    { ...path, minzoom: 15, paint: { ...path.paint, "line-dasharray": [3, 2] } },
    { ...line("streets-rail", "roads", isKind("rail"), colors.fineBorder, [0.5, 0.8, 2]), minzoom: 12 },
    ...Object.entries(ROADS).map(([name, roads]) => roadLayer(`streets-${name}-case`, roads, colors.roadCasing, true)),
    ...Object.entries(ROADS).map(([name, roads]) =>
      roadLayer(`streets-${name}`, roads, name === "minor" ? colors.road : colors.mainRoad, false),
    ),
    {
      ...base,
      id: "streets-station",
      type: "circle",
      "source-layer": "pois",
      minzoom: 13,
      filter: STATION,
      paint: {
        "circle-radius": ["interpolate", ["linear"], ["zoom"], 13, 2, 17, 4.5],
        "circle-color": colors.land,
        "circle-stroke-color": colors.text,
        "circle-stroke-width": 1.5,
      },
    },
  ];
}

const NAMED_GREEN = ["park", "national_park", "nature_reserve", "garden", "beach"];
const STATION = isKind("station", "ferry_terminal");
/** Railroad names do not help with orientation. */
const NAMED_ROAD: ExpressionSpecification = ["all", ["has", "name"], ["!=", ["get", "kind"], "rail"]];

export function streetLabels(colors: MapColors, name: ExpressionSpecification): LayerSpecification[] {
  const label = labelsOf(STREETS_SOURCE, colors, name);
  return [
    label("streets-road-name", "roads", {
      minzoom: 13,
      filter: ["step", ["zoom"], isKind("highway", "major_road"), 15, NAMED_ROAD],
      layout: {
        "symbol-placement": "line",
        "text-size": ["interpolate", ["linear"], ["zoom"], 13, 10.5, 18, 14],
        "symbol-spacing": 380,
      },
      paint: { "text-color": colors.quietText },
    }),
    label("streets-water-name", "water", {
      minzoom: 11,
      filter: ["all", ["has", "name"], isShape("Point")],
      layout: { "text-size": 12, "text-max-width": 7 },
      paint: { "text-color": colors.waterText, "text-halo-color": colors.water },
    }),
    label("streets-park-name", "pois", {
      minzoom: 13,
      filter: isKind(...NAMED_GREEN),
      layout: { "text-size": 11.5, "text-max-width": 7, "text-padding": 12 },
      paint: { "text-color": colors.greenText },
    }),
    label("streets-station-name", "pois", {
      minzoom: 13,
      filter: STATION,
      layout: {
        "text-size": 12,
        "text-max-width": 8,
        "text-variable-anchor": ["top", "bottom", "left", "right"],
        "text-radial-offset": 0.6,
      },
    }),
    label("streets-quarter-name", "places", {
      minzoom: 12,
      maxzoom: 17,
      filter: isKind("macrohood", "neighbourhood"),
      layout: {
        "text-font": BOLD_FONT,
        "text-size": ["interpolate", ["linear"], ["zoom"], 12, 11, 16, 14],
        "text-max-width": 8,
        "text-padding": 14,
      },
    }),
  ];
}

function roadLayer(id: string, roads: RoadClass, color: string, isCasing: boolean): LayerSpecification {
  return {
    id,
    type: "line",
    source: STREETS_SOURCE,
    "source-layer": "roads",
    minzoom: isCasing ? Math.max(13, roads.minZoom) : roads.minZoom,
    filter: isKind(...roads.kinds),
    layout: { "line-cap": "round", "line-join": "round" },
    paint: { "line-color": color, "line-width": byZoom(roads.widths, isCasing ? CASING_PX : 0) },
  };
}

function byZoom([at10, at14, at18]: Widths, extra = 0): ExpressionSpecification {
  return ["interpolate", ["exponential", 1.5], ["zoom"], 10, at10 + extra, 14, at14 + extra, 18, at18 + extra];
}
