/**
 * Every promise of the browser goes through this file: positions, databases, service workers, prompts and locks sometimes never answer,
 * and the application must go on without them. `deadlines.test.ts` finds calls that do not.
 */

/** How long each may take, in milliseconds. Prompts wait for a person. */
const DEADLINES_MS = {
  database: 5000,
  cache: 5000,
  lock: 5000,
  serviceWorker: 10_000,
  /** Contacts the browser vendor's server. */
  pushService: 30_000,
  position: 20_000,
  /** Pictures and sound. */
  media: 30_000,
  /** A part of the application. */
  chunk: 30_000,
  prompt: 120_000,
} as const;
export type Wait = keyof typeof DEADLINES_MS;

export class DeadlinePassed extends Error {
  constructor(what: string) {
    super(`no answer: ${what}`);
    this.name = "DeadlinePassed";
  }
}

interface Options<Value> {
  /** Instead of the usual time. */
  readonly ms?: number;
  /** Gives up at once, with the signal's reason: when the screen that asked is closed. */
  readonly signal?: AbortSignal | undefined;
  /** Disposes of an answer that came too late, such as an open microphone. It must change nothing else. */
  readonly onLate?: (value: Value) => void;
}

/** Waits for the promise that `start` makes. Rejects with DeadlinePassed if it takes too long; an answer after that is ignored. */
export function withDeadline<Value>(
  wait: Wait,
  start: () => PromiseLike<Value>,
  { ms = DEADLINES_MS[wait], signal, onLate }: Options<Value> = {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let isOver = false;
    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      settle();
    };
    const abort = () => end(() => reject(signal?.reason));
    const timer = setTimeout(() => end(() => reject(new DeadlinePassed(wait))), ms);
    signal?.addEventListener("abort", abort);
    new Promise<Value>((started) => started(start())).then(
      (value) => (isOver ? onLate?.(value) : end(() => resolve(value))),
      (error: unknown) => end(() => reject(error)),
    );
  });
}

/**
 * Runs `work` in one tab at a time. After the deadline it runs without the lock, so `work` must be correct, if wasteful, when two tabs
 * run it at once.
 */
export function withTabLock<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  if (!navigator.locks) return work();
  return new Promise((resolve, reject) => {
    let isStarted = false;
    const start = async () => {
      clearTimeout(timer);
      if (isStarted) return; // Granted after the deadline: released at once.
      isStarted = true;
      await work().then(resolve, reject);
    };
    const timer = setTimeout(start, DEADLINES_MS.lock);
    navigator.locks.request(name, start).catch(start);
  });
}
