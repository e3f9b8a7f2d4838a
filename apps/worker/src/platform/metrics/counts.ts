/**
 * Counters of one isolate, kept in memory so that they cost a response nothing, and added to the metrics object every half minute. The last
 * counts of an isolate that ends in between are lost.
 */
import type { Env } from "../env.ts";
import { logFault } from "../log.ts";
import type { CountName, Counts, GaugeName } from "../objects.ts";
import { type Kind, latencyBucket } from "./percentiles.ts";

const FLUSH_INTERVAL_MS = 30_000;

let pending: Record<string, number> = {};
let lastFlush = 0;
/** Each isolate logs a failure of the metrics object once. */
let hasFailed = false;

export function count(name: CountName, amount = 1): void {
  if (amount !== 0) pending[name] = (pending[name] ?? 0) + amount;
}

/** The largest value of a minute is kept. */
export function gauge(name: GaugeName, value: number): void {
  pending[name] = Math.max(pending[name] ?? 0, value);
}

export function countResponse(status: number, ms: number, kind: Kind): void {
  count("requests");
  if (status >= 500) count("errors");
  if (status === 429) count("refused");
  count(latencyBucket(ms, kind));
}

/** Flushes the counters if the interval has passed, or `always`. */
export function flushCounts(
  env: Pick<Env, "METRICS">,
  waitUntil: (work: Promise<unknown>) => void,
  always = false,
): void {
  const now = Date.now();
  if (!always && now - lastFlush < FLUSH_INTERVAL_MS) return;
  lastFlush = now;
  const counts = takeCounts();
  if (Object.keys(counts).length === 0) return;
  waitUntil(addCounts(env, counts));
}

async function addCounts(env: Pick<Env, "METRICS">, counts: Counts): Promise<void> {
  try {
    await metricsOf(env).add(counts);
  } catch (error) {
    if (!hasFailed) logFault({ event: "metrics" }, error);
    hasFailed = true;
  }
}

/** Whether anything is pending besides the rows that the schedule itself touches. */
export function hasEvents(): boolean {
  return Object.keys(pending).some((name) => name !== "rowsRead" && name !== "rowsWritten");
}

export function takeCounts(): Counts {
  const counts = pending;
  pending = {};
  return counts;
}

export const metricsOf = (env: Pick<Env, "METRICS">) => env.METRICS.getByName("site");
