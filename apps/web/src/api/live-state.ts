/** Whether the live socket is connected. While it is, the server pushes updates and polling can slow down. */
import { useSyncExternalStore } from "react";

let isReady = false;
const listeners = new Set<() => void>();

export function setIsLive(isLive: boolean): void {
  isReady = isLive;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const getIsReady = () => isReady;
export const useIsLive = () => useSyncExternalStore(subscribe, getIsReady, getIsReady);
