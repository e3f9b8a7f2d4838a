import { useEffect } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

const override = createStore<string | null>(() => null);

/** Replaces the route's title while the calling screen is mounted. Never use a member's name: the browser history keeps titles. */
export function usePageTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (!title) return;
    override.setState(title);
    return () => override.setState(null);
  }, [title]);
}

export const useTitleOverride = (): string | null => useStore(override);
