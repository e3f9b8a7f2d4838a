import { useEffect, useRef } from "react";

/** Calls `onLeave` when the screen unmounts, then with true, or the page is hidden: neither fires a blur event for a focused field. */
export function useOnLeave(onLeave: (isGone: boolean) => void): void {
  const latest = useRef(onLeave);
  latest.current = onLeave;
  useEffect(() => {
    const onHide = () => document.visibilityState === "hidden" && latest.current(false);
    document.addEventListener("visibilitychange", onHide);
    return () => {
      document.removeEventListener("visibilitychange", onHide);
      latest.current(true);
    };
  }, []);
}
