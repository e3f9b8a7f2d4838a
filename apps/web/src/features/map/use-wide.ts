import { useSyncExternalStore } from "react";

const wide = window.matchMedia("(width >= 60rem)");

/** Whether there is room for a list beside the map. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      wide.addEventListener("change", listener);
      return () => wide.removeEventListener("change", listener);
    },
    () => wide.matches,
  );
}
