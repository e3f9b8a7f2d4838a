import type { CellBounds } from "@lambda/geo/grid";
import type { Feature, FeatureCollection, Point, Polygon } from "geojson";
import type { TakenPlace } from "../data/map-types.ts";

/** What the map draws below the markers, as GeoJSON. */

/** Room for markers, which names avoid. */
export function takenFeatures(places: readonly TakenPlace[]): FeatureCollection<Point> {
  return {
    type: "FeatureCollection",
    features: places.map(({ lat, lon, size, anchor }) => ({
      type: "Feature",
      properties: { size, anchor },
      geometry: { type: "Point", coordinates: [lon, lat] },
    })),
  };
}

/** The cell in which others see the member, and cells of other precisions beside it. */
export function cellFeatures(shown: CellBounds | null, others: readonly CellBounds[]): FeatureCollection<Polygon> {
  const features = others.map((cell) => cellFeature(cell, false));
  return { type: "FeatureCollection", features: shown ? [...features, cellFeature(shown, true)] : features };
}

function cellFeature({ latMin, latMax, lonMin, lonMax: end }: CellBounds, shown: boolean): Feature<Polygon> {
  // Across the date line the map wants it written on.
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
