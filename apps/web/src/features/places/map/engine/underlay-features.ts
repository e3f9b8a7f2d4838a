import type { Bounds } from "@lambda/geo/distance";
import type { Feature, FeatureCollection, Point, Polygon } from "geojson";
import type { CollisionBox } from "../data/map-types.ts";

/** The boxes of markers, which place labels avoid. */
export function collisionFeatures(boxes: readonly CollisionBox[]): FeatureCollection<Point> {
  return {
    type: "FeatureCollection",
    features: boxes.map(({ lat, lon, size, anchor }) => ({
      type: "Feature",
      properties: { size, anchor },
      geometry: { type: "Point", coordinates: [lon, lat] },
    })),
  };
}

/** The cell in which others see the member, and cells of other precisions for comparison. */
export function cellFeatures(shown: Bounds | null, others: readonly Bounds[]): FeatureCollection<Polygon> {
  const features = others.map((cell) => cellFeature(cell, false));
  return { type: "FeatureCollection", features: shown ? [...features, cellFeature(shown, true)] : features };
}

function cellFeature({ latMin, latMax, lonMin, lonMax: end }: Bounds, shown: boolean): Feature<Polygon> {
  // Across the date line, MapLibre expects longitudes beyond 180.
  const lonMax = end < lonMin ? end + 360 : end;
  const ring = [
    [lonMin, latMin],
    [lonMax, latMin],
    [lonMax, latMax],
    [lonMin, latMax],
    [lonMin, latMin],
  ];
  return { type: "Feature", properties: { shown }, geometry: { type: "Polygon", coordinates: [ring] } };
}
