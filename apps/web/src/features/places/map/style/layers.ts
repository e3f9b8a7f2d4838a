import type { ExpressionSpecification, LayerSpecification, SymbolLayerSpecification } from "maplibre-gl";
import type { MapColors } from "./colors.ts";
import { TEXT_FONT } from "./fonts.ts";

export const isKind = (...kinds: readonly string[]): ExpressionSpecification =>
  kinds.length === 1 ? ["==", ["get", "kind"], kinds[0]!] : ["in", ["get", "kind"], ["literal", [...kinds]]];

export const isShape = (shape: "Point" | "LineString" | "Polygon"): ExpressionSpecification => [
  "==",
  ["geometry-type"],
  shape,
];

type Label = Pick<SymbolLayerSpecification, "minzoom" | "maxzoom" | "filter" | "layout" | "paint">;

/** Makes layers of labels that say `name`, which differ from the map's usual text in what each states. */
export const labelsOf =
  (source: string, colors: MapColors, name: ExpressionSpecification) =>
  (id: string, layer: string, { layout, paint, ...range }: Label): LayerSpecification => ({
    ...range,
    id,
    type: "symbol",
    source,
    "source-layer": layer,
    layout: { "text-field": name, "text-font": TEXT_FONT, ...layout },
    paint: { "text-color": colors.text, "text-halo-color": colors.halo, "text-halo-width": 1.4, ...paint },
  });
