import { MAP_INITIAL_ZOOM } from "@lambda/contract/limits";
import type { Point } from "@lambda/geo/distance";
import { useState } from "react";
import { LAST_LOCATION, MAP_VIEW_STATE, type MapViewState } from "../../../device/device-keys.ts";
import { readDeviceValue } from "../../../device/device-storage.ts";
import { pageBrand } from "../../../format/site.ts";
import { useAddress } from "../../../routing/address.ts";
import { type MapTarget, parseTarget } from "./map-target.ts";

/** The target in the URL, updated while the screen is open. */
export function useMapTarget(): MapTarget | null {
  const hash = useAddress((address) => address.hash);
  const [parsed, setParsed] = useState(() => ({ hash, target: parseTarget(hash) }));
  if (parsed.hash !== hash) setParsed({ hash, target: parseTarget(hash) });
  return parsed.target;
}

export interface MapStart extends MapViewState {
  /** There was neither a saved view nor an own position. The own position may still arrive and move the map. */
  readonly isGuess: boolean;
}

/** The saved view, else the member's own position, else the brand's first city. */
export function firstView(own: Point | null): MapStart {
  const saved = readDeviceValue(MAP_VIEW_STATE);
  if (saved) return { ...saved, isGuess: false };
  const point = own ?? readDeviceValue(LAST_LOCATION);
  const { lat, lon } = pageBrand().firstCity;
  return { lat: point?.lat ?? lat, lon: point?.lon ?? lon, zoom: MAP_INITIAL_ZOOM, isGuess: point === null };
}
