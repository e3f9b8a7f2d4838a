import type { Point } from "@lambda/geo/distance";
import type { DeviceKey } from "./device-storage.ts";
import { readDevice, writeDevice } from "./device-storage.ts";

export interface MapViewState extends Point {
  readonly zoom: number;
}

/** How the member's position is found: scattered, dragged, or by GPS. */
export type GeoUse = "random" | "override" | "device";

/** The member's own choice on this device, with the point that was dragged to; the server only ever gets its cell. */
export interface Geo {
  readonly use: GeoUse;
  readonly override: Point | null;
}

const isFlag = (value: unknown): value is boolean => typeof value === "boolean";

function isPoint(value: unknown): value is Point {
  const { lat, lon } = (value ?? {}) as Partial<Point>;
  return Number.isFinite(lat) && Number.isFinite(lon);
}

export const SHOW_NSFW: DeviceKey<boolean> = { name: "show_nsfw", fallback: false, accepts: isFlag };

export const LAST_LOCATION: DeviceKey<Point | null> = {
  name: "lastLocation",
  fallback: null,
  accepts: (value): value is Point | null => value === null || isPoint(value),
};

export const MAP_VIEW_STATE: DeviceKey<MapViewState | null> = {
  name: "mapViewState",
  fallback: null,
  accepts: (value): value is MapViewState | null =>
    value === null || (isPoint(value) && Number.isFinite((value as Partial<MapViewState>).zoom)),
};

export const GEO: DeviceKey<Geo> = {
  name: "geo",
  fallback: { use: "random", override: null },
  accepts: (value): value is Geo => {
    const { use, override } = (value ?? {}) as Partial<Geo>;
    return ["random", "override", "device"].includes(use ?? "") && (override === null || isPoint(override));
  },
};

const SESSION_NUMBER: DeviceKey<number> = {
  name: "session",
  fallback: -1,
  accepts: (value): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 999,
};

/** A random number 0 to 999 that tells this device's position reports from those of the member's other devices. */
export function sessionNumber(): number {
  const known = readDevice(SESSION_NUMBER);
  if (known !== SESSION_NUMBER.fallback) return known;
  const made = Math.floor(Math.random() * 1000);
  writeDevice(SESSION_NUMBER, made);
  return made;
}

/** A plan with a friend that was made here: how to reach it, and when it is due. Neither what it says nor its PINs are kept. */
export interface OwnPlan {
  readonly account: number;
  readonly id: string;
  readonly secret: string;
  readonly owner: string;
  readonly origin: string;
  /** Its host names no brand. */
  readonly isNeutral: boolean;
  readonly locale: "en" | "es";
  readonly sendsPosition: boolean;
  /** As the server last told it: when an answer is due, when the friend's page opens, and the latest that both can be put off to. */
  readonly status: { readonly deadline: number; readonly alarmAt: number; readonly latest: number };
}

export const OWN_PLAN: DeviceKey<OwnPlan | null> = {
  name: "plan",
  fallback: null,
  accepts: (value): value is OwnPlan | null => value === null || !!(value as Partial<OwnPlan> | undefined)?.status,
};
