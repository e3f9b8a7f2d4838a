/** The pause after the first failure. It doubles with each further one: a device often has no fix, or no network, in its first seconds. */
const RETRY_MS = 5000;

/**
 * Calls `act` at once and then in each period while the page is visible, and sooner after a failure: at the latest when the member comes
 * back or the browser finds a network. The returned function stops it.
 */
export function repeatWhileVisible(periodMs: number, act: (signal: AbortSignal) => Promise<void>): () => void {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isActing = false;
  let failures = 0;
  let doneAt = Number.NEGATIVE_INFINITY;
  const look = async (waitMs: number) => {
    if (isActing || document.visibilityState !== "visible") return;
    clearTimeout(timer);
    if (performance.now() >= doneAt + waitMs) {
      isActing = true;
      failures = await act(ending.signal).then(
        () => 0,
        () => failures + 1,
      );
      isActing = false;
      if (ending.signal.aborted) return;
      doneAt = performance.now();
    }
    const pauseMs = failures === 0 ? periodMs : Math.min(RETRY_MS * 2 ** (failures - 1), periodMs);
    timer = setTimeout(look, doneAt + pauseMs - performance.now(), pauseMs);
  };
  const onReturn = () => look(failures > 0 ? 0 : periodMs);
  void look(0);
  document.addEventListener("visibilitychange", onReturn);
  addEventListener("online", onReturn);
  return () => {
    ending.abort();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onReturn);
    removeEventListener("online", onReturn);
  };
}
