/** Distances on a sphere; the whole product measures with these functions. */
export const EARTH_RADIUS_METERS = 6_371_000;
/** Meters in a degree of latitude. */
export const METERS_PER_DEGREE = 111_194.926_644_558_73;

export interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** Degrees. lonMin is above lonMax where the bounds cross the date line. */
export interface Bounds {
  readonly latMin: number;
  readonly latMax: number;
  readonly lonMin: number;
  readonly lonMax: number;
}

/** Great-circle distance in meters (haversine, which is accurate from millimeters to half the globe). */
export function distanceMeters(a: Point, b: Point): number {
  const radians = Math.PI / 180;
  const halfLat = Math.sin(((b.lat - a.lat) * radians) / 2);
  const halfLon = Math.sin(((b.lon - a.lon) * radians) / 2);
  const square = halfLat * halfLat + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * halfLon * halfLon;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(square)));
}
