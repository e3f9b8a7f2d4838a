import type { Bounds } from "@lambda/geo/distance";
import { cellAt, cellBounds } from "@lambda/geo/lattice";
import { initialOf } from "@lambda/ui/initial";
import { useMemo } from "react";
import { pictureUrl } from "../../../../api/picture-url.ts";
import { trpc } from "../../../../api/trpc.ts";
import { useTonightText } from "../../../../components/Tonight/use-tonight.ts";
import { useNsfw } from "../../../../device/nsfw.ts";
import { canDrag, displayedSource, ownPoint } from "../../positions/machine.ts";
import { useReporting } from "../../positions/reporter.ts";
import { useMapCopy } from "../copy.ts";
import type { OwnMarker } from "../data/map-types.ts";

const PICTURE_PX = 48;

/** The own marker at the raw position from this device, and the cell in which others see the member. */
export function useOwnMarker(): (OwnMarker & { readonly cell: Bounds | null }) | null {
  const state = useReporting();
  const copy = useMapCopy();
  const [nsfw] = useNsfw();
  const profile = trpc.profiles.mine.useQuery().data?.items[0];
  const point = ownPoint(state);
  const draggable = canDrag(state);
  const hidden = state.hidden;
  const tonight = useTonightText(trpc.tonight.mine.useQuery().data) !== undefined;
  const live = displayedSource(state) === "device" && state.fix !== null;
  const id = profile?.profilePicIds[0];
  const picture = id === undefined ? undefined : pictureUrl(id, PICTURE_PX, nsfw);
  const initial = initialOf(profile?.profilename ?? "");
  const { serverPosition, places } = state;
  const cell = useMemo(() => {
    if (!serverPosition || !places) return null;
    const at = { lat: serverPosition.point.lat, lon: serverPosition.point.lon };
    return cellBounds(places.lattice, cellAt(places.lattice, at, serverPosition.precision));
  }, [serverPosition, places]);
  const label = draggable ? copy.ownWalk : copy.own;
  const [lat, lon] = [point?.lat, point?.lon];
  const stablePoint = useMemo(() => (lat === undefined || lon === undefined ? null : { lat, lon }), [lat, lon]);
  return useMemo(
    () => stablePoint && { point: stablePoint, draggable, hidden, live, tonight, picture, initial, label, cell },
    [stablePoint, draggable, hidden, live, tonight, picture, initial, label, cell],
  );
}
