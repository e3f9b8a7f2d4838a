import type { Point } from "@lambda/geo/distance";
import type { CellBounds } from "@lambda/geo/grid";
import type { FeatureCollection } from "geojson";
import type { GeoJSONSource, Map as MapLibreMap, StyleSpecification } from "maplibre-gl";
import type { Units } from "../../../format/distance.ts";
import { markerSize } from "../data/clusters.ts";
import type { TakenPlace } from "../data/map-types.ts";
import { NO_RINGS, ringsAround } from "../style/distance-rings.ts";
import { CELL_SOURCE, RINGS_SOURCE, TAKEN_SOURCE } from "../style/sources.ts";
import { cellFeatures, takenFeatures } from "./ground-features.ts";

/** The own marker grows less than others'. */
const OWN_MAX_PX = 66;

/** What others see of the member: the cell that holds the published position. */
export interface OwnGround {
  readonly rings: Point | null;
  readonly cell: CellBounds | null;
  /** Cells of other precisions, drawn as mere outlines. */
  readonly others?: readonly CellBounds[];
}

/** What is drawn below the markers: distance rings, the own cell, and the room that names leave to markers. */
export class Ground {
  readonly #map: MapLibreMap;
  readonly #locale: string;
  readonly #units: Units;
  #own: OwnGround = { rings: null, cell: null };
  #taken: readonly TakenPlace[] = [];
  #drawnTaken = "";
  #styleLoaded = false;

  constructor(map: MapLibreMap, locale: string, units: Units) {
    this.#map = map;
    this.#locale = locale;
    this.#units = units;
    this.#awaitStyle();
  }

  setOwn(own: OwnGround): void {
    this.#own = own;
    this.#draw();
  }

  setTaken(taken: readonly TakenPlace[]): void {
    this.#taken = taken;
    this.#drawTaken();
  }

  setStyle(style: StyleSpecification): void {
    this.#awaitStyle();
    this.#map.setStyle(style, { diff: false });
  }

  #awaitStyle(): void {
    this.#styleLoaded = false;
    this.#drawnTaken = "";
    this.#map.once("style.load", () => {
      this.#styleLoaded = true;
      this.#draw();
    });
  }

  #draw(): void {
    if (!this.#styleLoaded) return;
    const { rings, cell, others = [] } = this.#own;
    void this.#source(RINGS_SOURCE)?.setData(
      rings ? ringsAround(rings.lat, rings.lon, this.#locale, this.#units) : NO_RINGS,
    );
    void this.#source(CELL_SOURCE)?.setData(cellFeatures(cell, others));
    this.#drawTaken();
  }

  #drawTaken(): void {
    if (!this.#styleLoaded) return;
    const { rings } = this.#own;
    const size = Math.min(OWN_MAX_PX, markerSize(this.#map.getZoom()));
    const own: TakenPlace[] = rings ? [{ ...rings, size, anchor: "center" }] : [];
    const data = JSON.stringify(takenFeatures([...this.#taken, ...own]));
    if (data === this.#drawnTaken) return;
    this.#drawnTaken = data;
    void this.#source(TAKEN_SOURCE)?.setData(JSON.parse(data) as FeatureCollection);
  }

  #source(id: string): GeoJSONSource | undefined {
    return this.#map.getSource<GeoJSONSource>(id);
  }
}
