/** A point in Web Mercator, 0 to 1 on both axes. */
export interface MercatorPoint {
  readonly x: number;
  readonly y: number;
}

/** Clamps short of the poles, which project to infinity. */
const SINE_MAX = 0.99999;

export const toMercator = (lat: number, lon: number): MercatorPoint => ({ x: (lon + 180) / 360, y: mercatorY(lat) });

export function mercatorY(lat: number): number {
  const sine = Math.min(SINE_MAX, Math.max(-SINE_MAX, Math.sin((lat * Math.PI) / 180)));
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export function latitudeFromMercator(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
}
