import type { PositionAggregate } from "@lambda/contract/positions";
import type { Point } from "@lambda/geo/distance";
import type { Map as MapLibreMap } from "maplibre-gl";
import type { MapMember } from "../data/map-types.ts";

/** A bubble that is pressed brings the map so much closer, up to where members are shown one by one in any window. */
const AREA_STEPS = 3;
const AREA_ZOOM = 8;
/** Room between the window's edge and what is brought into sight, in pixels. */
const EDGE_PX = 72;

interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** What covers the window's edges, in pixels. */
export interface Covered {
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

const NOTHING_COVERED: Covered = { right: 0, bottom: 0, left: 0 };

/** Brings parts of the world into sight, without animation where the member asked for less motion. */
export class MapMoves {
  readonly #map: MapLibreMap;
  readonly #reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

  constructor(map: MapLibreMap) {
    this.#map = map;
  }

  /** The copy of a place that is nearest to the middle: the map goes round and round. */
  nearestCopy({ lat, lon }: Point): [number, number] {
    const middle = this.#map.getCenter().lng;
    return [lon - 360 * Math.round((lon - middle) / 360), lat];
  }

  /** To the middle of the window, or of what is left of it uncovered. */
  flyTo(point: Point, zoom: number, { left, right, bottom }: Covered = NOTHING_COVERED): void {
    const center = this.nearestCopy(point);
    const offset: [number, number] = [(left - right) / 2, -bottom / 2];
    if (this.#reducedMotion.matches) this.#map.easeTo({ center, zoom, offset, animate: false });
    else this.#map.flyTo({ center, zoom, offset, maxDuration: 2200 });
  }

  zoomBy(steps: number): void {
    this.#map.zoomTo(this.#map.getZoom() + steps, { animate: !this.#reducedMotion.matches });
  }

  /** The whole of it, or where most of its members are if that would be no closer. */
  openArea({ centerLat: lat, centerLon, deltaLat, deltaLon }: PositionAggregate): void {
    const [lon] = this.nearestCopy({ lat, lon: centerLon });
    const box = { west: lon - deltaLon, east: lon + deltaLon, south: lat - deltaLat, north: lat + deltaLat };
    this.#fit(box, Math.min(this.#map.getZoom() + AREA_STEPS, AREA_ZOOM), { lat, lon });
  }

  fitMembers(members: readonly MapMember[]): void {
    const points = members.map(({ lat, lon }) => this.nearestCopy({ lat, lon }));
    const [lons, lats] = [points.map(([lon]) => lon), points.map(([, lat]) => lat)];
    this.#fit({
      west: Math.min(...lons),
      east: Math.max(...lons),
      south: Math.min(...lats),
      north: Math.max(...lats),
    });
  }

  /** Moves a chosen member out from under what covers the window's edges. */
  reveal(point: Point, { left, right, bottom }: Covered): void {
    const { x, y } = this.#map.project(this.nearestCopy(point));
    const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
    const dx = Math.min(0, x - left - EDGE_PX) + Math.max(0, x - (width - right - EDGE_PX));
    const dy = Math.min(0, y - EDGE_PX) + Math.max(0, y - (height - bottom - EDGE_PX));
    if (dx !== 0 || dy !== 0) this.#map.panBy([dx, dy], { animate: !this.#reducedMotion.matches, duration: 300 });
  }

  #fit({ west, south, east, north }: Box, minZoom = 0, middle?: Point): void {
    const box: [[number, number], [number, number]] = [
      [west, south],
      [east, north],
    ];
    const options = { padding: EDGE_PX, maxZoom: this.#map.getMaxZoom() };
    const zoom = this.#map.cameraForBounds(box, options)?.zoom ?? 0;
    if (middle && zoom < minZoom) this.flyTo(middle, minZoom);
    else this.#map.fitBounds(box, { ...options, animate: !this.#reducedMotion.matches });
  }
}
