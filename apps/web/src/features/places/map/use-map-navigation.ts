import { MAP_FLY_ZOOM, MAP_INITIAL_ZOOM } from "@lambda/contract/limits";
import type { Point } from "@lambda/geo/distance";
import { type RefObject, useEffect, useRef } from "react";
import { ownPoint } from "../positions/machine.ts";
import { dispatchReporting, useReporting } from "../positions/reporter.ts";
import type { Camera } from "./data/list-camera.ts";
import type { Insets } from "./engine/map-camera.ts";
import type { MapTarget } from "./map-target.ts";

interface MapNavigationOptions {
  /** Undefined until the map is drawn, or it is known that it cannot be. */
  readonly camera: Camera | undefined;
  readonly target: MapTarget | null;
  /** Whether the map still shows a guessed first view that the member has not moved. */
  readonly isStartGuessed: RefObject<boolean>;
  readonly ownMarker: Point | undefined;
  readonly zoom: number;
  /** What the card covers, if the URL names a member whose card is shown. */
  readonly cardInsets: Insets | undefined;
}

/** Moves the map to the place in the URL, to the own marker on a first visit, and to a requested GPS fix. `chooseMode` also reports from there. */
export function useMapNavigation({
  camera,
  target,
  isStartGuessed,
  ownMarker,
  zoom,
  cardInsets,
}: MapNavigationOptions) {
  const reporting = useReporting();
  const { fix } = reporting;
  const isAwaitingFix = useRef(false);

  // A ref, so that resizing the window does not fly to the target again.
  const insets = useRef(cardInsets);
  insets.current = cardInsets;
  useEffect(() => {
    if (camera && target?.point) camera.flyTo(target.point, MAP_FLY_ZOOM, insets.current);
  }, [camera, target]);
  useEffect(() => {
    if (!camera || !ownMarker || !isStartGuessed.current) return;
    isStartGuessed.current = false;
    // Flying there from the brand's first city would load and draw all that lies between.
    camera.jumpTo(ownMarker, MAP_INITIAL_ZOOM);
  }, [camera, ownMarker, isStartGuessed]);
  useEffect(() => {
    if (!camera || !fix || !isAwaitingFix.current) return;
    isAwaitingFix.current = false;
    camera.flyTo(fix, Math.max(zoom, MAP_INITIAL_ZOOM));
  }, [camera, fix, zoom]);

  const goToMe = () => {
    const own = ownPoint(reporting);
    if (own) camera?.flyTo(own, Math.max(zoom, MAP_INITIAL_ZOOM));
  };
  const chooseMode = (use: "override" | "device") => {
    dispatchReporting({ type: use });
    isAwaitingFix.current = use === "device";
    if (use === "override") goToMe();
  };
  return { goToMe, chooseMode };
}
