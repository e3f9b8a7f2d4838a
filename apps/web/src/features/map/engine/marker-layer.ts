import { ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import type { PositionAggregate } from "@lambda/contract/positions";
import { type Placed, toMercator } from "@lambda/geo/mercator";
import { pictureUrl } from "../../../api/picture-url.ts";
import { shownName } from "../../../format/shown-name.ts";
import { bubbleSize } from "../data/areas.ts";
import { type Cluster, cluster, markerSize, WORLD_PX } from "../data/clusters.ts";
import type { MapContent, MapMember, TakenPlace } from "../data/map-types.ts";
import css from "./markers.module.css";

/**
 * Members as pictures over the map. They are elements of one layer, and a panning map moves the layer alone: what a frame
 * costs does not depend on how many members there are. Only those in sight and a margin around it are in the document.
 *
 * For eyes and fingers; the list beside the map tells the same to keyboard and screen reader.
 */

type PlacedMember = MapMember & Placed;

interface Shown {
  readonly element: HTMLElement;
  readonly at: Placed;
  /** What was drawn, to leave alone what stays the same. */
  readonly drawn: string;
}

/** The camera as the layer needs it. */
export interface Camera {
  readonly zoom: number;
  readonly center: Placed;
  readonly width: number;
  readonly height: number;
}

/** Share of the window, on each side, that is prepared beyond its edge. */
const MARGIN = 0.3;
/** Clusters are made anew at every half zoom. */
const CLUSTER_STEP = 0.5;
const NAMES_FROM_ZOOM = 15.5;
/** Stored width that is sharp at most sizes; larger screens of 3 pixels a point get the next one in the street. */
const PICTURE_CSS_PX = 84;
const CROWD_ZOOM = 19;
/** Sizes of the style sheet: a picture that stands for several, the room of its count beside it, a bubble's tail. */
const CLUSTER_MIN_PX = 38;
const CLUSTER_ROOM = 1.3;
const BUBBLE_TAIL_PX = 14;

export interface MarkerTargets {
  onMember(id: number): void;
  onCluster(members: readonly MapMember[]): void;
  onArea(area: PositionAggregate): void;
  /** Markers stand elsewhere now, or have another size. */
  onLayout(places: readonly TakenPlace[]): void;
}

export class MarkerLayer {
  readonly element = document.createElement("div");
  #members: PlacedMember[] = [];
  #areas: (PositionAggregate & Placed)[] = [];
  #selected: number | null = null;
  #nsfw = false;
  #clusters: Cluster<PlacedMember>[] = [];
  #clusterZoom = Number.NaN;
  #shown = new Map<string, Shown>();
  /** Where the layer's own origin lies, and the zoom its children are laid out for. */
  #origin: Placed = { x: 0.5, y: 0.5 };
  #zoom = Number.NaN;
  #presses = new WeakMap<Element, () => void>();
  #targets: MarkerTargets;

  constructor(targets: MarkerTargets) {
    this.#targets = targets;
    this.element.className = css.layer ?? "";
    this.element.ariaHidden = "true";
    this.element.addEventListener("click", (event) => {
      const marker = (event.target as Element).closest(`.${css.marker}`);
      const press = marker && this.#presses.get(marker);
      if (!press) return;
      event.stopPropagation();
      press();
    });
  }

  setContent({ members, areas, selected, nsfw }: MapContent, camera: Camera): void {
    // Whoever is first keeps a marker: the chosen one, then members with a picture, then by id, which never changes.
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
    this.#clusterZoom = Number.NaN;
    this.#draw(camera);
  }

  /** Each frame of a movement: moves the layer; lays out anew when the zoom changed. */
  follow(camera: Camera): void {
    if (Math.abs(camera.zoom - this.#zoom) > 1e-4) {
      this.#draw(camera);
      return;
    }
    this.#move(camera);
  }

  /** The map came to rest: brings in what the movement has uncovered. */
  settle(camera: Camera): void {
    this.#draw(camera);
  }

  #move({ center, width, height, zoom }: Camera): void {
    const scale = WORLD_PX * 2 ** zoom;
    const x = width / 2 - (center.x - this.#origin.x) * scale;
    const y = height / 2 - (center.y - this.#origin.y) * scale;
    this.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  #draw(camera: Camera): void {
    const step = Math.floor(camera.zoom / CLUSTER_STEP) * CLUSTER_STEP;
    if (step !== this.#clusterZoom) {
      this.#clusterZoom = step;
      this.#clusters = cluster(this.#members, step);
      this.#targets.onLayout(this.#taken(step + CLUSTER_STEP / 2));
    }
    this.#origin = camera.center;
    this.#zoom = camera.zoom;
    this.element.toggleAttribute("data-names", camera.zoom >= NAMES_FROM_ZOOM);
    this.#move(camera);

    const scale = WORLD_PX * 2 ** camera.zoom;
    const reachX = camera.width * (0.5 + MARGIN) + markerSize(camera.zoom);
    const reachY = camera.height * (0.5 + MARGIN) + markerSize(camera.zoom);
    const kept = new Set<string>();
    const put = (key: string, drawn: string, at: Placed, make: () => HTMLElement) => {
      // The copy of the world that is nearest to the middle of the window: members beyond the date line are neighbours.
      const x = (at.x - this.#origin.x - Math.round(at.x - this.#origin.x)) * scale;
      const y = (at.y - this.#origin.y) * scale;
      if (Math.abs(x) > reachX || Math.abs(y) > reachY) return;
      kept.add(key);
      let shown = this.#shown.get(key);
      if (shown?.drawn !== drawn) {
        shown?.element.remove();
        shown = { element: make(), at, drawn };
        this.#shown.set(key, shown);
        this.element.append(shown.element);
      }
      shown.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    };
    for (const { leader, members } of this.#clusters) {
      const { profileId, profileName, profileAge, profilePicIds, tsUpdated } = leader;
      const drawn = [profileName, profileAge, profilePicIds[0], tsUpdated, this.#nsfw, this.#selected === profileId];
      const others = members.length - 1;
      put(`m${profileId}`, [...drawn, others].join(), leader, () => this.#member(leader, members));
    }
    for (const area of this.#areas) {
      put(`a${area.centerLat},${area.centerLon},${area.deltaLat}`, String(area.count), area, () => this.#area(area));
    }
    for (const [key, { element }] of this.#shown) {
      if (kept.has(key)) continue;
      element.remove();
      this.#shown.delete(key);
    }
  }

  #taken(zoom: number): TakenPlace[] {
    return [
      ...this.#clusters.map(({ leader: { lat, lon }, members }) => {
        const several = members.length > 1;
        const size = several ? Math.max(CLUSTER_MIN_PX, markerSize(zoom)) * CLUSTER_ROOM : markerSize(zoom);
        return { lat, lon, size: Math.round(size), anchor: "center" as const };
      }),
      ...this.#areas.map(({ centerLat: lat, centerLon: lon, count }) => {
        return { lat, lon, size: bubbleSize(count) + BUBBLE_TAIL_PX, anchor: "bottom" as const };
      }),
    ];
  }

  #member(member: PlacedMember, members: readonly PlacedMember[]): HTMLElement {
    const marker = node("div", css.marker);
    marker.dataset.member = String(member.profileId);
    const face = node("span", css.face);
    const picture = member.profilePicIds[0];
    if (picture === undefined) face.append(initialOf(member));
    else {
      const image = document.createElement("img");
      image.alt = "";
      image.draggable = false;
      image.decoding = "async";
      image.src = pictureUrl(picture, PICTURE_CSS_PX, this.#nsfw);
      image.onerror = () => image.replaceWith(initialOf(member));
      face.append(image);
    }
    marker.append(face);
    if (member.profileId === this.#selected) marker.dataset.selected = "";
    const others = members.length - 1;
    if (others > 0) {
      marker.dataset.cluster = "";
      const count = node("span", css.count);
      count.textContent = `+${others > 999 ? "999" : others}`;
      marker.append(count);
    } else if (Date.now() - Date.parse(member.tsUpdated) <= ONLINE_WITHIN_MS) {
      marker.append(node("span", css.online));
    }
    const name = node("span", css.name);
    const age = member.profileAge === null ? "" : ` ${member.profileAge}`;
    name.textContent = others > 0 ? "" : `${shownName(member.profileName)}${age}`;
    marker.append(name);
    this.#presses.set(marker, () => {
      if (members.length > 1 && member.profileId !== this.#selected) this.#targets.onCluster(members);
      else this.#targets.onMember(member.profileId);
    });
    return marker;
  }

  #area(area: PositionAggregate): HTMLElement {
    const marker = node("div", `${css.marker} ${css.area}`);
    marker.dataset.area = "";
    marker.style.setProperty("--bubble", `${bubbleSize(area.count)}px`);
    const number = node("span", css.number);
    number.textContent = new Intl.NumberFormat(document.documentElement.lang, { notation: "compact" }).format(
      area.count,
    );
    marker.append(number);
    this.#presses.set(marker, () => this.#targets.onArea(area));
    return marker;
  }
}

/** Where zooming further would not part them. */
export function isCrowd(zoom: number): boolean {
  return zoom >= CROWD_ZOOM;
}

function initialOf({ profileName }: MapMember): HTMLElement {
  const initial = node("span", css.initial);
  initial.textContent = profileName.trim().charAt(0).toLocaleUpperCase();
  return initial;
}

function node(tag: "div" | "span", className: string | undefined): HTMLElement {
  const element = document.createElement(tag);
  element.className = className ?? "";
  return element;
}
