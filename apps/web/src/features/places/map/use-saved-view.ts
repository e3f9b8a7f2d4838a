import { MAP_VIEW_SAVE_MS } from "@lambda/contract/limits";
import { useCallback, useEffect, useRef } from "react";
import { MAP_VIEW_STATE, type MapViewState } from "../../../device/device-keys.ts";
import { writeDeviceValue } from "../../../device/device-storage.ts";
import { hasSession } from "../../../device/session-cookie.ts";

/** Returns a function that saves the view once the map stops moving. */
export function useSavedView(): (view: MapViewState) => void {
  const timer = useRef<number | undefined>(undefined);
  // Without this, a logout during the delay would be followed by a write.
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return useCallback(({ lat, lon, zoom }) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      // Another tab may have logged the member out.
      if (hasSession()) writeDeviceValue(MAP_VIEW_STATE, { lat, lon, zoom });
    }, MAP_VIEW_SAVE_MS);
  }, []);
}
