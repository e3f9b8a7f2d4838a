import { MAP_VIEW_SAVE_MS } from "@lambda/contract/limits";
import { useCallback, useEffect, useRef } from "react";
import { MAP_VIEW_STATE, type MapViewState } from "../../device/device-keys.ts";
import { writeDevice } from "../../device/device-storage.ts";
import { hasSession } from "../../device/session-cookie.ts";

/** Saves the view once the map rests. */
export function useSavedView(): (view: MapViewState) => void {
  const timer = useRef<number | undefined>(undefined);
  // A logout within the pause must not find the view written back behind it.
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return useCallback(({ lat, lon, zoom }) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      // Another tab may have logged the member out.
      if (hasSession()) writeDevice(MAP_VIEW_STATE, { lat, lon, zoom });
    }, MAP_VIEW_SAVE_MS);
  }, []);
}
