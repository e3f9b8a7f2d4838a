/** Whether this page's live connection is ready: then news comes by itself, and what is asked at intervals can wait. */
import { useSyncExternalStore } from "react";

let ready = false;
const listeners = new Set<() => void>();

export function setLive(isReady: boolean): void {
  ready = isReady;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const isLive = () => ready;
export const useLive = () => useSyncExternalStore(subscribe, isLive, isLive);
