import { MAP_INITIAL_ZOOM } from "@lambda/contract/limits";
import type { Point } from "@lambda/geo/distance";
import { useEffect, useState } from "react";
import { LAST_LOCATION, MAP_VIEW_STATE, type MapViewState } from "../../device/device-keys.ts";
import { readDevice } from "../../device/device-storage.ts";
import { pageBrand } from "../../format/site.ts";
import { type MapTarget, parseTarget } from "./map-target.ts";

/** Follows the address while the screen is open. */
export function useMapTarget(): MapTarget | null {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = () => setHash(location.hash);
    addEventListener("hashchange", read);
    addEventListener("popstate", read);
    return () => {
      removeEventListener("hashchange", read);
      removeEventListener("popstate", read);
    };
  }, []);
  const [parsed, setParsed] = useState(() => ({ hash, target: parseTarget(hash) }));
  if (parsed.hash !== hash) setParsed({ hash, target: parseTarget(hash) });
  return parsed.target;
}

export interface MapStart extends MapViewState {
  /** There was neither a saved view nor an own position, which may still move the first view. */
  readonly guessed: boolean;
}

/** The last view, else around the own position, else around the brand's first city. */
export function firstView(own: Point | null): MapStart {
  const saved = readDevice(MAP_VIEW_STATE);
  if (saved) return { ...saved, guessed: false };
  const here = own ?? readDevice(LAST_LOCATION);
  const { lat, lon } = pageBrand().firstCity;
  return { lat: here?.lat ?? lat, lon: here?.lon ?? lon, zoom: MAP_INITIAL_ZOOM, guessed: here === null };
}
