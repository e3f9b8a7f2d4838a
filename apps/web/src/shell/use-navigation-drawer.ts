import { NAVIGATION_CLOSE_MS } from "@lambda/contract/limits";
import { type RefObject, useCallback, useEffect, useState } from "react";

/** State of the side navigation. As a popover it closes on Esc and on outside clicks; it also closes after 8 s without interaction. */
export function useNavigationDrawer(drawer: RefObject<HTMLElement | null>) {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => drawer.current?.hidePopover(), [drawer]);

  useEffect(() => {
    // It may have been opened before the script loaded.
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
    const events = ["keydown", "pointerdown", "pointermove"] as const;
    for (const event of events) element.addEventListener(event, restart);
    return () => {
      clearTimeout(timer);
      for (const event of events) element.removeEventListener(event, restart);
    };
  }, [open, close, drawer]);

  return { open, setOpen, close };
}
