import { type MouseEvent, type PointerEvent, useRef } from "react";

/** Browsers take a touch for a long press after about as much. */
const HOLD_MS = 400;

/**
 * Handlers that tell a hold from a tap. The click that ends a hold is swallowed.
 *
 * @param withMouse otherwise a pressed mouse selects text
 */
export function useHold(onHold: () => void, withMouse = false) {
  const timer = useRef<number>(undefined);
  const wasHeld = useRef(false);
  const end = () => window.clearTimeout(timer.current);
  return {
    onPointerDown: ({ button, pointerType }: PointerEvent) => {
      end();
      wasHeld.current = false;
      if (button !== 0 || (pointerType === "mouse" && !withMouse)) return;
      timer.current = window.setTimeout(() => {
        wasHeld.current = true;
        onHold();
      }, HOLD_MS);
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    onClickCapture: (event: MouseEvent) => {
      if (!wasHeld.current) return;
      wasHeld.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
    /** The menu of a long press would end the touch. */
    onContextMenu: (event: MouseEvent) => {
      if ((event.nativeEvent as unknown as { pointerType?: string }).pointerType !== "mouse") event.preventDefault();
    },
  };
}
