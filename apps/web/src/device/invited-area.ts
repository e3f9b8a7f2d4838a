import type { Point } from "@lambda/geo/distance";
import { deviceKey } from "./device-storage.ts";

/** The sector named in an invitation, where the welcome map starts. It does not reveal who sent the invitation. */
export const INVITED_AREA = deviceKey<string | null>("invited_area", null, (value) =>
  /^-?\d{1,2}:-?\d{1,3}$/.test(String(value)),
);

/** Parses the sector from an invitation's hash on the home page, for example `#area=33:-113`, perhaps with a sentence's end behind it. */
export function parseAreaHash(hash: string): string | null {
  const [, lat, lon] = /^#area=(-?\d{1,2})(?::|%3A)(-?\d{1,3})[.,!?)>]*$/i.exec(hash) ?? [];
  return lat === undefined ? null : `${lat}:${lon}`;
}

export function areaCenter(area: string): Point {
  const [lat = 0, lon = 0] = area.split(":").map(Number);
  return { lat: lat + 0.5, lon: lon + 0.5 };
}

/** The URL that invites somebody to the sector of a published point: whole degrees (about 110 km) and no name. */
export function invitationUrl({ lat, lon }: Point, origin: string): string {
  return `${origin}/#area=${Math.floor(lat)}:${Math.floor(lon)}`;
}
