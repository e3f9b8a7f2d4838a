/**
 * A server that lives and answers nobody is no site, and ends by itself as little: whoever waits for it is told. Counted in tries and
 * not by the clock, which goes on while a machine sleeps.
 */
export interface Watch {
  /** Rejects when nothing comes in time. */
  ask(): Promise<unknown>;
  readonly everyMs: number;
  /** So many in a row without an answer. */
  readonly tries: number;
  onDeaf(): void;
}

export const WATCH_EVERY_MS = 10_000;
export const WATCH_TRIES = 6;

/** Keeps nothing alive. Answers how to end it. */
export function watchSite({ ask, everyMs, tries, onDeaf }: Watch): () => void {
  let silent = 0;
  let timer: NodeJS.Timeout;
  const look = async () => {
    silent = await ask().then(
      () => 0,
      () => silent + 1,
    );
    if (silent >= tries) return onDeaf();
    timer = setTimeout(look, everyMs).unref();
  };
  timer = setTimeout(look, everyMs).unref();
  return () => {
    silent = Number.NEGATIVE_INFINITY;
    clearTimeout(timer);
  };
}

/** Ends a server that hears no request, and so perhaps no signal either, with all that it started. */
export function endProcessGroup({ pid }: { readonly pid?: number | undefined }): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}
