import type { Bounds, Point } from "@lambda/geo/distance";
import type { FeatureCollection } from "geojson";
import type { GeoJSONSource, Map as MapLibreMap, StyleSpecification } from "maplibre-gl";
import type { Units } from "../../../../format/distance.ts";
import { markerSize } from "../data/clusters.ts";
import type { CollisionBox } from "../data/map-types.ts";
import { NO_RINGS, ringsAround } from "../style/distance-rings.ts";
import { CELL_SOURCE, COLLISION_SOURCE, RINGS_SOURCE } from "../style/sources.ts";
import { cellFeatures, collisionFeatures } from "./underlay-features.ts";

/** The own marker stops growing at this size, unlike those of other members. */
const OWN_MAX_PX = 66;

/** The area around the own marker: distance rings and the cell in which others see the member. */
export interface OwnArea {
  readonly ringCenter: Point | null;
  readonly cell: Bounds | null;
  /** Cells of other precisions, drawn as outlines. */
  readonly otherCells?: readonly Bounds[];
}

/** What is drawn below the markers: distance rings, the own cell, and the collision boxes that keep labels off markers. */
export class MapUnderlay {
  readonly #map: MapLibreMap;
  readonly #locale: string;
  readonly #units: Units;
  #own: OwnArea = { ringCenter: null, cell: null };
  #boxes: readonly CollisionBox[] = [];
  #drawnBoxes = "";
  #styleLoaded = false;

  constructor(map: MapLibreMap, locale: string, units: Units) {
    this.#map = map;
    this.#locale = locale;
    this.#units = units;
    this.#drawOnStyleLoad();
  }

  setOwnArea(own: OwnArea): void {
    this.#own = own;
    this.#draw();
  }

  setCollisionBoxes(boxes: readonly CollisionBox[]): void {
    this.#boxes = boxes;
    this.#drawBoxes();
  }

  setStyle(style: StyleSpecification): void {
    this.#drawOnStyleLoad();
    this.#map.setStyle(style, { diff: false, validate: false });
  }

  #drawOnStyleLoad(): void {
    this.#styleLoaded = false;
    this.#drawnBoxes = "";
    this.#map.once("style.load", () => {
      this.#styleLoaded = true;
      this.#draw();
    });
  }

  #draw(): void {
    if (!this.#styleLoaded) return;
    const { ringCenter, cell, otherCells = [] } = this.#own;
    void this.#source(RINGS_SOURCE)?.setData(
      ringCenter ? ringsAround(ringCenter.lat, ringCenter.lon, this.#locale, this.#units) : NO_RINGS,
    );
    void this.#source(CELL_SOURCE)?.setData(cellFeatures(cell, otherCells));
    this.#drawBoxes();
  }

  #drawBoxes(): void {
    if (!this.#styleLoaded) return;
    const { ringCenter } = this.#own;
    const size = Math.min(OWN_MAX_PX, markerSize(this.#map.getZoom()));
    const own: CollisionBox[] = ringCenter ? [{ ...ringCenter, size, anchor: "center" }] : [];
    const data = JSON.stringify(collisionFeatures([...this.#boxes, ...own]));
    if (data === this.#drawnBoxes) return;
    this.#drawnBoxes = data;
    void this.#source(COLLISION_SOURCE)?.setData(JSON.parse(data) as FeatureCollection);
  }

  #source(id: string): GeoJSONSource | undefined {
    return this.#map.getSource<GeoJSONSource>(id);
  }
}
