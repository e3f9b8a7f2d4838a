import { useEffect } from "react";
import { create } from "zustand";

export const useTitleOverride = create<string | null>(() => null);

/** Replaces the route's title while the calling screen is mounted. Never use a member's name: the browser history keeps titles. */
export function usePageTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (!title) return;
    useTitleOverride.setState(title);
    return () => useTitleOverride.setState(null);
  }, [title]);
}
