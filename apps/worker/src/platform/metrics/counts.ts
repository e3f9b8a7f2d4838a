/**
 * What one isolate counted since it last told: in its memory, at no cost to an answer. Every half minute it is added to the metrics object.
 * An isolate that ends in between takes its last counts with it.
 */
import type { Env } from "../env.ts";
import { logFault } from "../log.ts";
import type { CountName, Counts, GaugeName } from "../objects.ts";
import { bucketOf } from "./percentiles.ts";

const TOLD_EVERY_MS = 30_000;

let waiting: Record<string, number> = {};
let lastTold = 0;
/** An isolate tells of its object's failure once. */
let failed = false;

export function count(name: CountName, amount = 1): void {
  if (amount !== 0) waiting[name] = (waiting[name] ?? 0) + amount;
}

/** Of several in a minute the largest is kept. */
export function gauge(name: GaugeName, value: number): void {
  waiting[name] = Math.max(waiting[name] ?? 0, value);
}

/** How long an answer took. */
export function countAnswer(status: number, ms: number): void {
  count("requests");
  if (status >= 500) count("errors");
  if (status === 429) count("refused");
  count(bucketOf(ms));
}

/** Tells when it is time to. Call it where work may go on behind an answer. */
export function tellCounts(
  env: Pick<Env, "METRICS">,
  waitUntil: (work: Promise<unknown>) => void,
  always = false,
): void {
  const now = Date.now();
  if (!always && now - lastTold < TOLD_EVERY_MS) return;
  lastTold = now;
  const counts = takeCounts();
  if (Object.keys(counts).length === 0) return;
  waitUntil(addCounts(env, counts));
}

async function addCounts(env: Pick<Env, "METRICS">, counts: Counts): Promise<void> {
  try {
    await metricsOf(env).add(counts);
  } catch (error) {
    if (!failed) logFault({ event: "metrics" }, error);
    failed = true;
  }
}

export function takeCounts(): Counts {
  const taken = waiting;
  waiting = {};
  return taken;
}

export function metricsOf(env: Pick<Env, "METRICS">) {
  return env.METRICS.getByName("site");
}
