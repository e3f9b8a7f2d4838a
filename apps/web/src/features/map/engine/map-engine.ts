import { type CellBounds, wrapLongitude } from "@lambda/contract/grid";
import type { MapRegion } from "@lambda/contract/map-archives";
import type { PositionAggregate } from "@lambda/contract/positions";
import type { FeatureCollection } from "geojson";
import {
  addProtocol,
  type GeoJSONSource,
  Map as MapLibreMap,
  type StyleSpecification,
  setWorkerUrl,
} from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import type { LatLng } from "../../../device/device-keys.ts";
import type { Units } from "../../../format/distance.ts";
import { markerSize } from "../data/clusters.ts";
import type { MapContent, MapListeners, MapMember, MapView, TakenPlace } from "../data/map-types.ts";
import { toMercator } from "../data/mercator.ts";
import { NO_RINGS, ringsAround } from "../style/distance-rings.ts";
import { CELL_SOURCE, RINGS_SOURCE, TAKEN_IMAGE, TAKEN_SOURCE } from "../style/sources.ts";
import { cellFeature, takenFeatures } from "./ground-features.ts";
import css from "./map.module.css";
import { type Camera, isCrowd, MarkerLayer } from "./marker-layer.ts";
import { OwnMarkerElement } from "./own-marker.ts";
import { PlaceNames } from "./places.ts";
import { registerPmtiles, streetTiles } from "./pmtiles.ts";

/** The only module that loads maplibre-gl; the screen imports it when it opens. */

setWorkerUrl(workerUrl);
registerPmtiles(addProtocol);

const MAP_MIN_ZOOM = 1.5;
const MAP_MAX_ZOOM = 20;
/** Below it his own marker is a mere point, so that it does not cover a state. */
const FAR_BELOW_ZOOM = 8.5;
/** From here on the map says what the ground in its middle is called. */
const PLACE_FROM_ZOOM = 8.5;
/** A bubble that is pressed brings the map so much closer, up to where men are shown one by one on any window. */
const AREA_STEPS = 3;
const AREA_ZOOM = 8;
/** His own marker grows less than others'. */
const OWN_MAX_PX = 66;

export interface MapEngineOptions {
  readonly style: StyleSpecification;
  /** The basemap's archive. */
  readonly tilesUrl: string;
  readonly regions: readonly MapRegion[];
  readonly center: LatLng;
  readonly zoom: number;
  /** Name of the canvas for screen readers. */
  readonly title: string;
  readonly locale: string;
  readonly units: Units;
}

/** What others see of him: the cell that holds his published position. */
export interface OwnGround {
  readonly rings: LatLng | null;
  readonly cell: CellBounds | null;
}

interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface MapEngine {
  setContent(content: MapContent): void;
  setGround(ground: OwnGround): void;
  setStyle(style: StyleSpecification): void;
  flyTo(point: LatLng, zoom: number): void;
  /** Moves a chosen man out from under what covers the window's edges, in pixels. */
  reveal(point: LatLng, covered: { readonly right: number; readonly bottom: number; readonly left: number }): void;
  openArea(area: PositionAggregate): void;
  zoomBy(steps: number): void;
  destroy(): void;
}

/** Throws where the browser cannot draw (no WebGL). */
export function createMapEngine(container: HTMLElement, options: MapEngineOptions, listeners: MapListeners): MapEngine {
  streetTiles.setRegions(options.regions);
  const map = new MapLibreMap({
    container,
    style: options.style,
    center: [options.center.lng, options.center.lat],
    zoom: options.zoom,
    minZoom: MAP_MIN_ZOOM,
    maxZoom: MAP_MAX_ZOOM,
    attributionControl: { compact: false },
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    fadeDuration: 180,
    locale: { "Map.Title": options.title },
  });
  // Tests ask what is drawn: a canvas does not say.
  container.addEventListener("inspect-map", (event) => (event as CustomEvent<(map: MapLibreMap) => void>).detail(map));
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();

  const camera = (): Camera => {
    const { lat, lng } = map.getCenter();
    return {
      zoom: map.getZoom(),
      center: toMercator(lat, lng),
      width: container.clientWidth,
      height: container.clientHeight,
    };
  };
  /** The copy of a place that is nearest to the middle: the map goes round and round. */
  const near = (point: LatLng): [number, number] => {
    const middle = map.getCenter().lng;
    return [point.lng - 360 * Math.round((point.lng - middle) / 360), point.lat];
  };
  const reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
  const go = (point: LatLng, zoom: number) => {
    if (reduced.matches) map.jumpTo({ center: near(point), zoom });
    else map.flyTo({ center: near(point), zoom, maxDuration: 2200 });
  };
  const fit = ({ west, south, east, north }: Box, least = 0, middle?: LatLng) => {
    const box: [[number, number], [number, number]] = [
      [west, south],
      [east, north],
    ];
    const options = { padding: 72, maxZoom: MAP_MAX_ZOOM };
    if (middle && (map.cameraForBounds(box, options)?.zoom ?? 0) < least) go(middle, least);
    else map.fitBounds(box, { ...options, animate: !reduced.matches });
  };
  /** The whole of it, or where most of its men are if that would be no closer. */
  const openArea = ({ centerLat: lat, centerLon, deltaLat, deltaLon }: PositionAggregate) => {
    const [lng] = near({ lat, lng: centerLon });
    const box = { west: lng - deltaLon, east: lng + deltaLon, south: lat - deltaLat, north: lat + deltaLat };
    fit(box, Math.min(map.getZoom() + AREA_STEPS, AREA_ZOOM), { lat, lng });
  };

  let ground: OwnGround = { rings: null, cell: null };
  let loaded = false;
  let taken: readonly TakenPlace[] = [];
  let drawnTaken = "";
  const drawTaken = () => {
    if (!loaded) return;
    const own = ground.rings && {
      ...ground.rings,
      size: Math.min(OWN_MAX_PX, markerSize(map.getZoom())),
      anchor: "center",
    };
    const data = JSON.stringify(takenFeatures(own ? [...taken, own as TakenPlace] : taken));
    if (data === drawnTaken) return;
    drawnTaken = data;
    map.getSource<GeoJSONSource>(TAKEN_SOURCE)?.setData(JSON.parse(data) as FeatureCollection);
  };

  const markers = new MarkerLayer({
    onMember: listeners.onMember,
    onArea: openArea,
    onCluster: (members) => {
      if (isCrowd(map.getZoom())) listeners.onCrowd(members.map(({ profileId }) => profileId));
      else fit(boxOf(members, near));
    },
    onLayout: (places) => {
      taken = places;
      drawTaken();
    },
  });
  const own = new OwnMarkerElement(
    {
      project: (point) => map.project(near(point)),
      unproject: (x, y) => map.unproject([x, y]),
    },
    ({ lat, lng }) => listeners.onDrag({ lat, lng: wrapLongitude(lng) }),
    listeners.onOwn,
  );
  const frame = document.createElement("div");
  frame.className = css.frame ?? "";
  frame.append(markers.element, own.element);
  map.getCanvasContainer().append(frame);

  const scale = () => {
    const zoom = map.getZoom();
    frame.style.setProperty("--marker", `${markerSize(zoom)}px`);
    frame.toggleAttribute("data-far", zoom < FAR_BELOW_ZOOM);
  };
  scale();
  map.on("zoom", scale);
  map.on("move", () => {
    markers.follow(camera());
    own.follow();
  });
  map.on("moveend", (event) => {
    markers.settle(camera());
    own.follow();
    listeners.onView(viewOf(map), "originalEvent" in event && event.originalEvent !== undefined);
  });
  map.on("resize", () => {
    markers.settle(camera());
    own.follow();
    listeners.onView(viewOf(map), false);
  });
  const names = new PlaceNames(options.tilesUrl, options.locale, streetTiles);
  let asked = 0;
  const tellPlace = async () => {
    const { lat, lng } = map.getCenter();
    const zoom = map.getZoom();
    asked += 1;
    const mine = asked;
    const name = zoom < PLACE_FROM_ZOOM ? null : await names.at(lat, wrapLongitude(lng), zoom);
    if (mine === asked) listeners.onPlace(name);
  };
  map.on("moveend", () => void tellPlace());
  map.on("load", () => void tellPlace());
  map.on("click", listeners.onGround);
  map.on("styleimagemissing", ({ id }) => {
    if (id === TAKEN_IMAGE) map.addImage(id, { width: 1, height: 1, data: new Uint8Array(4) });
  });
  // A tile that does not come leaves its place empty, and is asked for again when the map next shows it.
  map.on("error", () => undefined);
  // Those that did not come without a network are asked for when it is back.
  const online = () => {
    for (const id of Object.keys(map.getStyle().sources))
      if (map.getSource(id)?.type === "vector") map.refreshTiles(id);
  };
  addEventListener("online", online);

  const drawGround = () => {
    if (!loaded) return;
    const { rings, cell } = ground;
    map
      .getSource<GeoJSONSource>(RINGS_SOURCE)
      ?.setData(rings ? ringsAround(rings.lat, rings.lng, options.locale, options.units) : NO_RINGS);
    map.getSource<GeoJSONSource>(CELL_SOURCE)?.setData(cellFeature(cell));
    drawTaken();
  };
  const awaitStyle = () => {
    loaded = false;
    drawnTaken = "";
    map.once("style.load", () => {
      loaded = true;
      drawGround();
    });
  };
  awaitStyle();
  listeners.onView(viewOf(map), false);

  return {
    setContent(content) {
      markers.setContent(content, camera());
      own.setContent(content.own);
    },
    setGround(next) {
      ground = next;
      drawGround();
    },
    setStyle(style) {
      awaitStyle();
      map.setStyle(style, { diff: false });
    },
    flyTo: go,
    reveal(point, { left, right, bottom }) {
      const { x, y } = map.project(near(point));
      const { width, height } = camera();
      const edge = 72;
      const dx = Math.min(0, x - left - edge) + Math.max(0, x - (width - right - edge));
      const dy = Math.min(0, y - edge) + Math.max(0, y - (height - bottom - edge));
      if (dx !== 0 || dy !== 0) map.panBy([dx, dy], { animate: !reduced.matches, duration: 300 });
    },
    openArea,
    zoomBy: (steps) => map.zoomTo(map.getZoom() + steps, { animate: !reduced.matches }),
    destroy: () => {
      removeEventListener("online", online);
      map.remove();
    },
  };
}

function viewOf(map: MapLibreMap): MapView {
  const { lat, lng } = map.getCenter();
  const bounds = map.getBounds();
  return {
    lat,
    lng: wrapLongitude(lng),
    zoom: map.getZoom(),
    bounds: { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() },
  };
}

function boxOf(members: readonly MapMember[], near: (point: LatLng) => [number, number]) {
  const points = members.map(({ lat, lon }) => near({ lat, lng: lon }));
  const [lngs, lats] = [points.map(([lng]) => lng), points.map(([, lat]) => lat)];
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) };
}
