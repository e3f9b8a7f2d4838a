import type { PositionAggregate } from "@lambda/contract/positions";
import type { Point } from "@lambda/geo/distance";
import type { MapCamera } from "../engine/map-camera.ts";
import type { MapView } from "./map-types.ts";

/** What screens do with the map's view, drawn or not. */
export type Camera = Pick<MapCamera, "flyTo" | "jumpTo" | "zoomBy" | "openArea" | "reveal">;

/** A list without a map reaches about 10 km in each direction at first. */
const LIST_ZOOM = 11;
const LIST_MIN_ZOOM = 2;
/** The zoom at which a view reaches one degree in each direction. */
const DEGREE_ZOOM = Math.log2(180);

/** Changes the view of the list where no map is drawn. */
export function createListCamera(change: (next: (view: MapView) => MapView) => void): Camera {
  const show = (point: Point, zoom: number) =>
    change(() => estimateView({ ...point, zoom: Math.min(zoom, LIST_ZOOM) }));
  return {
    flyTo: show,
    jumpTo: show,
    zoomBy: (steps) =>
      change((view) =>
        estimateView({ ...view, zoom: Math.max(LIST_MIN_ZOOM, Math.min(view.zoom + steps, LIST_ZOOM)) }),
      ),
    openArea: ({ centerLat, centerLon, deltaLat, deltaLon }: PositionAggregate) =>
      change(({ zoom }) => {
        const fitted = DEGREE_ZOOM - Math.log2(Math.max(deltaLat, deltaLon, 0.01));
        return estimateView({
          lat: centerLat,
          lon: centerLon,
          zoom: Math.min(Math.max(fitted, zoom + 1), LIST_ZOOM),
        });
      }),
    reveal: () => undefined,
  };
}

/** A rough view of an undrawn map: at once while the engine loads, and all there is where it cannot draw. */
export function estimateView({ lat, lon, zoom }: Point & { readonly zoom: number }): MapView {
  const half = 180 / 2 ** zoom;
  return { lat, lon, zoom, bounds: { west: lon - half, east: lon + half, south: lat - half, north: lat + half } };
}
