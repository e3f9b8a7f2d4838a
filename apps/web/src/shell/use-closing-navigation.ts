import { NAVIGATION_CLOSE_MS } from "@lambda/contract/limits";
import { type RefObject, useCallback, useEffect, useState } from "react";

/** The side navigation is a popover, which Esc and a press outside of it close; after 8 s in which nobody touched it, it closes by itself. */
export function useClosingNavigation(drawer: RefObject<HTMLElement | null>) {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => drawer.current?.hidePopover(), [drawer]);

  useEffect(() => {
    // It may have been opened before the script came.
    if (drawer.current?.matches(":popover-open")) setOpen(true);
  }, [drawer]);

  useEffect(() => {
    const element = drawer.current;
    if (!open || !element) return;
    let timer = setTimeout(close, NAVIGATION_CLOSE_MS);
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(close, NAVIGATION_CLOSE_MS);
    };
    const touches = ["keydown", "pointerdown", "pointermove"] as const;
    for (const touch of touches) element.addEventListener(touch, restart);
    return () => {
      clearTimeout(timer);
      for (const touch of touches) element.removeEventListener(touch, restart);
    };
  }, [open, close, drawer]);

  return { open, setOpen, close };
}
