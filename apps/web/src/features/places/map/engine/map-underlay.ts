import type { Bounds, Point } from "@lambda/geo/distance";
import type { Feature, Polygon } from "geojson";
import type { GeoJSONSource, Map as MapLibreMap, StyleSpecification } from "maplibre-gl";
import type { Units } from "../../../../format/distance.ts";
import { markerSize } from "../data/clusters.ts";
import type { CollisionBox } from "../data/map-types.ts";
import { ringsAround } from "../style/distance-rings.ts";
import { COLLISION_SOURCE, OWN_AREA_SOURCE } from "../style/sources.ts";

/** The own marker stops growing at this size, unlike those of other members. */
const OWN_MAX_PX = 66;

/** The area around the own marker: distance rings and the cell in which others see the member. */
export interface OwnArea {
  readonly ringCenter: Point | null;
  readonly cell: Bounds | null;
  /** Cells of other precisions, drawn as outlines. */
  readonly otherCells?: readonly Bounds[];
}

const NO_AREA: OwnArea = { ringCenter: null, cell: null };

/** What is drawn below the markers: distance rings, the own cell, and the collision boxes that keep labels off markers. */
export class MapUnderlay {
  readonly #map: MapLibreMap;
  readonly #locale: string;
  readonly #units: Units;
  #own = NO_AREA;
  #boxes: readonly CollisionBox[] = [];
  /** What each source shows, by its id; undefined until the style is loaded. */
  #drawn: Map<string, string> | undefined;

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
    this.#draw();
  }

  setStyle(style: StyleSpecification): void {
    this.#drawOnStyleLoad();
    this.#map.setStyle(style, { diff: false, validate: false });
  }

  #drawOnStyleLoad(): void {
    this.#drawn = undefined;
    this.#map.once("style.load", () => {
      this.#drawn = new Map([
        [OWN_AREA_SOURCE, JSON.stringify(NO_AREA)],
        [COLLISION_SOURCE, "[]"],
      ]);
      this.#draw();
    });
  }

  #draw(): void {
    const { ringCenter, cell, otherCells = [] } = this.#own;
    this.#setFeatures(OWN_AREA_SOURCE, this.#own, () => [
      ...(ringCenter ? ringsAround(ringCenter.lat, ringCenter.lon, this.#locale, this.#units) : []),
      ...otherCells.map((other) => cellFeature(other, false)),
      ...(cell ? [cellFeature(cell, true)] : []),
    ]);
    const size = Math.min(OWN_MAX_PX, markerSize(this.#map.getZoom()));
    const own: CollisionBox[] = ringCenter ? [{ ...ringCenter, size, anchor: "center" }] : [];
    const boxes = [...this.#boxes, ...own];
    this.#setFeatures(COLLISION_SOURCE, boxes, () => boxes.map(boxFeature));
  }

  /** Only sets what changed: otherwise the map's worker would cut all tiles again, and labels be placed again. */
  #setFeatures(source: string, content: unknown, create: () => Feature[]): void {
    const key = JSON.stringify(content);
    if (!this.#drawn || this.#drawn.get(source) === key) return;
    this.#drawn.set(source, key);
    void this.#map.getSource<GeoJSONSource>(source)?.setData({ type: "FeatureCollection", features: create() });
  }
}

/** The box of a marker, which place labels avoid. */
const boxFeature = ({ lat, lon, size, anchor }: CollisionBox): Feature => ({
  type: "Feature",
  properties: { size, anchor },
  geometry: { type: "Point", coordinates: [lon, lat] },
});

/** The cell in which others see the member, or one of another precision for comparison. */
function cellFeature({ latMin, latMax, lonMin, lonMax: end }: Bounds, shown: boolean): Feature<Polygon> {
  // Across the date line, MapLibre expects longitudes beyond 180.
  const lonMax = end < lonMin ? end + 360 : end;
  const ring = [
    [lonMin, latMin],
    [lonMax, latMin],
    [lonMax, latMax],
    [lonMin, latMax],
    [lonMin, latMin],
  ];
  return { type: "Feature", properties: { shown }, geometry: { type: "Polygon", coordinates: [ring] } };
}
