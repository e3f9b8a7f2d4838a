import { PICTURE_PIXELATED_PX } from "@lambda/contract/limits";
import type { PositionAggregate } from "@lambda/contract/positions";
import { type MercatorPoint, toMercator } from "@lambda/geo/mercator";
import { initialOf } from "@lambda/ui/initial";
import { pictureUrl } from "../../../../api/picture-url.ts";
import { displayName } from "../../../../format/display-name.ts";
import { isOnline } from "../../../../format/is-online.ts";
import { bubbleSize } from "../data/areas.ts";
import { type Cluster, cluster, markerSize, WORLD_PX } from "../data/clusters.ts";
import type { CollisionBox, MapContent, MapMember } from "../data/map-types.ts";
import css from "./markers.module.css";

/**
 * Draws members as pictures over the map. Panning moves only the layer that contains them, so that the cost of a frame does not depend on
 * their number; those far outside of the view are not in the document. Keyboards and screen readers use the list next to the map instead.
 */

type PlacedMember = MapMember & MercatorPoint;

interface DrawnMarker {
  readonly element: HTMLElement;
  /** Identifies what was drawn, so that an unchanged marker is kept. */
  readonly content: string;
}

export interface Viewport {
  readonly zoom: number;
  readonly center: MercatorPoint;
  readonly width: number;
  readonly height: number;
}

/** How far beyond each edge markers are drawn, as a fraction of the window. */
const MARGIN = 0.3;
/** Members are clustered again at every half zoom level. */
const CLUSTER_ZOOM_STEP = 0.5;
const NAMES_MIN_ZOOM = 15.5;
/** Picture width that is sharp at most marker sizes without loading a larger variant. */
const PICTURE_CSS_PX = 84;
/** From this zoom on, zooming in does not separate clustered members any more. */
export const CLUSTER_SPLIT_MAX_ZOOM = 19;
/** Sizes that match the style sheet: a cluster's picture, the extra width of its count, a bubble's tail. */
const CLUSTER_MIN_PX = 38;
const CLUSTER_WIDTH_FACTOR = 1.3;
const BUBBLE_TAIL_PX = 14;

const NOBODY: ReadonlySet<number> = new Set();

export interface MarkerListeners {
  onMemberPress(id: number): void;
  onClusterPress(members: readonly MapMember[]): void;
  onAreaPress(area: PositionAggregate): void;
  /** Markers moved on the map or changed their size. */
  onLayout(boxes: readonly CollisionBox[]): void;
}

export class MarkerLayer {
  readonly element = document.createElement("div");
  #members: PlacedMember[] = [];
  #areas: (PositionAggregate & MercatorPoint)[] = [];
  #selected: number | null = null;
  #nsfw = false;
  #tonight: ReadonlySet<number> = NOBODY;
  #clusters: Cluster<PlacedMember>[] = [];
  #clusterZoom = Number.NaN;
  #drawn = new Map<string, DrawnMarker>();
  /** The position of the layer's origin, and the zoom that its children are laid out for. */
  #origin: MercatorPoint = { x: 0.5, y: 0.5 };
  #zoom = Number.NaN;
  #pressHandlers = new WeakMap<Element, () => void>();
  #listeners: MarkerListeners;

  constructor(listeners: MarkerListeners) {
    this.#listeners = listeners;
    this.element.className = css.layer ?? "";
    this.element.ariaHidden = "true";
    this.element.addEventListener("click", (event) => {
      const marker = (event.target as Element).closest(`.${css.marker}`);
      const onPress = marker && this.#pressHandlers.get(marker);
      if (!onPress) return;
      event.stopPropagation();
      onPress();
    });
  }

  setContent({ members, areas, tonight, selected, nsfw }: MapContent, viewport: Viewport): void {
    // The first member leads a cluster: the selected one, then those with a picture, then by id for a stable order.
    this.#members = members
      .map((member) => ({ ...member, ...toMercator(member.lat, member.lon) }))
      .sort(
        (a, b) =>
          Number(b.profileId === selected) - Number(a.profileId === selected) ||
          Number(b.profilePicIds.length > 0) - Number(a.profilePicIds.length > 0) ||
          a.profileId - b.profileId,
      );
    this.#areas = areas.map((area) => ({ ...area, ...toMercator(area.centerLat, area.centerLon) }));
    this.#selected = selected;
    this.#nsfw = nsfw;
    this.#tonight = tonight ?? NOBODY;
    this.#clusterZoom = Number.NaN;
    this.draw(viewport);
  }

  /** Called for each frame of a movement. Moves the layer, or redraws it if the zoom changed. */
  move(viewport: Viewport): void {
    if (Math.abs(viewport.zoom - this.#zoom) > 1e-4) this.draw(viewport);
    else this.#translate(viewport);
  }

  #translate({ center, width, height, zoom }: Viewport): void {
    const scale = WORLD_PX * 2 ** zoom;
    const x = width / 2 - (center.x - this.#origin.x) * scale;
    const y = height / 2 - (center.y - this.#origin.y) * scale;
    this.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Redraws the markers in the viewport, including those that a movement uncovered. */
  draw(viewport: Viewport): void {
    const step = Math.floor(viewport.zoom / CLUSTER_ZOOM_STEP) * CLUSTER_ZOOM_STEP;
    if (step !== this.#clusterZoom) {
      this.#clusterZoom = step;
      this.#clusters = cluster(this.#members, step);
      this.#listeners.onLayout(this.#collisionBoxes(step + CLUSTER_ZOOM_STEP / 2));
    }
    this.#origin = viewport.center;
    this.#zoom = viewport.zoom;
    this.element.toggleAttribute("data-names", viewport.zoom >= NAMES_MIN_ZOOM);
    this.#translate(viewport);

    const scale = WORLD_PX * 2 ** viewport.zoom;
    const reachX = viewport.width * (0.5 + MARGIN) + markerSize(viewport.zoom);
    const reachY = viewport.height * (0.5 + MARGIN) + markerSize(viewport.zoom);
    const keysInView = new Set<string>();
    const drawMarker = (key: string, content: string, point: MercatorPoint, create: () => HTMLElement) => {
      // The nearest copy of the world, so that members across the date line are drawn next to each other.
      const x = (point.x - this.#origin.x - Math.round(point.x - this.#origin.x)) * scale;
      const y = (point.y - this.#origin.y) * scale;
      if (Math.abs(x) > reachX || Math.abs(y) > reachY) return;
      keysInView.add(key);
      let marker = this.#drawn.get(key);
      if (marker?.content !== content) {
        marker?.element.remove();
        marker = { element: create(), content };
        this.#drawn.set(key, marker);
        this.element.append(marker.element);
      }
      marker.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    };
    for (const { leader, members } of this.#clusters) {
      const { profileId, profileName, profileAge, profilePicIds, tsUpdated } = leader;
      const isOut = members.some((member) => this.#tonight.has(member.profileId));
      const content = [
        profileName,
        profileAge,
        profilePicIds[0],
        tsUpdated,
        this.#nsfw,
        this.#selected === profileId,
        isOut,
      ];
      const others = members.length - 1;
      drawMarker(`m${profileId}`, [...content, others].join(), leader, () => this.#createMember(leader, members));
    }
    for (const area of this.#areas) {
      const key = `a${area.centerLat},${area.centerLon},${area.deltaLat}`;
      drawMarker(key, String(area.count), area, () => this.#createArea(area));
    }
    for (const [key, { element }] of this.#drawn) {
      if (keysInView.has(key)) continue;
      element.remove();
      this.#drawn.delete(key);
    }
  }

  #collisionBoxes(zoom: number): CollisionBox[] {
    return [
      ...this.#clusters.map(({ leader: { lat, lon }, members }) => {
        const isCluster = members.length > 1;
        const size = isCluster ? Math.max(CLUSTER_MIN_PX, markerSize(zoom)) * CLUSTER_WIDTH_FACTOR : markerSize(zoom);
        return { lat, lon, size: Math.round(size), anchor: "center" as const };
      }),
      ...this.#areas.map(({ centerLat: lat, centerLon: lon, count }) => {
        return { lat, lon, size: bubbleSize(count) + BUBBLE_TAIL_PX, anchor: "bottom" as const };
      }),
    ];
  }

  #createMember(member: PlacedMember, members: readonly PlacedMember[]): HTMLElement {
    const marker = createElement("div", css.marker);
    marker.dataset.member = String(member.profileId);
    const face = createElement("span", `cover clip circle tint ${css.face}`);
    face.append(createInitial(member));
    const picture = member.profilePicIds[0];
    if (picture !== undefined) this.#loadPicture(picture, face);
    marker.append(face);
    if (member.profileId === this.#selected) marker.dataset.selected = "";
    if (members.some(({ profileId }) => this.#tonight.has(profileId))) marker.dataset.tonight = "";
    const others = members.length - 1;
    if (others > 0) {
      marker.dataset.cluster = "";
      const count = createElement("span", `radius-round text-center ${css.count}`);
      count.textContent = `+${others > 999 ? "999" : others}`;
      marker.append(count);
    } else if (isOnline(member)) {
      marker.append(createElement("span", `circle ${css.online}`));
    }
    const name = createElement("span", `radius-round ${css.name}`);
    const age = member.profileAge === null ? "" : ` ${member.profileAge}`;
    name.textContent = others > 0 ? "" : `${displayName(member.profileName)}${age}`;
    marker.append(name);
    this.#pressHandlers.set(marker, () => {
      if (members.length > 1 && member.profileId !== this.#selected) this.#listeners.onClusterPress(members);
      else this.#listeners.onMemberPress(member.profileId);
    });
    return marker;
  }

  /** Covers the initial, unless the server answers with the pixelated version, which shows no face. */
  #loadPicture(picture: number, face: HTMLElement): void {
    const image = document.createElement("img");
    image.className = "cover full-width full-height";
    image.alt = "";
    image.draggable = false;
    image.decoding = "async";
    image.onload = () => {
      if (image.naturalWidth > PICTURE_PIXELATED_PX) face.append(image);
    };
    image.src = pictureUrl(picture, PICTURE_CSS_PX, this.#nsfw);
  }

  #createArea(area: PositionAggregate): HTMLElement {
    const marker = createElement("div", `${css.marker} ${css.area}`);
    marker.dataset.area = "";
    marker.style.setProperty("--bubble", `${bubbleSize(area.count)}px`);
    const number = createElement("span", `relative center full-width full-height circle ${css.number}`);
    number.textContent = new Intl.NumberFormat(document.documentElement.lang, { notation: "compact" }).format(
      area.count,
    );
    marker.append(number);
    this.#pressHandlers.set(marker, () => this.#listeners.onAreaPress(area));
    return marker;
  }
}

function createInitial({ profileName }: MapMember): HTMLElement {
  const initial = createElement("span", `center full-width full-height ${css.initial}`);
  initial.textContent = initialOf(profileName);
  return initial;
}

function createElement(tag: "div" | "span", className: string | undefined): HTMLElement {
  const element = document.createElement(tag);
  element.className = className ?? "";
  return element;
}
