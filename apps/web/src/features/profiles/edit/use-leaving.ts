import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** State that what runs later reads as it is then, not as it was when that began. */
export function useLatest<Value>(first: Value): readonly [Readonly<RefObject<Value>>, (value: Value) => void] {
  const latest = useRef(first);
  const [, redraw] = useState(0);
  const set = useCallback((value: Value) => {
    latest.current = value;
    redraw((count) => count + 1);
  }, []);
  return [latest, set];
}

/** Calls `leave` when the screen goes or the page is put away with the caret still in the field: no blur tells of that. */
export function useLeaving(leave: () => void): void {
  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => {
    const onHide = () => document.visibilityState === "hidden" && latest.current();
    document.addEventListener("visibilitychange", onHide);
    return () => {
      document.removeEventListener("visibilitychange", onHide);
      latest.current();
    };
  }, []);
}
