import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import type { MapColors } from "./colors.ts";
import { BOLD_FONT, TEXT_FONT } from "./fonts.ts";
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

type RoadClass = { readonly kinds: string[]; readonly minZoom: number; readonly widths: [number, number, number] };
/** Widths in pixels at zooms 10, 14 and 18. Minor roads come first, so that major roads are drawn over them. */
const ROADS: Record<"minor" | "major" | "highway", RoadClass> = {
  minor: { kinds: ["minor_road", "other"], minZoom: 12, widths: [0.4, 1.6, 18] },
  major: { kinds: ["major_road"], minZoom: STREETS_MIN_ZOOM, widths: [0.7, 3.2, 26] },
  highway: { kinds: ["highway"], minZoom: STREETS_MIN_ZOOM, widths: [1.2, 4.5, 32] },
};

export function streetAreas(colors: MapColors): LayerSpecification[] {
  const base = { source: STREETS_SOURCE, minzoom: STREETS_MIN_ZOOM } as const;
  const polygon: ExpressionSpecification = ["==", ["geometry-type"], "Polygon"];
  return [
    // Opaque: together with the water it covers the metric grid.
    {
      ...base,
      id: "streets-earth",
      type: "fill",
      "source-layer": "earth",
      filter: polygon,
      paint: { "fill-color": colors.land },
    },
    {
      ...base,
      id: "streets-green",
      type: "fill",
      "source-layer": "landuse",
      filter: ["in", ["get", "kind"], ["literal", GREEN]],
      paint: { "fill-color": colors.green },
    },
    {
      ...base,
      id: "streets-water",
      type: "fill",
      "source-layer": "water",
      filter: polygon,
      paint: { "fill-color": colors.water },
    },
    {
      ...base,
      id: "streets-river",
      type: "line",
      "source-layer": "water",
      filter: ["==", ["geometry-type"], "LineString"],
      paint: { "line-color": colors.water, "line-width": byZoom([0.5, 1.2, 6]) },
    },
    {
      ...base,
      id: "streets-building",
      type: "fill",
      "source-layer": "buildings",
      minzoom: 14,
      filter: ["in", ["get", "kind"], ["literal", ["building", "building_part"]]],
      paint: {
        "fill-color": colors.building,
        "fill-opacity": ["interpolate", ["linear"], ["zoom"], 14, 0, 15.5, 1],
      },
    },
    {
      ...base,
      id: "streets-path",
      type: "line",
      "source-layer": "roads",
      minzoom: 15,
      filter: ["==", ["get", "kind"], "path"],
      paint: { "line-color": colors.road, "line-width": byZoom([0.5, 0.8, 2.5]), "line-dasharray": [3, 2] },
    },
    {
      ...base,
      id: "streets-rail",
      type: "line",
      "source-layer": "roads",
      minzoom: 12,
      filter: ["==", ["get", "kind"], "rail"],
      paint: { "line-color": colors.fineBorder, "line-width": byZoom([0.5, 0.8, 2]) },
    },
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
const STATION: ExpressionSpecification = ["in", ["get", "kind"], ["literal", ["station", "ferry_terminal"]]];
/** Railroad names do not help with orientation. */
const NAMED_ROAD: ExpressionSpecification = ["all", ["has", "name"], ["!=", ["get", "kind"], "rail"]];

export function streetLabels(colors: MapColors, name: ExpressionSpecification): LayerSpecification[] {
  const base = { source: STREETS_SOURCE, type: "symbol" } as const;
  const paint = { "text-color": colors.text, "text-halo-color": colors.halo, "text-halo-width": 1.4 };
  return [
    {
      ...base,
      id: "streets-road-name",
      "source-layer": "roads",
      minzoom: 13,
      filter: ["step", ["zoom"], ["in", ["get", "kind"], ["literal", ["highway", "major_road"]]], 15, NAMED_ROAD],
      layout: {
        "symbol-placement": "line",
        "text-field": name,
        "text-font": TEXT_FONT,
        "text-size": ["interpolate", ["linear"], ["zoom"], 13, 10.5, 18, 14],
        "symbol-spacing": 380,
      },
      paint: { ...paint, "text-color": colors.quietText },
    },
    {
      ...base,
      id: "streets-water-name",
      "source-layer": "water",
      minzoom: 11,
      filter: ["all", ["has", "name"], ["==", ["geometry-type"], "Point"]],
      layout: { "text-field": name, "text-font": TEXT_FONT, "text-size": 12, "text-max-width": 7 },
      paint: { ...paint, "text-color": colors.waterText, "text-halo-color": colors.water },
    },
    {
      ...base,
      id: "streets-park-name",
      "source-layer": "pois",
      minzoom: 13,
      filter: ["in", ["get", "kind"], ["literal", NAMED_GREEN]],
      layout: {
        "text-field": name,
        "text-font": TEXT_FONT,
        "text-size": 11.5,
        "text-max-width": 7,
        "text-padding": 12,
      },
      paint: { ...paint, "text-color": colors.greenText },
    },
    {
      ...base,
      id: "streets-station-name",
      "source-layer": "pois",
      minzoom: 13,
      filter: STATION,
      layout: {
        "text-field": name,
        "text-font": TEXT_FONT,
        "text-size": 12,
        "text-max-width": 8,
        "text-variable-anchor": ["top", "bottom", "left", "right"],
        "text-radial-offset": 0.6,
      },
      paint,
    },
    {
      ...base,
      id: "streets-quarter-name",
      "source-layer": "places",
      minzoom: 12,
      maxzoom: 17,
      filter: ["in", ["get", "kind"], ["literal", ["macrohood", "neighbourhood"]]],
      layout: {
        "text-field": name,
        "text-font": BOLD_FONT,
        "text-size": ["interpolate", ["linear"], ["zoom"], 12, 11, 16, 14],
        "text-max-width": 8,
        "text-padding": 14,
      },
      paint,
    },
  ];
}

function roadLayer(id: string, roads: RoadClass, color: string, isCasing: boolean): LayerSpecification {
  return {
    id,
    type: "line",
    source: STREETS_SOURCE,
    "source-layer": "roads",
    minzoom: isCasing ? Math.max(13, roads.minZoom) : roads.minZoom,
    filter: ["in", ["get", "kind"], ["literal", roads.kinds]],
    layout: { "line-cap": "round", "line-join": "round" },
    paint: { "line-color": color, "line-width": byZoom(roads.widths, isCasing ? CASING_PX : 0) },
  };
}

function byZoom([at10, at14, at18]: [number, number, number], extra = 0): ExpressionSpecification {
  return ["interpolate", ["exponential", 1.5], ["zoom"], 10, at10 + extra, 14, at14 + extra, 18, at18 + extra];
}
