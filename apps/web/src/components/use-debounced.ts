import { useEffect, useState } from "react";

const DEBOUNCE_MS = 250;

/** A text as it was when the member last paused typing, so that a search makes one call instead of one per key. */
export function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setDebounced(text), DEBOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return debounced;
}
