/** Whether the last call got an answer. What the browser says of the network is wrong behind some VPNs, and stays so. */
let isAnswered = false;
const listeners = new Set<() => void>();

/** Every call of ours reports whether the server answered. */
export function noteAnswer(came: boolean): void {
  if (came === isAnswered) return;
  isAnswered = came;
  for (const listener of listeners) listener();
}

/** Whether there is a network: the browser says so, or a call got an answer since it said otherwise. */
export const isOnline = (): boolean => navigator.onLine || isAnswered;

export function watchOnline(listener: () => void): () => void {
  const onOffline = () => {
    isAnswered = false;
    listener();
  };
  listeners.add(listener);
  addEventListener("online", listener);
  addEventListener("offline", onOffline);
  return () => {
    listeners.delete(listener);
    removeEventListener("online", listener);
    removeEventListener("offline", onOffline);
  };
}
