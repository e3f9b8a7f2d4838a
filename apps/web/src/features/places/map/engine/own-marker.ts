import type { Point } from "@lambda/geo/distance";
import type { OwnMarker } from "../data/map-types.ts";
import css from "./own-marker.module.css";

export interface Projection {
  project(point: Point): { readonly x: number; readonly y: number };
  unproject(x: number, y: number): Point;
}

const STEP_PX = 8;
const WIDE_STEP_PX = 48;
/** A pointer that moves less than this makes a press, not a drag. */
const SLOP_PX = 4;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The member's own marker. Mouse, finger and arrow keys move it if it is draggable. */
export class OwnMarkerElement {
  readonly element = document.createElement("button");
  #face = document.createElement("span");
  #projection: Projection;
  #content: OwnMarker | null = null;
  #drag: { readonly pointer: number; readonly dx: number; readonly dy: number; moved: boolean } | undefined;
  #dragPoint: Point | undefined;
  #onDrag: (point: Point) => void;
  #justDragged = false;

  constructor(projection: Projection, onDrag: (point: Point) => void, onPress: () => void) {
    this.#projection = projection;
    this.#onDrag = onDrag;
    const { element } = this;
    element.type = "button";
    element.className = `circle ${css.own}`;
    this.#face.className = `clip circle ${css.face}`;
    element.append(Object.assign(document.createElement("span"), { className: `circle ${css.pulse}` }), this.#face);
    element.hidden = true;
    element.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    element.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    element.addEventListener("pointerup", (event) => this.#onPointerUp(event, true));
    element.addEventListener("pointercancel", (event) => this.#onPointerUp(event, false));
    // Dragging the marker must not pan the map too.
    for (const type of ["mousedown", "touchstart"] as const) {
      element.addEventListener(type, (event) => this.#content?.draggable && event.stopPropagation());
    }
    element.addEventListener("keydown", (event) => this.#onKeyDown(event));
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      if (this.#justDragged) return;
      const markerBelow = this.#findMarkerBelow(event);
      if (markerBelow) markerBelow.click();
      else onPress();
    });
  }

  setContent(content: OwnMarker | null): void {
    const previous = this.#content;
    this.#content = content;
    const { element } = this;
    element.hidden = content === null;
    if (!content) return;
    element.toggleAttribute("data-draggable", content.draggable);
    element.toggleAttribute("data-hidden", content.hidden);
    element.toggleAttribute("data-live", content.live);
    element.toggleAttribute("data-tonight", content.tonight);
    element.ariaLabel = content.label;
    if (previous?.picture !== content.picture || previous?.initial !== content.initial) this.#drawFace(content);
    this.reposition();
  }

  reposition(): void {
    const point = this.#dragPoint ?? this.#content?.point;
    if (!point) return;
    const { x, y } = this.#projection.project(point);
    this.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  #drawFace({ picture, initial }: OwnMarker): void {
    const createInitial = () =>
      Object.assign(document.createElement("span"), {
        className: `center full-width full-height ${css.initial}`,
        textContent: initial,
      });
    if (!picture) {
      this.#face.replaceChildren(createInitial());
      return;
    }
    const image = Object.assign(document.createElement("img"), {
      className: "full-width full-height",
      alt: "",
      draggable: false,
      src: picture,
    });
    image.onerror = () => this.#face.replaceChildren(createInitial());
    this.#face.replaceChildren(image);
  }

  #onPointerDown(event: PointerEvent): void {
    this.#justDragged = false;
    if (!this.#content?.draggable || event.button !== 0 || this.#drag) return;
    const { x, y } = this.#projection.project(this.#content.point);
    const frame = this.#frame();
    this.#drag = {
      pointer: event.pointerId,
      dx: event.clientX - frame.left - x,
      dy: event.clientY - frame.top - y,
      moved: false,
    };
    this.element.setPointerCapture(event.pointerId);
  }

  #onPointerMove(event: PointerEvent): void {
    const drag = this.#drag;
    if (!drag || drag.pointer !== event.pointerId || !this.#content) return;
    const frame = this.#frame();
    const x = event.clientX - frame.left - drag.dx;
    const y = event.clientY - frame.top - drag.dy;
    const from = this.#projection.project(this.#content.point);
    if (!drag.moved && Math.hypot(x - from.x, y - from.y) < SLOP_PX) return;
    drag.moved = true;
    this.element.dataset.dragging = "";
    this.#dragPoint = this.#projection.unproject(
      Math.min(frame.width, Math.max(0, x)),
      Math.min(frame.height, Math.max(0, y)),
    );
    this.reposition();
  }

  #onPointerUp(event: PointerEvent, isDropped: boolean): void {
    if (this.#drag?.pointer !== event.pointerId) return;
    const dropPoint = this.#dragPoint;
    this.#justDragged = this.#drag.moved;
    this.#drag = undefined;
    this.#dragPoint = undefined;
    delete this.element.dataset.dragging;
    if (dropPoint && isDropped && this.#content) {
      this.#content = { ...this.#content, point: dropPoint };
      this.#onDrag(dropPoint);
    }
    this.reposition();
  }

  #onKeyDown(event: KeyboardEvent): void {
    const arrow = ARROWS[event.key];
    if (!arrow || !this.#content?.draggable) return;
    // The same key would pan the map.
    event.preventDefault();
    event.stopPropagation();
    const step = event.shiftKey ? WIDE_STEP_PX : STEP_PX;
    const { x, y } = this.#projection.project(this.#content.point);
    const point = this.#projection.unproject(x + arrow[0] * step, y + arrow[1] * step);
    this.#content = { ...this.#content, point };
    this.#onDrag(point);
    this.reposition();
  }

  /** When zoomed out, the own marker is a dot over other members. A pointer press then goes to the member below, a key press does not. */
  #findMarkerBelow({ clientX, clientY, detail }: MouseEvent): HTMLElement | undefined {
    if (detail === 0 || !this.element.closest("[data-far]")) return undefined;
    return document
      .elementsFromPoint(clientX, clientY)
      .map((element) => element.closest<HTMLElement>("[data-member], [data-area]"))
      .find((marker) => marker !== null);
  }

  #frame(): DOMRect {
    return (this.element.parentElement ?? this.element).getBoundingClientRect();
  }
}
