import type { Point } from "@lambda/geo/distance";
import type { DeviceKey } from "./device-storage.ts";

/** The square degree that an invitation named: where the welcome's map begins. It says nothing of who sent it. */
export const INVITED_AREA: DeviceKey<string | null> = {
  name: "invited_area",
  fallback: null,
  accepts: (value): value is string | null => value === null || /^-?\d{1,2}:-?\d{1,3}$/.test(String(value)),
};

/** `#area=33:-113` of an invitation, from the address of the home. */
export function areaOfHash(hash: string): string | null {
  const [, area = null] = /^#area=(-?\d{1,2}:-?\d{1,3})$/.exec(hash) ?? [];
  return area;
}

/** The middle of the named square. */
export function middleOfArea(area: string): Point {
  const [lat = 0, lon = 0] = area.split(":").map(Number);
  return { lat: lat + 0.5, lon: lon + 0.5 };
}

/** The address that invites to the area of a published point: whole degrees, about 110 km, and no name. */
export function invitationTo({ lat, lon }: Point, origin: string): string {
  return `${origin}/#area=${Math.floor(lat)}:${Math.floor(lon)}`;
}
