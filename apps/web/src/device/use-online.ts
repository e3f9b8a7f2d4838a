import { useSyncExternalStore } from "react";
import { isOnline, watchOnline } from "./online.ts";

/** Whether there is a network. TanStack Query's online manager only repeats what the browser says. */
export const useOnline = (): boolean => useSyncExternalStore(watchOnline, isOnline);
