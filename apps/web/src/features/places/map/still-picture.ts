import type { MapViewState } from "../../../device/device-keys.ts";
import { deviceKey } from "../../../device/device-storage.ts";

/** The map as the member left it, without anybody on it: shown until the map can be drawn, which takes a phone seconds. */
export interface StillPicture extends MapViewState {
  /** A JPEG as a data URL, a pixel for each CSS pixel. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
  /** Theme and language, in which it was drawn. */
  readonly look: string;
  /** Whose data it shows, which the license requires to be said. */
  readonly credits: string;
}

/** A larger picture than of the largest window would not fit into local storage. */
const URL_MAX_CHARS = 600_000;

export const MAP_STILL = deviceKey<StillPicture | null>("map_still", null, (value) => {
  const { url, width, height, lat, lon, zoom, look, credits } = (value ?? {}) as Partial<StillPicture>;
  return (
    typeof url === "string" &&
    url.startsWith("data:image/jpeg;base64,") &&
    url.length <= URL_MAX_CHARS &&
    typeof look === "string" &&
    typeof credits === "string" &&
    [width, height, lat, lon, zoom].every(Number.isFinite)
  );
});

/** About a meter; stored views are not rounded. */
const SAME_DEGREES = 1e-5;
const SAME_ZOOM = 1e-3;

export const showsView = (still: StillPicture, view: MapViewState, look: string): boolean =>
  still.look === look &&
  Math.abs(still.lat - view.lat) < SAME_DEGREES &&
  Math.abs(still.lon - view.lon) < SAME_DEGREES &&
  Math.abs(still.zoom - view.zoom) < SAME_ZOOM;
