import { type PointerEvent, useRef, useState } from "react";

export interface SwipeTargets {
  readonly onLeft?: () => void;
  readonly onRight?: () => void;
  readonly onDown?: () => void;
}

export interface Swipe {
  /** How far the finger carried it; 0 when nothing is held. */
  readonly offset: { readonly x: number; readonly y: number };
  readonly held: boolean;
  readonly handlers: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    onPointerCancel: () => void;
  };
}

/** A swipe is further than this, or faster than that (px/ms). */
const FAR_PX = 96;
const FAST = 0.5;
/** Below this it is a press. */
const SLIP_PX = 8;

/** Follows a finger or the mouse and tells the way it threw; upwards is blocked. */
export function useSwipe(targets: SwipeTargets): Swipe {
  const [offset, setOffset] = useState({ x: 0, y: 0 });
  const start = useRef<{ x: number; y: number; at: number }>(undefined);

  const end = (event: PointerEvent<HTMLElement>) => {
    const from = start.current;
    start.current = undefined;
    setOffset({ x: 0, y: 0 });
    if (!from) return;
    const x = event.clientX - from.x;
    const y = event.clientY - from.y;
    const ms = Math.max(1, event.timeStamp - from.at);
    const thrown = (way: number) =>
      Math.abs(way) > FAR_PX || (Math.abs(way) > SLIP_PX * 3 && Math.abs(way) / ms > FAST);
    if (Math.abs(x) >= Math.abs(y)) {
      if (thrown(x)) (x < 0 ? targets.onLeft : targets.onRight)?.();
    } else if (y > 0 && thrown(y)) targets.onDown?.();
  };

  return {
    offset,
    held: start.current !== undefined,
    handlers: {
      onPointerDown: (event) => {
        if (event.button !== 0 || (event.target as Element).closest("a, button")) return;
        start.current = { x: event.clientX, y: event.clientY, at: event.timeStamp };
      },
      onPointerMove: (event) => {
        const from = start.current;
        if (!from) return;
        const x = event.clientX - from.x;
        const y = targets.onDown ? Math.max(0, event.clientY - from.y) : 0;
        if (Math.hypot(x, y) < SLIP_PX) return;
        // Captured only now, so that a press stays a press.
        if (!event.currentTarget.hasPointerCapture(event.pointerId))
          event.currentTarget.setPointerCapture(event.pointerId);
        setOffset({ x, y });
      },
      onPointerUp: end,
      onPointerCancel: () => {
        start.current = undefined;
        setOffset({ x: 0, y: 0 });
      },
    },
  };
}
