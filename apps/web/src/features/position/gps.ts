import { GPS_MAX_AGE_MS, GPS_TIMEOUT_MS } from "@lambda/contract/limits";
import type { Point } from "@lambda/geo/distance";
import { DeadlinePassed, POSITION_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";
import type { GpsErrorKind } from "./machine-types.ts";

const OPTIONS: PositionOptions = {
  enableHighAccuracy: true,
  maximumAge: GPS_MAX_AGE_MS,
  timeout: GPS_TIMEOUT_MS,
};

/** Error kinds by GeolocationPositionError code. */
const KINDS: Readonly<Record<number, GpsErrorKind>> = { 1: "denied", 2: "unavailable", 3: "timeout" };

/**
 * Gets the device's position once. Rejects with a GpsErrorKind, "timeout" also while a prompt is unanswered, which the browser's own timeout
 * does not count. Rejects with the signal's reason when the screen that asked is closed.
 */
export async function requestGpsPosition(signal?: AbortSignal): Promise<Point> {
  const { geolocation } = navigator;
  if (!geolocation) throw "other" satisfies GpsErrorKind;
  const ask = () =>
    new Promise<Point>((resolve, reject: (kind: GpsErrorKind) => void) =>
      geolocation.getCurrentPosition(
        ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
        ({ code }) => reject(KINDS[code] ?? "other"),
        OPTIONS,
      ),
    );
  return withDeadline(POSITION_WAIT_MS, ask, { signal }).catch((reason: unknown) => {
    throw reason instanceof DeadlinePassed ? ("timeout" satisfies GpsErrorKind) : reason;
  });
}

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
    ({ coords, timestamp }) => onFix({ lat: coords.latitude, lon: coords.longitude }, timestamp, coords.accuracy),
    ({ code }) => onError(KINDS[code] ?? "other"),
    OPTIONS,
  );
  return () => geolocation.clearWatch(watch);
}
