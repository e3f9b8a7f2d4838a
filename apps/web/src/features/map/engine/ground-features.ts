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

/** The cell in which others see the member. */
export function cellFeature(cell: CellBounds | null): FeatureCollection<Polygon> {
  if (cell === null) return { type: "FeatureCollection", features: [] };
  const { latMin, latMax, lonMin } = cell;
  // Across the date line the map wants it written on.
  const lonMax = cell.lonMax < lonMin ? cell.lonMax + 360 : cell.lonMax;
  const ring = [
    [lonMin, latMin],
    [lonMax, latMin],
    [lonMax, latMax],
    [lonMin, latMax],
    [lonMin, latMin],
  ];
  const feature: Feature<Polygon> = {
    type: "Feature",
    properties: {},
    geometry: { type: "Polygon", coordinates: [ring] },
  };
  return { type: "FeatureCollection", features: [feature] };
}
