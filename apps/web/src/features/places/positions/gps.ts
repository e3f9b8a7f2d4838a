import { GPS_FIX_STALE_MS, GPS_MAX_AGE_MS, GPS_TIMEOUT_MS } from "@lambda/contract/limits";
import type { Point } from "@lambda/geo/distance";
import { DeadlinePassed, POSITION_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";
import type { GpsErrorKind } from "./machine-types.ts";

const OPTIONS: PositionOptions = {
  enableHighAccuracy: true,
  maximumAge: GPS_MAX_AGE_MS,
  timeout: GPS_TIMEOUT_MS,
};

/** Error kinds by GeolocationPositionError code. */
const KINDS: Readonly<Record<number, GpsErrorKind>> = { 1: "denied", 2: "unavailable", 3: "timeout" };

/** How wrong a position may be whose device does not say so: no place is remembered for it. */
const UNKNOWN_ACCURACY_METERS = 1000;

/** Undefined for what is no place on earth, as broken devices report. */
const pointOf = ({ latitude: lat, longitude: lon }: GeolocationCoordinates): Point | undefined =>
  Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;

const accuracyOf = ({ accuracy }: GeolocationCoordinates): number =>
  Number.isFinite(accuracy) && accuracy >= 0 ? accuracy : UNKNOWN_ACCURACY_METERS;

/** Some devices count seconds, or from 2001, and others' clocks differ from the satellites': such a fix is as old as its arrival. */
function timeOf(timestamp: number): number {
  const now = Date.now();
  return timestamp <= now && now - timestamp < GPS_FIX_STALE_MS ? timestamp : now;
}

export interface GpsFix {
  readonly point: Point;
  readonly at: number;
  readonly accuracyMeters: number;
}

/**
 * Gets the device's position once. Rejects with a GpsErrorKind, "timeout" also while a prompt is unanswered, which the browser's own timeout
 * does not count. Rejects with the signal's reason when the screen that asked is closed.
 */
export async function requestGpsFix(signal?: AbortSignal): Promise<GpsFix> {
  const { geolocation } = navigator;
  if (!geolocation) throw "other" satisfies GpsErrorKind;
  const ask = () =>
    new Promise<GpsFix>((resolve, reject: (kind: GpsErrorKind) => void) =>
      geolocation.getCurrentPosition(
        ({ coords, timestamp }) => {
          const point = pointOf(coords);
          if (point) resolve({ point, at: timeOf(timestamp), accuracyMeters: accuracyOf(coords) });
          else reject("unavailable");
        },
        ({ code }) => reject(KINDS[code] ?? "other"),
        OPTIONS,
      ),
    );
  return withDeadline(POSITION_WAIT_MS, ask, { signal }).catch((reason: unknown) => {
    throw reason instanceof DeadlinePassed ? ("timeout" satisfies GpsErrorKind) : reason;
  });
}

export const requestGpsPosition = async (signal?: AbortSignal): Promise<Point> => (await requestGpsFix(signal)).point;

export function watchGps(
  onFix: (point: Point, at: number, accuracyMeters: number) => void,
  onError: (kind: GpsErrorKind) => void,
): () => void {
  const { geolocation } = navigator;
  if (!geolocation) {
    const timer = setTimeout(() => onError("other"));
    return () => clearTimeout(timer);
  }
  const watch = geolocation.watchPosition(
    ({ coords, timestamp }) => {
      const point = pointOf(coords);
      if (point) onFix(point, timeOf(timestamp), accuracyOf(coords));
      else onError("unavailable");
    },
    ({ code }) => onError(KINDS[code] ?? "other"),
    OPTIONS,
  );
  return () => geolocation.clearWatch(watch);
}
