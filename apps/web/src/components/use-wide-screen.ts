import { useSyncExternalStore } from "react";

const wideQuery = window.matchMedia("(width >= 60rem)");

/** Whether there is room for a list next to what it leads to. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      wideQuery.addEventListener("change", listener);
      return () => wideQuery.removeEventListener("change", listener);
    },
    () => wideQuery.matches,
  );
}
