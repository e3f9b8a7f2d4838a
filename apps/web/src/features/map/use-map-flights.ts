import { MAP_FLY_ZOOM, MAP_INITIAL_ZOOM } from "@lambda/contract/limits";
import type { Point } from "@lambda/geo/distance";
import { type RefObject, useEffect, useRef } from "react";
import { ownPoint } from "../position/machine.ts";
import { useReporting } from "../position/reporter.ts";
import type { MapEngine } from "./engine/map-engine.ts";
import type { Covered } from "./engine/map-moves.ts";
import type { MapTarget } from "./map-target.ts";

interface MapFlightsOptions {
  readonly engine: MapEngine | null;
  readonly target: MapTarget | null;
  /** The first view was a guess, and nobody has moved the map since. */
  readonly guessed: RefObject<boolean>;
  /** Where the own marker stands. */
  readonly ownMarker: Point | undefined;
  readonly zoom: number;
  /** What the card covers of the window, where the address names somebody to show on one. */
  readonly covered: Covered | undefined;
}

/** Where the map flies by itself: to the place that the address names, to the own marker at a first visit, and to a GPS fix that was asked for. */
export function useMapFlights({ engine, target, guessed, ownMarker, zoom, covered }: MapFlightsOptions) {
  const reporting = useReporting();
  const { fix } = reporting;
  const goesToFix = useRef(false);

  // A window that changes its width flies nowhere anew.
  const cover = useRef(covered);
  cover.current = covered;
  useEffect(() => {
    if (engine && target?.point) engine.flyTo(target.point, MAP_FLY_ZOOM, cover.current);
  }, [engine, target]);
  useEffect(() => {
    if (!engine || !ownMarker || !guessed.current) return;
    guessed.current = false;
    engine.flyTo(ownMarker, MAP_INITIAL_ZOOM);
  }, [engine, ownMarker, guessed]);
  useEffect(() => {
    if (!engine || !fix || !goesToFix.current) return;
    goesToFix.current = false;
    engine.flyTo(fix, Math.max(zoom, MAP_INITIAL_ZOOM));
  }, [engine, fix, zoom]);

  const goToMe = () => {
    const own = ownPoint(reporting);
    if (own) engine?.flyTo(own, Math.max(zoom, MAP_INITIAL_ZOOM));
  };
  const followMode = (use: "override" | "device") => {
    goesToFix.current = use === "device";
    if (use === "override") goToMe();
  };
  return { goToMe, followMode };
}
