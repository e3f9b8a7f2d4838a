/**
 * Detects a server that is alive but does not respond. It counts failed probes rather than time, because time passes while a machine
 * sleeps.
 */
export interface Watch {
  /** Rejects if there is no response in time. */
  probe(): Promise<unknown>;
  readonly intervalMs: number;
  /** Consecutive failed probes after which the server counts as unresponsive. */
  readonly tries: number;
  onUnresponsive(): void;
}

export const WATCH_INTERVAL_MS = 10_000;
export const WATCH_TRIES = 6;

/** Returns a function that stops watching. Does not keep the process alive. */
export function watchSite({ probe, intervalMs, tries, onUnresponsive }: Watch): () => void {
  let failures = 0;
  let timer: NodeJS.Timeout;
  const check = async () => {
    failures = await probe().then(
      () => 0,
      () => failures + 1,
    );
    if (failures >= tries) return onUnresponsive();
    timer = setTimeout(check, intervalMs).unref();
  };
  timer = setTimeout(check, intervalMs).unref();
  return () => {
    failures = Number.NEGATIVE_INFINITY;
    clearTimeout(timer);
  };
}

/** Kills an unresponsive server, which may ignore other signals, with all its child processes. */
export function killProcessGroup({ pid }: { readonly pid?: number | undefined }): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}
