import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** State in a ref, so that callbacks that run later read its current value. Setting it rerenders. */
export function useLatestState<Value>(initial: Value): readonly [Readonly<RefObject<Value>>, (value: Value) => void] {
  const latest = useRef(initial);
  const [, rerender] = useState(0);
  const set = useCallback((value: Value) => {
    latest.current = value;
    rerender((count) => count + 1);
  }, []);
  return [latest, set];
}

/** Calls `onLeave` when the screen unmounts or the page is hidden, which fire no blur event for a focused field. */
export function useOnLeave(onLeave: () => void): void {
  const latest = useRef(onLeave);
  latest.current = onLeave;
  useEffect(() => {
    const onHide = () => document.visibilityState === "hidden" && latest.current();
    document.addEventListener("visibilitychange", onHide);
    return () => {
      document.removeEventListener("visibilitychange", onHide);
      latest.current();
    };
  }, []);
}
