import { useEffect, useState } from "react";
import { MAP_VIEW_STATE } from "../../../device/device-keys.ts";
import { readDeviceValue, writeDeviceValue } from "../../../device/device-storage.ts";
import { hasSession } from "../../../device/session-cookie.ts";
import { currentLocale } from "../../../format/i18n.ts";
import { MAP_STILL, type StillPicture, showsView } from "./still-picture.ts";
import type { MapStart } from "./use-map-start.ts";

/** When a browser that is never idle, or does not say so, begins to draw. */
const IDLE_MAX_MS = 3000;
const INPUTS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

/** Theme and language, in which a picture of the map was drawn. */
const currentLook = (): string =>
  `${document.documentElement.dataset.theme === "light" ? "light" : "dark"} ${currentLocale()}`;

/** Keeps what the map looked like when the member left it, for their session. */
export function keepStillPicture(picture: Omit<StillPicture, "look">): void {
  if (hasSession()) writeDeviceValue(MAP_STILL, { ...picture, look: currentLook() });
}

/**
 * The picture of the map's first view, if this device has it. `isMapWanted` becomes true with the first input, or once the browser is idle,
 * and is true at once without a picture.
 */
export function useStillPicture(start: MapStart, hasTarget: boolean) {
  const [still] = useState<StillPicture | null>(() => {
    const stored = readDeviceValue(MAP_STILL);
    return stored && !hasTarget && !start.isGuess && showsView(stored, start, currentLook()) ? stored : null;
  });
  useEffect(() => {
    // Left by another account, whose view was forgotten.
    if (!readDeviceValue(MAP_VIEW_STATE) && readDeviceValue(MAP_STILL)) writeDeviceValue(MAP_STILL, null);
  }, []);
  const [isMapWanted, setMapWanted] = useState(still === null);
  useEffect(() => {
    if (isMapWanted) return;
    const want = () => setMapWanted(true);
    for (const type of INPUTS) addEventListener(type, want, { capture: true, passive: true });
    // Two frames later the picture is painted.
    let idle = 0;
    const timer = setTimeout(want, IDLE_MAX_MS);
    const frame = requestAnimationFrame(() => {
      idle = globalThis.requestIdleCallback?.(want, { timeout: IDLE_MAX_MS }) ?? 0;
    });
    return () => {
      for (const type of INPUTS) removeEventListener(type, want, { capture: true });
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      globalThis.cancelIdleCallback?.(idle);
    };
  }, [isMapWanted]);
  return { still, isMapWanted };
}
