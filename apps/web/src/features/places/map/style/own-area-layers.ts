import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import type { MapColors } from "./colors.ts";
import { BOLD_FONT } from "./fonts.ts";
import { isShape } from "./layers.ts";
import { OWN_AREA_SOURCE } from "./sources.ts";

/** Layers around the member's own marker: the cell in which others see them, and distance rings. */

/** Symbol filters are only evaluated at whole zoom levels. */
const RING_IS_WIDE: ExpressionSpecification = [
  "step",
  ["zoom"],
  false,
  ...Array.from({ length: 21 }, (_, i) => [i + 2, ["<=", ["get", "wide"], i + 2]]).flat(),
] as ExpressionSpecification;

const RING_IN_RANGE: ExpressionSpecification = [
  "step",
  ["zoom"],
  false,
  ...Array.from({ length: 21 }, (_, i) => [
    i + 2,
    ["all", ["<=", ["get", "from"], i + 1.6], [">=", ["get", "to"], i + 2.4]],
  ]).flat(),
] as ExpressionSpecification;

/** The cell in which others see the member. Hidden when zoomed out, where it would be a dot. */
export function cellLayers(colors: MapColors): LayerSpecification[] {
  const base = { source: OWN_AREA_SOURCE, minzoom: 9 } as const;
  return [
    {
      ...base,
      id: "cell",
      type: "fill",
      filter: ["==", ["get", "shown"], true],
      paint: { "fill-color": colors.ring, "fill-opacity": 0.1 },
    },
    {
      ...base,
      id: "cell-edge",
      type: "line",
      filter: isShape("Polygon"),
      paint: { "line-color": colors.ring, "line-width": 1.4, "line-opacity": 0.6, "line-dasharray": [3, 3] },
    },
  ];
}

/** Fades a ring in and out at both ends of its zoom range. */
function ringOpacity(full: number): ExpressionSpecification {
  const stops: unknown[] = [];
  for (let zoom = 2; zoom <= 22; zoom += 0.5) {
    const inside = ["min", ["-", zoom, ["get", "from"]], ["-", ["get", "to"], zoom]];
    stops.push(zoom, ["*", full, ["max", 0, ["min", 1, inside]]]);
  }
  return ["interpolate", ["linear"], ["zoom"], ...stops] as ExpressionSpecification;
}

export function ringLayer(colors: MapColors): LayerSpecification {
  return {
    id: "ring",
    type: "line",
    source: OWN_AREA_SOURCE,
    filter: isShape("LineString"),
    paint: { "line-color": colors.ring, "line-width": 1.2, "line-opacity": ringOpacity(0.34) },
  };
}

export function ringLabels(colors: MapColors): LayerSpecification[] {
  const base = { type: "symbol", source: OWN_AREA_SOURCE } as const;
  const label: ExpressionSpecification = ["get", "label"];
  const layout = { "text-field": label, "text-font": BOLD_FONT, "text-size": 12 };
  const paint = {
    "text-color": colors.ring,
    "text-halo-color": colors.land,
    "text-halo-width": 3,
    "text-opacity": ringOpacity(0.95),
  };
  return [
    {
      ...base,
      id: "ring-name-wide",
      filter: ["all", isShape("LineString"), RING_IN_RANGE, RING_IS_WIDE],
      layout: { ...layout, "symbol-placement": "line", "symbol-spacing": 420, "text-max-angle": 20 },
      paint,
    },
    {
      ...base,
      id: "ring-name",
      // A label that has faded out must not displace others.
      filter: ["all", isShape("Point"), RING_IN_RANGE],
      layout: { ...layout, "text-padding": 4 },
      paint,
    },
  ];
}
