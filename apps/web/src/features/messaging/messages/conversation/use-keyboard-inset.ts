import { useEffect, useState } from "react";

/** Height in pixels that the on-screen keyboard covers, so that the composer can stay above it. */
export function useKeyboardInset(): number {
  const [inset, setInset] = useState(0);
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    // Pinch zoom shrinks the visual viewport too, without a keyboard.
    const measure = () =>
      setInset(view.scale > 1.01 ? 0 : Math.max(0, Math.round(innerHeight - view.height - view.offsetTop)));
    view.addEventListener("resize", measure);
    view.addEventListener("scroll", measure);
    return () => {
      view.removeEventListener("resize", measure);
      view.removeEventListener("scroll", measure);
    };
  }, []);
  return inset;
}
