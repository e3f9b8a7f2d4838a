import { NAVIGATION_CLOSE_MS } from "@lambda/contract/limits";
import { type RefObject, useCallback, useEffect, useState } from "react";

/** The side navigation closes by itself after 8 s in which nobody touched it, by Esc, and by a press outside of it. */
export function useClosingNavigation(container: RefObject<HTMLElement | null>) {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);

  useEffect(() => {
    if (!open) return;
    const dismiss = () => {
      const held = container.current?.contains(document.activeElement);
      close();
      // The focus must not go with the drawer: back to what opened it.
      if (held) document.querySelector<HTMLElement>("header [aria-controls]")?.focus();
    };
    let timer = setTimeout(dismiss, NAVIGATION_CLOSE_MS);
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(dismiss, NAVIGATION_CLOSE_MS);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") dismiss();
      else if (container.current?.contains(event.target as Node)) restart();
    };
    const onPointer = (event: PointerEvent) => {
      const target = event.target as Element;
      if (container.current?.contains(target)) restart();
      else if (event.type === "pointerdown" && !target.closest("header")) close();
    };
    addEventListener("keydown", onKey);
    addEventListener("pointerdown", onPointer);
    addEventListener("pointermove", onPointer);
    return () => {
      clearTimeout(timer);
      removeEventListener("keydown", onKey);
      removeEventListener("pointerdown", onPointer);
      removeEventListener("pointermove", onPointer);
    };
  }, [open, close, container]);

  return { open, close, toggle: () => setOpen(!open) };
}
