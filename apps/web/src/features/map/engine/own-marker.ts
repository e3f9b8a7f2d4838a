import type { Point } from "@lambda/geo/distance";
import type { OwnMarker as Content } from "../data/map-types.ts";
import css from "./own-marker.module.css";

/** Turns between the window's pixels and places; the map. */
export interface Projection {
  project(point: Point): { readonly x: number; readonly y: number };
  unproject(x: number, y: number): Point;
}

const STEP_PX = 8;
const WIDE_STEP_PX = 48;
/** A press that moves less than this is a press. */
const SLOP_PX = 4;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The member's own marker: dragged by mouse, finger or arrow keys where that is allowed. */
export class OwnMarkerElement {
  readonly element = document.createElement("button");
  #face = document.createElement("span");
  #projection: Projection;
  #content: Content | null = null;
  #drag: { readonly pointer: number; readonly dx: number; readonly dy: number; moved: boolean } | undefined;
  /** Where the finger holds the marker now. */
  #held: Point | undefined;
  #onDrag: (point: Point) => void;
  #justDragged = false;

  constructor(projection: Projection, onDrag: (point: Point) => void, onPress: () => void) {
    this.#projection = projection;
    this.#onDrag = onDrag;
    const { element } = this;
    element.type = "button";
    element.className = css.own ?? "";
    this.#face.className = css.face ?? "";
    element.append(Object.assign(document.createElement("span"), { className: css.pulse ?? "" }), this.#face);
    element.hidden = true;
    element.addEventListener("pointerdown", (event) => this.#start(event));
    element.addEventListener("pointermove", (event) => this.#moved(event));
    element.addEventListener("pointerup", (event) => this.#end(event, true));
    element.addEventListener("pointercancel", (event) => this.#end(event, false));
    // The map pans by these; a marker that is dragged must not drag the map along.
    for (const type of ["mousedown", "touchstart"] as const) {
      element.addEventListener(type, (event) => this.#content?.draggable && event.stopPropagation());
    }
    element.addEventListener("keydown", (event) => this.#key(event));
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      if (this.#justDragged) return;
      const below = this.#manBelow(event);
      if (below) below.click();
      else onPress();
    });
  }

  setContent(content: Content | null): void {
    const before = this.#content;
    this.#content = content;
    const { element } = this;
    element.hidden = content === null;
    if (!content) return;
    element.toggleAttribute("data-draggable", content.draggable);
    element.toggleAttribute("data-hidden", content.hidden);
    element.toggleAttribute("data-live", content.live);
    element.ariaLabel = content.label;
    if (before?.picture !== content.picture || before?.initial !== content.initial) this.#drawFace(content);
    this.follow();
  }

  /** Puts the marker where it belongs after the map moved. */
  follow(): void {
    const point = this.#held ?? this.#content?.point;
    if (!point) return;
    const { x, y } = this.#projection.project(point);
    this.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  #drawFace({ picture, initial }: Content): void {
    const letter = () =>
      Object.assign(document.createElement("span"), { className: css.initial, textContent: initial });
    if (!picture) {
      this.#face.replaceChildren(letter());
      return;
    }
    const image = Object.assign(document.createElement("img"), { alt: "", draggable: false, src: picture });
    image.onerror = () => this.#face.replaceChildren(letter());
    this.#face.replaceChildren(image);
  }

  #start(event: PointerEvent): void {
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

  #moved(event: PointerEvent): void {
    const drag = this.#drag;
    if (!drag || drag.pointer !== event.pointerId || !this.#content) return;
    const frame = this.#frame();
    const x = event.clientX - frame.left - drag.dx;
    const y = event.clientY - frame.top - drag.dy;
    const from = this.#projection.project(this.#content.point);
    if (!drag.moved && Math.hypot(x - from.x, y - from.y) < SLOP_PX) return;
    drag.moved = true;
    this.element.dataset.dragging = "";
    this.#held = this.#projection.unproject(
      Math.min(frame.width, Math.max(0, x)),
      Math.min(frame.height, Math.max(0, y)),
    );
    this.follow();
  }

  #end(event: PointerEvent, kept: boolean): void {
    if (this.#drag?.pointer !== event.pointerId) return;
    const held = this.#held;
    this.#justDragged = this.#drag.moved;
    this.#drag = undefined;
    this.#held = undefined;
    delete this.element.dataset.dragging;
    if (held && kept && this.#content) {
      this.#content = { ...this.#content, point: held };
      this.#onDrag(held);
    }
    this.follow();
  }

  #key(event: KeyboardEvent): void {
    const arrow = ARROWS[event.key];
    if (!arrow || !this.#content?.draggable) return;
    // The map would pan by the same key.
    event.preventDefault();
    event.stopPropagation();
    const step = event.shiftKey ? WIDE_STEP_PX : STEP_PX;
    const { x, y } = this.#projection.project(this.#content.point);
    const point = this.#projection.unproject(x + arrow[0] * step, y + arrow[1] * step);
    this.#content = { ...this.#content, point };
    this.#onDrag(point);
    this.follow();
  }

  /** From afar the marker is a point on the members around it; a finger there means them, the keyboard means the marker. */
  #manBelow({ clientX, clientY, detail }: MouseEvent): HTMLElement | undefined {
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
