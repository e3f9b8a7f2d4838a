/** Position reporting stops while the register page is open and after a 401 (SPEC section 4). */
let paused = false;
const listeners = new Set<() => void>();

export function pauseReporting(): void {
  setPaused(true);
}

export function resumeReporting(): void {
  setPaused(false);
}

export function isReportingPaused(): boolean {
  return paused;
}

/** Calls `listener` whenever reporting is paused or resumed; the reporter subscribes. */
export function subscribeReporting(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setPaused(next: boolean): void {
  if (paused === next) return;
  paused = next;
  for (const listener of listeners) listener();
}
