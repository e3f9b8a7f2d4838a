/**
 * Detects a server that is alive but does not respond. It counts failed probes rather than time, because time passes while a machine
 * sleeps.
 */
export interface Watch {
  /** Rejects if there is no response in time. */
  probe(): Promise<unknown>;
  readonly intervalMs: number;
  /** Consecutive failed probes after which somebody is told, and after which the server counts as unresponsive. */
  readonly silentTries: number;
  readonly tries: number;
  onSilent(): void;
  onUnresponsive(): void;
}

export const WATCH_INTERVAL_MS = 10_000;
export const WATCH_SILENT_TRIES = 6;
/** Ten minutes: a runtime that restarts on a busy machine takes some. */
export const WATCH_TRIES = 60;

/** Returns a function that stops watching. Does not keep the process alive. */
export function watchSite({ probe, intervalMs, silentTries, tries, onSilent, onUnresponsive }: Watch): () => void {
  let failures = 0;
  let timer: NodeJS.Timeout;
  const check = async () => {
    failures = await probe().then(
      () => 0,
      () => failures + 1,
    );
    if (failures >= tries) return onUnresponsive();
    if (failures === silentTries) onSilent();
    timer = setTimeout(check, intervalMs).unref();
  };
  timer = setTimeout(check, intervalMs).unref();
  return () => {
    failures = Number.NEGATIVE_INFINITY;
    clearTimeout(timer);
  };
}

const RETRY_MS = 1_000;

/** Asks a server again until it answers: it may be restarting. Throws the last error after the deadline. */
export async function askPatiently<Answer>(
  ask: () => Promise<Answer>,
  deadlineMs: number,
  retryMs = RETRY_MS,
): Promise<Answer> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
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
