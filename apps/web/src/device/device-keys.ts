import type { Point } from "@lambda/geo/distance";
import { deviceKey, readDeviceValue, writeDeviceValue } from "./device-storage.ts";

export interface MapViewState extends Point {
  readonly zoom: number;
}

/** Where the member's position comes from: a random point, a dragged marker, or GPS. */
export type GeoSource = "random" | "override" | "device";

/** The member's choice on this device and the point they dragged the marker to. The server only ever gets its cell. */
export interface Geo {
  readonly use: GeoSource;
  readonly override: Point | null;
}

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";

function isPoint(value: unknown): value is Point {
  const { lat, lon } = (value ?? {}) as Partial<Point>;
  return Number.isFinite(lat) && Number.isFinite(lon);
}

export const SHOW_NSFW = deviceKey("show_nsfw", false, isBoolean);

export const LAST_LOCATION = deviceKey<Point | null>("lastLocation", null, isPoint);

export const MAP_VIEW_STATE = deviceKey<MapViewState | null>(
  "mapViewState",
  null,
  (value) => isPoint(value) && Number.isFinite((value as Partial<MapViewState>).zoom),
);

export const GEO = deviceKey<Geo>("geo", { use: "random", override: null }, (value) => {
  const { use, override } = (value ?? {}) as Partial<Geo>;
  return ["random", "override", "device"].includes(use ?? "") && (override === null || isPoint(override));
});

/** The member pressed Hide, and no answer has confirmed it yet. */
export const HIDE_WISH = deviceKey("hide_wish", false, isBoolean);

/** How often the map was opened on this device, up to three. */
export const MAP_VISITS = deviceKey("map_visits", 0, (value) => Number.isInteger(value) && (value as number) >= 0);

/** Whether this device has asked before hiding from the map, where one tap does it from then on. */
export const HIDE_EXPLAINED = deviceKey("hide_explained", false, isBoolean);

const DEVICE_NUMBER = deviceKey(
  "session",
  -1,
  (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 999,
);

/** A random number from 0 to 999 that distinguishes this device's position reports from the member's other devices. */
export function deviceNumber(): number {
  const known = readDeviceValue(DEVICE_NUMBER);
  if (known !== DEVICE_NUMBER.fallback) return known;
  const created = Math.floor(Math.random() * 1000);
  writeDeviceValue(DEVICE_NUMBER, created);
  return created;
}

/** A plan with a friend that was made on this device: how to reach it and when it is due. Its text and PINs are never stored. */
export interface OwnPlan {
  readonly account: number;
  readonly id: string;
  readonly secret: string;
  readonly owner: string;
  readonly origin: string;
  /** Whether its host name reveals no brand. */
  readonly isNeutral: boolean;
  readonly locale: "en" | "es";
  readonly sendsPosition: boolean;
  /** The last state from the server: when an answer is due, when the friend's page opens, and how far both can be postponed. */
  readonly status: {
    readonly deadline: number;
    readonly alarmAt: number;
    readonly latest: number;
    readonly phones?: number;
  };
}

export const OWN_PLAN = deviceKey<OwnPlan | null>(
  "plan",
  null,
  (value) => !!(value as Partial<OwnPlan> | undefined)?.status,
);
