/**
 * Every promise of the browser goes through this file: positions, databases, service workers, prompts and locks sometimes never answer,
 * and the application must go on without them. `deadlines.test.ts` finds calls that do not.
 */

/** How long each may take. */
export const DATABASE_WAIT_MS = 5000;
export const WORKER_WAIT_MS = 10_000;
/** It contacts the browser vendor's server. */
export const PUSH_WAIT_MS = 30_000;
export const POSITION_WAIT_MS = 20_000;
/** Pictures and sound. */
export const MEDIA_WAIT_MS = 30_000;
/** A hundred megapixels on a cheap phone. */
export const CONVERSION_WAIT_MS = 90_000;
/** One answer of a proof of work on a slow phone. */
export const PROOF_WAIT_MS = 60_000;
/** A part of the application. */
export const CHUNK_WAIT_MS = 30_000;
/** A part of a map archive. */
export const ARCHIVE_WAIT_MS = 20_000;
/** A person reads and decides. */
export const PROMPT_WAIT_MS = 120_000;

export class DeadlinePassed extends Error {
  override readonly name = "DeadlinePassed";
}

interface Options<Value> {
  /** Gives up at once, with the signal's reason: when the screen that asked is closed. */
  readonly signal?: AbortSignal | undefined;
  /** Disposes of an answer that came too late, such as an open microphone. It must change nothing else. */
  readonly onLate?: (value: Value) => void;
}

/** Waits for the promise that `start` makes. Rejects with DeadlinePassed if it takes too long; an answer after that is ignored. */
export function withDeadline<Value>(
  ms: number,
  start: () => PromiseLike<Value>,
  { signal, onLate }: Options<Value> = {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let isOver = false;
    const end = (settle: () => void) => {
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      settle();
    };
    const abort = () => end(() => reject(signal?.reason));
    const timer = setTimeout(() => end(() => reject(new DeadlinePassed())), ms);
    signal?.addEventListener("abort", abort);
    new Promise<Value>((started) => started(start())).then(
      (value) => (isOver ? onLate?.(value) : end(() => resolve(value))),
      (error: unknown) => end(() => reject(error)),
    );
  });
}
