import { type PointerEvent, useRef, useState } from "react";
import { releaseVerdict } from "../../../components/SwipeDeck/swipe-gesture.ts";

const SCALE_MAX = 4;
/** What is pinched less looks whole, and swipes. */
const SCALE_MIN = 1.1;
/** What a double tap zooms to. */
const SCALE_TAPPED = 2.5;
const DOUBLE_TAP_MS = 300;
/** Below this distance a touch is a tap. */
const TAP_PX = 8;
const DOUBLE_TAP_PX = 40;

interface View {
  readonly scale: number;
  /** Offset of the picture's center from the stage's, in pixels. */
  readonly x: number;
  readonly y: number;
}

const WHOLE: View = { scale: 1, x: 0, y: 0 };

interface Point {
  readonly x: number;
  readonly y: number;
}

interface ZoomHandlers {
  readonly onSwipe: (direction: "previous" | "next") => void;
  readonly onTap: () => void;
}

/** Pinch, double tap and pan of a picture; while it is whole, a horizontal drag swipes. Handlers go on the stage, the view on the picture. */
export function useZoom({ onSwipe, onTap }: ZoomHandlers) {
  const [view, setView] = useState(WHOLE);
  const [isHeld, setHeld] = useState(false);
  const fingers = useRef(new Map<number, Point>());
  const start = useRef({ view: WHOLE, at: 0, center: { x: 0, y: 0 }, spread: 0, moved: 0, wasPinch: false });
  const lastTap = useRef({ at: 0, x: 0, y: 0 });

  /** The fingers' middle, relative to the middle of the stage, and how far they are from each other. */
  const measure = (stage: HTMLElement) => {
    const box = stage.getBoundingClientRect();
    const points = [...fingers.current.values()];
    const sum = points.reduce((total, point) => ({ x: total.x + point.x, y: total.y + point.y }), { x: 0, y: 0 });
    const center = {
      x: sum.x / points.length - box.left - box.width / 2,
      y: sum.y / points.length - box.top - box.height / 2,
    };
    const [a, b] = points;
    return { center, spread: a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0 };
  };
  /** A zoom that keeps what is under `center` there. */
  const zoomAt = (from: View, scale: number, center: Point, stage: HTMLElement): View => {
    const bounded = Math.min(SCALE_MAX, Math.max(1, scale));
    const grown = bounded / from.scale;
    return keepInside(
      { scale: bounded, x: center.x - (center.x - from.x) * grown, y: center.y - (center.y - from.y) * grown },
      stage,
    );
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    const { center, spread } = measure(event.currentTarget);
    const wasPinch = fingers.current.size > 1 || (start.current.wasPinch && fingers.current.size > 0 && isHeld);
    start.current = { view, at: event.timeStamp, center, spread, moved: 0, wasPinch };
  };
  const release = (event: PointerEvent<HTMLElement>) => {
    const stage = event.currentTarget;
    const { view: from, at, center, moved, wasPinch } = start.current;
    const { center: to } = measure(stage);
    fingers.current.delete(event.pointerId);
    if (fingers.current.size > 0) return begin(event);
    setHeld(false);
    if (event.type !== "pointerup" || wasPinch) return setView((shown) => (shown.scale < SCALE_MIN ? WHOLE : shown));
    if (moved < TAP_PX) {
      const isDouble =
        event.timeStamp - lastTap.current.at < DOUBLE_TAP_MS &&
        Math.hypot(to.x - lastTap.current.x, to.y - lastTap.current.y) < DOUBLE_TAP_PX;
      lastTap.current = isDouble ? { at: 0, x: 0, y: 0 } : { at: event.timeStamp, ...to };
      if (isDouble) setView(from.scale > 1 ? WHOLE : zoomAt(from, SCALE_TAPPED, to, stage));
      onTap();
      return;
    }
    if (from.scale > 1) return;
    const x = to.x - center.x;
    setView(WHOLE);
    const verdict = releaseVerdict({ x, y: 0 }, { x: x / Math.max(1, event.timeStamp - at), y: 0 });
    if (verdict) onSwipe(verdict === "LIKE" ? "previous" : "next");
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      setHeld(true);
      begin(event);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!fingers.current.has(event.pointerId)) return;
      fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const { center, spread } = measure(event.currentTarget);
      const { view: from, center: began, spread: wide } = start.current;
      const by = { x: center.x - began.x, y: center.y - began.y };
      start.current.moved = Math.max(start.current.moved, Math.hypot(by.x, by.y));
      if (wide > 0) {
        const moved = { ...from, x: from.x + by.x, y: from.y + by.y };
        setView(zoomAt(moved, (from.scale * spread) / wide, center, event.currentTarget));
      } else if (from.scale > 1)
        setView(keepInside({ ...from, x: from.x + by.x, y: from.y + by.y }, event.currentTarget));
      else setView({ scale: 1, x: by.x, y: 0 });
    },
    onPointerUp: release,
    onPointerCancel: release,
  };
  const style = {
    translate: `${view.x}px ${view.y}px`,
    scale: String(view.scale),
    ...(!isHeld && { transition: "translate var(--move) var(--ease), scale var(--move) var(--ease)" }),
  };
  return { handlers, style, isZoomed: view.scale > 1, reset: () => setView(WHOLE) };
}

/** An enlarged picture never leaves the stage. */
function keepInside({ scale, x, y }: View, stage: HTMLElement): View {
  const picture = stage.firstElementChild as HTMLElement;
  const room = (size: number, outer: number) => Math.max(0, (size * scale - outer) / 2);
  const [wide, high] = [room(picture.offsetWidth, stage.clientWidth), room(picture.offsetHeight, stage.clientHeight)];
  return { scale, x: Math.min(wide, Math.max(-wide, x)), y: Math.min(high, Math.max(-high, y)) };
}
