import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import type { MapColors } from "./colors.ts";
import { METRIC_GRID } from "./metric-grid.ts";
import { WORLD_SOURCE } from "./sources.ts";

/** Layers of the world archive's coasts and borders, and of the metric grid. */

export function metricGridLayers(colors: MapColors): LayerSpecification[] {
  const layer = (kind: string, minzoom: number, opacity: ExpressionSpecification): LayerSpecification => ({
    id: `ground-${kind}`,
    type: "line",
    source: METRIC_GRID,
    "source-layer": METRIC_GRID,
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

export function borderLayers(colors: MapColors): LayerSpecification[] {
  const base = { type: "line", source: WORLD_SOURCE, "source-layer": "boundaries" } as const;
  const isKind = (kind: string): ExpressionSpecification => ["==", ["get", "kind"], kind];
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
      filter: isKind("county"),
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
      filter: isKind("state"),
      paint: {
        "line-color": colors.fineBorder,
        "line-width": ["interpolate", ["linear"], ["zoom"], 3, 0.5, 8, 1.2],
        "line-opacity": ["interpolate", ["linear"], ["zoom"], 3, 0.3, 5, 1],
      },
    },
    {
      ...base,
      id: "country-border",
      filter: isKind("country"),
      paint: {
        "line-color": colors.border,
        "line-width": ["interpolate", ["linear"], ["zoom"], 1, 0.4, 5, 0.9, 10, 1.6],
      },
    },
  ];
}
