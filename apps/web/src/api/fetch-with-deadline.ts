import { noteAnswer } from "../device/online.ts";
import { learnServerTime } from "../device/server-clock.ts";
import { DeadlinePassed } from "../device/with-deadline.ts";

/** How long a call may take, in milliseconds: until its answer has been read to the end, or of bytes until more of them arrive. */
const DEADLINES_MS = {
  call: 20_000,
  /** Everything of one conversation waits behind a message, and repeating it is harmless. */
  message: 15_000,
  /** Recordings and pictures. Until the answer begins, they may be on their way up. */
  bytes: 120_000,
} as const;
/** Bytes that come down, however slowly, are not given up. */
const STALL_MS = 30_000;
export type CallKind = keyof typeof DEADLINES_MS;

/**
 * Every call of ours goes through this function, because a line can accept a request and never answer. Rejects with DeadlinePassed, as does
 * reading the body; the connection is then closed, so that no late answer arrives. Whether the server carried out the call is unknown:
 * make it repeatable by an id of its own.
 */
export async function fetchWithDeadline(
  input: RequestInfo | URL,
  init: RequestInit = {},
  kind: CallKind = "call",
): Promise<Response> {
  const { signal } = init;
  signal?.throwIfAborted();
  const ending = new AbortController();
  signal?.addEventListener("abort", () => ending.abort(signal.reason));
  // After a response it goes on for the body, and does nothing once that has been read.
  const start = (ms: number) => setTimeout(() => ending.abort(new DeadlinePassed()), ms);
  let timer = start(DEADLINES_MS[kind]);
  try {
    const response = await fetch(input, { ...init, signal: ending.signal });
    learnServerTime(response.headers);
    // The login page of a hotel's network says that all is well, but the call has not arrived: as without a network.
    if (response.ok && /html/.test(`${response.headers.get("content-type")}`)) throw new TypeError();
    noteAnswer(true);
    if (kind !== "bytes" || !response.body) return response;
    const startAgain = () => {
      clearTimeout(timer);
      timer = start(STALL_MS);
    };
    startAgain();
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        startAgain();
        controller.enqueue(chunk);
      },
      flush: () => clearTimeout(timer),
    });
    return new Response(response.body.pipeThrough(watch), response);
  } catch (error) {
    if (!signal?.aborted) noteAnswer(false);
    clearTimeout(timer);
    throw error;
  }
}
