import { useEffect, useSyncExternalStore } from "react";

let override: string | null = null;
const listeners = new Set<() => void>();

/** Replaces the route's title while the calling screen is open. Never by a man's name: titles stay in the browser's history. */
export function usePageTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (!title) return;
    set(title);
    return () => set(null);
  }, [title]);
}

const get = () => override;

export function useTitleOverride(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get,
    get,
  );
}

function set(next: string | null): void {
  override = next;
  for (const listener of listeners) listener();
}
