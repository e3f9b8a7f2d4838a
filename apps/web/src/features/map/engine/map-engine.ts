import type { MapRegion } from "@lambda/contract/map-archives";
import type { PositionAggregate } from "@lambda/contract/positions";
import { wrapLongitude } from "@lambda/geo/grid";
import { addProtocol, Map as MapLibreMap, type StyleSpecification, setWorkerUrl } from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
import "./attribution.css";
import type { Point } from "@lambda/geo/distance";
import { toMercator } from "@lambda/geo/mercator";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import type { Units } from "../../../format/distance.ts";
import { markerSize } from "../data/clusters.ts";
import type { MapContent, MapListeners, MapView } from "../data/map-types.ts";
import { TAKEN_IMAGE } from "../style/sources.ts";
import { Ground, type OwnGround } from "./ground.ts";
import css from "./map.module.css";
import { type Covered, MapMoves } from "./map-moves.ts";
import { type Camera, isCrowd, MarkerLayer } from "./marker-layer.ts";
import { OwnMarkerElement } from "./own-marker.ts";
import { PlaceNames } from "./places.ts";
import { registerPmtiles, streetTiles } from "./pmtiles.ts";

/** The only module that loads maplibre-gl; the screen imports it when it opens. */

setWorkerUrl(workerUrl);
registerPmtiles(addProtocol);

const MAP_MIN_ZOOM = 1.5;
const MAP_MAX_ZOOM = 20;
/** Below it the own marker is a mere point, so that it does not cover a state. */
const FAR_BELOW_ZOOM = 8.5;
/** From here on the map says what the ground in its middle is called. */
const PLACE_FROM_ZOOM = 8.5;

export interface MapEngineOptions {
  readonly style: StyleSpecification;
  /** The basemap's archive. */
  readonly tilesUrl: string;
  readonly regions: readonly MapRegion[];
  readonly center: Point;
  readonly zoom: number;
  /** Name of the canvas for screen readers. */
  readonly title: string;
  readonly locale: string;
  readonly units: Units;
}

/** Draws the world, the members on it and the own marker. */
export class MapEngine {
  readonly #map: MapLibreMap;
  readonly #moves: MapMoves;
  readonly #ground: Ground;
  readonly #markers: MarkerLayer;
  readonly #own: OwnMarkerElement;
  readonly #frame = document.createElement("div");
  readonly #names: PlaceNames;
  readonly #listeners: MapListeners;
  /** Counts questions for the place's name, so that a late answer does not replace a newer one. */
  #questions = 0;

  /** Throws where the browser cannot draw (no WebGL). */
  constructor(container: HTMLElement, options: MapEngineOptions, listeners: MapListeners) {
    this.#listeners = listeners;
    streetTiles.setRegions(options.regions);
    this.#map = createMap(container, options);
    this.#moves = new MapMoves(this.#map);
    this.#ground = new Ground(this.#map, options.locale, options.units);
    this.#names = new PlaceNames(options.tilesUrl, options.locale, streetTiles);
    this.#markers = this.#createMarkers();
    this.#own = this.#createOwnMarker();
    this.#frame.className = css.frame ?? "";
    this.#frame.append(this.#markers.element, this.#own.element);
    this.#map.getCanvasContainer().append(this.#frame);
    this.#listen();
    this.#scale();
    listeners.onView(viewOf(this.#map), false);
  }

  setContent(content: MapContent): void {
    this.#markers.setContent(content, this.#camera());
    this.#own.setContent(content.own);
  }

  setGround(own: OwnGround): void {
    this.#ground.setOwn(own);
  }

  setStyle(style: StyleSpecification): void {
    this.#ground.setStyle(style);
  }

  flyTo(point: Point, zoom: number, covered?: Covered): void {
    this.#moves.flyTo(point, zoom, covered);
  }

  reveal(point: Point, covered: Covered): void {
    this.#moves.reveal(point, covered);
  }

  openArea(area: PositionAggregate): void {
    this.#moves.openArea(area);
  }

  zoomBy(steps: number): void {
    this.#moves.zoomBy(steps);
  }

  destroy(): void {
    removeEventListener("online", this.#refreshTiles);
    this.#map.remove();
  }

  #createMarkers(): MarkerLayer {
    return new MarkerLayer({
      onMember: this.#listeners.onMember,
      onArea: (area) => this.#moves.openArea(area),
      onCluster: (members) => {
        if (isCrowd(this.#map.getZoom())) this.#listeners.onCrowd(members.map(({ profileId }) => profileId));
        else this.#moves.fitMembers(members);
      },
      onLayout: (places) => this.#ground.setTaken(places),
    });
  }

  #createOwnMarker(): OwnMarkerElement {
    return new OwnMarkerElement(
      {
        project: (point) => this.#map.project(this.#moves.nearestCopy(point)),
        unproject: (x, y) => {
          const { lat, lng: lon } = this.#map.unproject([x, y]);
          return { lat, lon };
        },
      },
      ({ lat, lon }) => this.#listeners.onDrag({ lat, lon: wrapLongitude(lon) }),
      this.#listeners.onOwn,
    );
  }

  #listen(): void {
    const map = this.#map;
    map.on("zoom", () => this.#scale());
    map.on("move", () => {
      this.#markers.follow(this.#camera());
      this.#own.follow();
    });
    map.on("moveend", (event) => this.#settle("originalEvent" in event && event.originalEvent !== undefined));
    map.on("resize", () => this.#settle(false));
    map.on("moveend", () => void this.#announcePlace());
    map.on("load", () => void this.#announcePlace());
    map.on("click", this.#listeners.onGround);
    map.on("styleimagemissing", ({ id }) => {
      if (id === TAKEN_IMAGE) map.addImage(id, { width: 1, height: 1, data: new Uint8Array(4) });
    });
    // A tile that does not come leaves its place empty, and is asked for again when the map next shows it.
    map.on("error", () => undefined);
    addEventListener("online", this.#refreshTiles);
  }

  #settle(byMember: boolean): void {
    this.#markers.settle(this.#camera());
    this.#own.follow();
    this.#listeners.onView(viewOf(this.#map), byMember);
  }

  #scale(): void {
    const zoom = this.#map.getZoom();
    this.#frame.style.setProperty("--marker", `${markerSize(zoom)}px`);
    this.#frame.toggleAttribute("data-far", zoom < FAR_BELOW_ZOOM);
  }

  async #announcePlace(): Promise<void> {
    const { lat, lng: lon } = this.#map.getCenter();
    const zoom = this.#map.getZoom();
    this.#questions += 1;
    const question = this.#questions;
    const name = zoom < PLACE_FROM_ZOOM ? null : await this.#names.at(lat, wrapLongitude(lon), zoom);
    if (question === this.#questions) this.#listeners.onPlace(name);
  }

  /** Tiles that did not come without a network are asked for when it is back. */
  readonly #refreshTiles = () => {
    for (const id of Object.keys(this.#map.getStyle().sources)) {
      if (this.#map.getSource(id)?.type === "vector") this.#map.refreshTiles(id);
    }
  };

  #camera(): Camera {
    const { lat, lng: lon } = this.#map.getCenter();
    const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
    return { zoom: this.#map.getZoom(), center: toMercator(lat, lon), width, height };
  }
}

function createMap(container: HTMLElement, { style, center, zoom, title }: MapEngineOptions): MapLibreMap {
  const map = new MapLibreMap({
    container,
    style,
    center: [center.lon, center.lat],
    zoom,
    minZoom: MAP_MIN_ZOOM,
    maxZoom: MAP_MAX_ZOOM,
    attributionControl: { compact: false },
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    fadeDuration: 180,
    locale: { "Map.Title": title },
  });
  // Tests ask what is drawn: a canvas does not say.
  container.addEventListener("inspect-map", (event) => (event as CustomEvent<(map: MapLibreMap) => void>).detail(map));
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  return map;
}

function viewOf(map: MapLibreMap): MapView {
  const { lat, lng: lon } = map.getCenter();
  const bounds = map.getBounds();
  return {
    lat,
    lon: wrapLongitude(lon),
    zoom: map.getZoom(),
    bounds: { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() },
  };
}
