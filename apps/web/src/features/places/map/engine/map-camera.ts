import type { PositionAggregate } from "@lambda/contract/positions";
import type { Point } from "@lambda/geo/distance";
import type { Map as MapLibreMap } from "maplibre-gl";
import type { MapMember } from "../data/map-types.ts";

/** How many zoom levels a press on a bubble zooms in, at most to the level at which any window shows individual members. */
const AREA_ZOOM_STEPS = 3;
const AREA_ZOOM_MAX = 8;
/** Distance between the window's edge and what is brought into view, in pixels. */
const EDGE_PX = 72;

interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Widths of the covered strips along the map's edges, in pixels. */
export interface Insets {
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

const NO_INSETS: Insets = { right: 0, bottom: 0, left: 0 };

/** Moves the map's camera, without animation if the member prefers reduced motion. */
export class MapCamera {
  readonly #map: MapLibreMap;
  readonly #reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

  constructor(map: MapLibreMap) {
    this.#map = map;
  }

  /** The copy of a point that is nearest to the map's center: MapLibre repeats the world horizontally. */
  nearestWorldCopy({ lat, lon }: Point): [number, number] {
    const centerLon = this.#map.getCenter().lng;
    return [lon - 360 * Math.round((lon - centerLon) / 360), lat];
  }

  /** Centers a point in the uncovered part of the window. */
  flyTo(point: Point, zoom: number, { left, right, bottom }: Insets = NO_INSETS): void {
    const center = this.nearestWorldCopy(point);
    const offset: [number, number] = [(left - right) / 2, -bottom / 2];
    if (this.#reducedMotion.matches) this.#map.easeTo({ center, zoom, offset, animate: false });
    else this.#map.flyTo({ center, zoom, offset, maxDuration: 2200 });
  }

  jumpTo({ lat, lon }: Point, zoom: number): void {
    this.#map.jumpTo({ center: [lon, lat], zoom });
  }

  zoomBy(steps: number): void {
    this.#map.zoomTo(this.#map.getZoom() + steps, { animate: !this.#reducedMotion.matches });
  }

  /** Fits an area, or zooms in on its densest point if the whole area would be no closer. */
  openArea({ centerLat: lat, centerLon, deltaLat, deltaLon }: PositionAggregate): void {
    const [lon] = this.nearestWorldCopy({ lat, lon: centerLon });
    const box = { west: lon - deltaLon, east: lon + deltaLon, south: lat - deltaLat, north: lat + deltaLat };
    this.#fit(box, Math.min(this.#map.getZoom() + AREA_ZOOM_STEPS, AREA_ZOOM_MAX), { lat, lon });
  }

  fitMembers(members: readonly MapMember[]): void {
    const points = members.map(({ lat, lon }) => this.nearestWorldCopy({ lat, lon }));
    const [lons, lats] = [points.map(([lon]) => lon), points.map(([, lat]) => lat)];
    this.#fit({
      west: Math.min(...lons),
      east: Math.max(...lons),
      south: Math.min(...lats),
      north: Math.max(...lats),
    });
  }

  /** Pans so that a point is not covered. */
  reveal(point: Point, { left, right, bottom }: Insets): void {
    const { x, y } = this.#map.project(this.nearestWorldCopy(point));
    const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
    const dx = Math.min(0, x - left - EDGE_PX) + Math.max(0, x - (width - right - EDGE_PX));
    const dy = Math.min(0, y - EDGE_PX) + Math.max(0, y - (height - bottom - EDGE_PX));
    if (dx !== 0 || dy !== 0) this.#map.panBy([dx, dy], { animate: !this.#reducedMotion.matches, duration: 300 });
  }

  #fit({ west, south, east, north }: Box, minZoom = 0, densestPoint?: Point): void {
    const box: [[number, number], [number, number]] = [
      [west, south],
      [east, north],
    ];
    const options = { padding: EDGE_PX, maxZoom: this.#map.getMaxZoom() };
    const zoom = this.#map.cameraForBounds(box, options)?.zoom ?? 0;
    if (densestPoint && zoom < minZoom) this.flyTo(densestPoint, minZoom);
    else this.#map.fitBounds(box, { ...options, animate: !this.#reducedMotion.matches });
  }
}
