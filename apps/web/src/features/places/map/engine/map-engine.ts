import type { MapRegion } from "@lambda/contract/map-archives";
import { wrapLongitude } from "@lambda/geo/grid";
import {
  addProtocol,
  type ErrorEvent,
  Map as MapLibreMap,
  type StyleSpecification,
  setWorkerUrl,
  type VectorTileSource,
} from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
import "./attribution.css";
import type { Point } from "@lambda/geo/distance";
import { toMercator } from "@lambda/geo/mercator";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { Protocol } from "pmtiles";
import type { Units } from "../../../../format/distance.ts";
import { markerSize } from "../data/clusters.ts";
import type { MapContent, MapListeners, MapView } from "../data/map-types.ts";
import { NOWHERE } from "../data/place-name.ts";
import type { StillPicture } from "../still-picture.ts";
import { metricGridTile } from "../style/metric-grid.ts";
import { COLLISION_IMAGE, METRIC_GRID, STREETS_SOURCE } from "../style/sources.ts";
import { openArchive } from "./archive.ts";
import { MapCamera } from "./map-camera.ts";
import { MapUnderlay } from "./map-underlay.ts";
import { CLUSTER_SPLIT_MAX_ZOOM, MarkerLayer, type Viewport } from "./marker-layer.ts";
import { OwnMarkerElement } from "./own-marker.ts";
import { PlaceNames } from "./place-names.ts";
import { createStillImage } from "./still-image.ts";
import { StreetTiles } from "./street-tiles.ts";

/** The only module that imports maplibre-gl, loaded when a map opens. */

// In the same file, since each further one costs every screen bytes.
export { loadPlaces } from "./place-finder.ts";

setWorkerUrl(workerUrl);

/** Shared by all maps of the page, like MapLibre's protocols. */
const streetTiles = new StreetTiles();
const pmtiles = new Protocol();
// The URL schemes of our style: archives, the regions' archives, and the metric grid.
addProtocol("pmtiles", (request, abort) => pmtiles.tile(request, abort));
addProtocol(STREETS_SOURCE, async ({ url }, { signal }) => ({
  data: await streetTiles.fetchTile(...parseTileUrl(url), signal),
}));
addProtocol(METRIC_GRID, async ({ url }) => ({ data: metricGridTile(...parseTileUrl(url)).buffer }));

const MAP_MIN_ZOOM = 1.5;
const MAP_MAX_ZOOM = 20;
/** Below this zoom the own marker is only a dot, so that it does not cover a whole state. */
const DOT_BELOW_ZOOM = 8.5;
/** From this zoom on, the place in the middle of the map is named. */
const PLACE_NAME_MIN_ZOOM = 8.5;
const STILL_QUALITY = 0.6;
/** How long what could not be loaded is missing at first; twice as long after each further failure, up to 32 times. */
const RETRY_MS = 5000;
const RETRY_DOUBLINGS_MAX = 5;

export interface MapEngineOptions {
  readonly style: StyleSpecification;
  readonly tilesUrl: string;
  readonly regions: readonly MapRegion[];
  readonly center: Point;
  readonly zoom: number;
  readonly title: string;
  readonly locale: string;
  readonly units: Units;
  /** Covers the map until it is drawn or moved. */
  readonly still?: StillPicture | null;
}

type TileAddress = Record<"x" | "y" | "z", number>;

/** What MapLibre adds to the error of a tile. */
interface FailedTile {
  readonly sourceId?: string;
  readonly tile?: { readonly tileID: { readonly canonical: TileAddress } };
}

export class MapEngine {
  readonly #map: MapLibreMap;
  readonly camera: MapCamera;
  readonly underlay: MapUnderlay;
  readonly #markers: MarkerLayer;
  readonly #own: OwnMarkerElement;
  readonly #frame = document.createElement("div");
  readonly #placeNames: PlaceNames;
  /** Those of the latest render, which the engine outlives. */
  readonly #listeners: () => MapListeners;
  /** Counts lookups of the place name, so that a late result does not replace a newer one. */
  #lookups = 0;
  #lacksPlace = false;
  #retryTimer: number | undefined;
  #failures = 0;
  readonly #failedTiles: [sourceId: string, tile: TileAddress][] = [];

  /** Throws if the browser has no WebGL. */
  constructor(container: HTMLElement, options: MapEngineOptions, listeners: () => MapListeners) {
    this.#listeners = listeners;
    streetTiles.setRegions(options.regions);
    const world = openArchive(options.tilesUrl);
    pmtiles.add(world);
    this.#map = createMap(container, options);
    this.camera = new MapCamera(this.#map);
    this.underlay = new MapUnderlay(this.#map, options.locale, options.units);
    this.#placeNames = new PlaceNames(world, options.locale, streetTiles);
    this.#markers = this.#createMarkers();
    this.#own = this.#createOwnMarker();
    this.#frame.className = "cover clip no-pointer";
    this.#frame.append(this.#markers.element, this.#own.element);
    this.#map.getCanvasContainer().append(this.#frame);
    if (options.still) this.#cover(options.still);
    this.#listen();
    this.#scaleMarkers();
    listeners().onViewChange?.(viewOf(this.#map), false);
  }

  setContent(content: MapContent): void {
    this.#markers.setContent(content, this.#viewport());
    this.#own.setContent(content.own);
  }

  /** The style shows them once it has their zoom. */
  setRegions(regions: readonly MapRegion[]): void {
    streetTiles.setRegions(regions);
    void this.#updatePlaceName();
  }

  destroy(): void {
    this.#keepPicture();
    document.removeEventListener("visibilitychange", this.#onVisibility);
    removeEventListener("pagehide", this.#onPageHide);
    removeEventListener("online", this.#retry);
    clearTimeout(this.#retryTimer);
    this.#map.remove();
  }

  #createMarkers(): MarkerLayer {
    return new MarkerLayer({
      onMemberPress: (id) => this.#listeners().onMemberPress?.(id),
      onAreaPress: (area) => this.camera.openArea(area),
      onClusterPress: (members) => {
        if (this.#map.getZoom() >= CLUSTER_SPLIT_MAX_ZOOM)
          this.#listeners().onCrowdPress?.(members.map(({ profileId }) => profileId));
        else this.camera.fitMembers(members);
      },
      onLayout: (boxes) => this.underlay.setCollisionBoxes(boxes),
    });
  }

  #createOwnMarker(): OwnMarkerElement {
    return new OwnMarkerElement(
      {
        project: (point) => this.#map.project(this.camera.nearestWorldCopy(point)),
        unproject: (x, y) => {
          const { lat, lng: lon } = this.#map.unproject([x, y]);
          return { lat, lon };
        },
      },
      ({ lat, lon }) => this.#listeners().onOwnMarkerDrag?.({ lat, lon: wrapLongitude(lon) }),
      () => this.#listeners().onOwnMarkerPress?.(),
    );
  }

  #listen(): void {
    const map = this.#map;
    map.on("zoom", () => this.#scaleMarkers());
    map.on("move", () => {
      this.#markers.move(this.#viewport());
      this.#own.reposition();
    });
    map.on("moveend", (event) => this.#onRest("originalEvent" in event && event.originalEvent !== undefined));
    map.on("resize", () => this.#onRest(false));
    map.on("moveend", () => void this.#updatePlaceName());
    map.on("load", () => void this.#updatePlaceName());
    map.on("click", () => this.#listeners().onBackgroundPress?.());
    map.setMissingStyleImageResolver((id) => {
      if (id === COLLISION_IMAGE) map.addImage(id, { width: 1, height: 1, data: new Uint8Array(4) });
    });
    // Of a source without a description, or of a tile.
    map.on("error", ({ sourceId, tile }: ErrorEvent & FailedTile) => {
      if (sourceId && tile) this.#failedTiles.push([sourceId, tile.tileID.canonical]);
      this.#retryLater();
    });
    map.on("idle", () => {
      if (this.#lacksPlace) void this.#updatePlaceName();
      else if (this.#retryTimer === undefined) this.#failures = 0;
    });
    addEventListener("online", this.#retry);
    document.addEventListener("visibilitychange", this.#onVisibility);
    addEventListener("pagehide", this.#onPageHide);
  }

  #cover({ url, width, height }: StillPicture): void {
    const image = createStillImage(url, width, height);
    this.#frame.before(image);
    const uncover = () => image.remove();
    this.#map.once("load", uncover);
    this.#map.once("movestart", uncover);
  }

  /** A phone may end a page that it hides without a word. */
  readonly #onVisibility = () => {
    if (document.hidden) this.#keepPicture();
  };

  /** Comes before the page is hidden by leaving it, which a picture must not delay: it may be the quick exit. */
  readonly #onPageHide = () => document.removeEventListener("visibilitychange", this.#onVisibility);

  /** Takes a picture of the map without its markers, for the next time that it opens. */
  #keepPicture(): void {
    const map = this.#map;
    const onPicture = this.#listeners().onPicture;
    if (!onPicture || map.isMoving() || !map.loaded()) return;
    // The canvas is empty except right after a frame.
    map.redraw();
    const drawn = map.getCanvas();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(drawn.width / map.getPixelRatio());
    canvas.height = Math.round(drawn.height / map.getPixelRatio());
    canvas.getContext("2d")?.drawImage(drawn, 0, 0, canvas.width, canvas.height);
    const { lat, lon, zoom } = viewOf(map);
    onPicture({
      ...{ lat, lon, zoom, width: canvas.width, height: canvas.height },
      url: canvas.toDataURL("image/jpeg", STILL_QUALITY),
      credits: map.getContainer().querySelector(".maplibregl-ctrl-attrib-inner")?.textContent ?? "",
    });
  }

  #onRest(byMember: boolean): void {
    this.#markers.draw(this.#viewport());
    this.#own.reposition();
    this.#listeners().onViewChange?.(viewOf(this.#map), byMember);
  }

  #scaleMarkers(): void {
    const zoom = this.#map.getZoom();
    this.#frame.style.setProperty("--marker", `${markerSize(zoom)}px`);
    this.#frame.toggleAttribute("data-far", zoom < DOT_BELOW_ZOOM);
  }

  async #updatePlaceName(): Promise<void> {
    const { lat, lng: lon } = this.#map.getCenter();
    const zoom = this.#map.getZoom();
    this.#lookups += 1;
    const lookup = this.#lookups;
    const find = async () =>
      zoom < PLACE_NAME_MIN_ZOOM ? NOWHERE : this.#placeNames.placeAt(lat, wrapLongitude(lon), zoom);
    const place = await find().catch(() => undefined);
    if (lookup !== this.#lookups) return;
    const isBack = this.#lacksPlace && place !== undefined;
    this.#lacksPlace = place === undefined;
    if (!place) this.#retryLater();
    // Files can be read again: what failed before, and what is told to have failed only now, need not wait out a pause that each failure doubled.
    else if (isBack) {
      this.#failures = 0;
      if (this.#retryTimer !== undefined) this.#retry();
    }
    this.#listeners().onPlaceChange?.(place ?? NOWHERE);
  }

  #retryLater(): void {
    if (this.#retryTimer !== undefined) return;
    this.#retryTimer = window.setTimeout(this.#retry, RETRY_MS * 2 ** Math.min(this.#failures, RETRY_DOUBLINGS_MAX));
    this.#failures += 1;
  }

  /** Asks again for what could not be loaded, which otherwise stays missing until the map moves, or for good. */
  readonly #retry = () => {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    for (const [id, { type }] of Object.entries(this.#map.getStyle()?.sources ?? {})) {
      if (type !== "vector") continue;
      const source = this.#map.getSource<VectorTileSource>(id);
      if (source && !source.tiles) source.setUrl(source.url);
    }
    // By name: refreshing all tiles of a source would leave one that failed waiting for a load that never began.
    for (const [id, tile] of this.#failedTiles.splice(0))
      if (this.#map.getSource(id)) this.#map.refreshTiles(id, [tile]);
    if (this.#lacksPlace) void this.#updatePlaceName();
  };

  #viewport(): Viewport {
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
    // A test validates the styles of all brands, which would take a third of the time until the first frame.
    validateStyle: false,
    locale: { "Map.Title": title },
  });
  // Tests inspect the map by this event, since a canvas does not reveal what it shows.
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

/** Zoom, column and row in `scheme://z/x/y`. */
function parseTileUrl(url: string): [z: number, x: number, y: number] {
  const [z = 0, x = 0, y = 0] = url
    .slice(url.indexOf("://") + 3)
    .split("/")
    .map(Number);
  return [z, x, y];
}
