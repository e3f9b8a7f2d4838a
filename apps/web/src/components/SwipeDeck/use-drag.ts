import { type PointerEvent, useRef } from "react";
import type { Drag } from "./swipe-gesture.ts";

/** Below this distance a touch is still a tap or a scroll. */
export const DRAG_THRESHOLD_PX = 6;
/** A finger that rested this long before the release did not flick. */
const REST_MS = 80;

interface Hold {
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  readonly atBottom: boolean;
  last: { x: number; y: number; at: number };
  speed: Drag;
  moving: boolean;
}

export interface DragHandlers {
  /** @param atBottom whether the finger holds the lower part of the element */
  readonly onMove: (drag: Drag, atBottom: boolean) => void;
  /** @param speed in px/ms, zero if the finger rested */
  readonly onRelease: (drag: Drag, speed: Drag) => void;
  readonly onCancel: () => void;
  readonly disabled?: () => boolean;
}

/** Tracks a drag by one finger or the mouse. Captures the pointer only once it moves, so that clicks still work. */
export function useDrag({ onMove, onRelease, onCancel, disabled }: DragHandlers) {
  const hold = useRef<Hold>(undefined);
  const cancel = () => {
    if (hold.current?.moving) onCancel();
    hold.current = undefined;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || hold.current || disabled?.()) return;
      const box = event.currentTarget.getBoundingClientRect();
      const { clientX: x, clientY: y } = event;
      const last = { x, y, at: event.timeStamp };
      const atBottom = y > box.top + box.height * 0.6;
      hold.current = { pointer: event.pointerId, x, y, atBottom, last, speed: { x: 0, y: 0 }, moving: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const held = hold.current;
      if (!held || held.pointer !== event.pointerId) return;
      // The mouse was released outside of the element before it was captured.
      if (event.buttons === 0) return cancel();
      const drag = { x: event.clientX - held.x, y: event.clientY - held.y };
      if (!held.moving) {
        if (Math.hypot(drag.x, drag.y) < DRAG_THRESHOLD_PX) return;
        held.moving = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      const time = Math.max(1, event.timeStamp - held.last.at);
      held.speed = { x: (event.clientX - held.last.x) / time, y: (event.clientY - held.last.y) / time };
      held.last = { x: event.clientX, y: event.clientY, at: event.timeStamp };
      onMove(drag, held.atBottom);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const held = hold.current;
      if (!held || held.pointer !== event.pointerId) return;
      hold.current = undefined;
      if (!held.moving) return;
      const drag = { x: event.clientX - held.x, y: event.clientY - held.y };
      onRelease(drag, event.timeStamp - held.last.at < REST_MS ? held.speed : { x: 0, y: 0 });
    },
    onPointerCancel: cancel,
    onLostPointerCapture: (event: PointerEvent<HTMLElement>) => {
      // A finger's capture moves from the child that it touched to the element.
      if (event.target === event.currentTarget) cancel();
    },
  };
}
