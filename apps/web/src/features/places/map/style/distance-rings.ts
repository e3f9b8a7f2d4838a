import { EARTH_RADIUS_METERS } from "@lambda/geo/distance";
import type { Feature, LineString, Point } from "geojson";
import { METERS_PER_FOOT, METERS_PER_MILE, type Units } from "../../../../format/distance.ts";

/**
 * Circles around the member's own marker, labeled with their radius. They are drawn from the position on this device;
 * nobody else's position is used here.
 */

export interface RingProperties {
  readonly label: string;
  /** The lowest and highest zoom at which the ring is neither a dot nor larger than a screen. */
  readonly from: number;
  readonly to: number;
  /** From this zoom on, the ring is larger than a window and its label follows the line. */
  readonly wide: number;
}

/** Round numbers in the member's units. */
const RADII: Record<Units, readonly { readonly value: number; readonly unit: string; readonly meters: number }[]> = {
  kilometres: [50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000].map((meters) =>
    meters < 1000 ? { value: meters, unit: "meter", meters } : { value: meters / 1000, unit: "kilometer", meters },
  ),
  miles: [
    ...[150, 300, 750, 1500].map((value) => ({ value, unit: "foot", meters: value * METERS_PER_FOOT })),
    ...[0.5, 1.5, 3, 6, 15, 30, 60].map((value) => ({ value, unit: "mile", meters: value * METERS_PER_MILE })),
  ],
};
const CORNERS = 128;
/** Radii at which a ring appears, disappears, and gets its label along the line. */
const APPEARS_PX = 70;
const DISAPPEARS_PX = 2400;
const WIDE_PX = 420;

/** Circles as lines, each with a point at its top for the label. */
export function ringsAround(
  lat: number,
  lon: number,
  locale: string,
  units: Units,
): Feature<LineString | Point, RingProperties>[] {
  return RADII[units].flatMap(({ value, unit, meters }) => {
    const properties = {
      label: new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(value),
      from: zoomAt(lat, meters, APPEARS_PX),
      to: zoomAt(lat, meters, DISAPPEARS_PX),
      wide: zoomAt(lat, meters, WIDE_PX),
    };
    const circle = Array.from({ length: CORNERS + 1 }, (_, i) => destination(lat, lon, meters, (i / CORNERS) * 360));
    return [
      { type: "Feature" as const, properties, geometry: { type: "LineString" as const, coordinates: circle } },
      { type: "Feature" as const, properties, geometry: { type: "Point" as const, coordinates: circle[0]! } },
    ];
  });
}

/** The zoom at which a number of meters spans a number of pixels, with tiles of 512 pixels. */
function zoomAt(lat: number, meters: number, pixels: number): number {
  const metersPerPixel = (2 * Math.PI * EARTH_RADIUS_METERS * Math.cos((lat * Math.PI) / 180)) / 512;
  return Math.log2((pixels * metersPerPixel) / meters);
}

/** The point at a distance and bearing (degrees from north) on the sphere. Longitudes continue across the date line. */
function destination(lat: number, lon: number, meters: number, bearing: number): [number, number] {
  const [angle, azimuth, phi] = [meters / EARTH_RADIUS_METERS, (bearing * Math.PI) / 180, (lat * Math.PI) / 180];
  const sine = Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(azimuth);
  const east = Math.atan2(Math.sin(azimuth) * Math.sin(angle) * Math.cos(phi), Math.cos(angle) - Math.sin(phi) * sine);
  return [lon + (east * 180) / Math.PI, (Math.asin(sine) * 180) / Math.PI];
}
