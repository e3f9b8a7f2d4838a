/** The metrics for the admin dashboard. */
import { DAY_MS } from "@lambda/contract/limits";
import type { HealthPoint, HealthRange, SiteHealth } from "@lambda/contract/site-health";
import type { Env } from "../env.ts";
import { toIso, toIsoOrNull } from "../iso-time.ts";
import type { Minute } from "../objects.ts";
import { DATABASE_BYTES_MAX } from "./alerts.ts";
import { metricsOf } from "./counts.ts";
import { messageBytesOf } from "./merge.ts";
import { percentile } from "./percentiles.ts";

const RANGES: Readonly<Record<HealthRange, { readonly lengthMs: number; readonly stepMs: number }>> = {
  day: { lengthMs: DAY_MS, stepMs: DAY_MS / 96 },
  month: { lengthMs: 30 * DAY_MS, stepMs: DAY_MS / 4 },
};

export async function readSiteHealth(env: Env, range: HealthRange, now: number): Promise<SiteHealth> {
  const { lengthMs, stepMs } = RANGES[range];
  const metrics = metricsOf(env);
  const from = now - lengthMs;
  const [minutes, incidents] = await Promise.all([metrics.read(from - (from % stepMs), stepMs), metrics.incidents()]);
  return {
    range,
    points: fillGaps(minutes, stepMs, now).map(toPoint),
    incidents: incidents
      .filter(({ until }) => until === null || until >= from)
      .map(({ alert, from: start, until, told }) => ({
        alert,
        tsFrom: toIso(start),
        tsUntil: toIsoOrNull(until),
        told,
      }))
      .toReversed(),
    databaseBytesMax: DATABASE_BYTES_MAX,
    operatorKnown: Boolean(env.ALERT_ADDRESS || env.ALERT_PUSH_URL),
  };
}

/** A point for every step from the first known one, so that quiet hours keep their length in the chart. */
export function fillGaps(minutes: readonly Minute[], stepMs: number, now: number): Minute[] {
  const [first] = minutes;
  if (!first) return [];
  const known = new Map(minutes.map(({ ts, counts }) => [ts, counts]));
  const steps = Math.floor((now - first.ts) / stepMs) + 1;
  return Array.from({ length: Math.max(1, steps) }, (_, step) => {
    const ts = first.ts + step * stepMs;
    return { ts, counts: known.get(ts) ?? {} };
  });
}

function toPoint({ ts, counts }: Minute): HealthPoint {
  return {
    ts: toIso(ts),
    requests: counts.requests ?? 0,
    errors: counts.errors ?? 0,
    refused: counts.refused ?? 0,
    p50: percentile(counts, 0.5),
    p99: percentile(counts, 0.99),
    bytesP90: percentile(counts, 0.9, "bytesMs"),
    rowsRead: counts.rowsRead ?? 0,
    rowsWritten: counts.rowsWritten ?? 0,
    mailsSent: counts.mailsSent ?? 0,
    mailsRefused: counts.mailsRefused ?? 0,
    pushesQueued: counts.pushesQueued ?? 0,
    pushesHandled: counts.pushesHandled ?? 0,
    deadLetters: counts.deadLetters ?? 0,
    socketsOpened: counts.socketsOpened ?? 0,
    socketsClosed: counts.socketsClosed ?? 0,
    socketsOpen: counts.socketsOpen ?? 0,
    jobsFailed: (counts.jobsFailed ?? 0) + (counts.longJobsFailed ?? 0),
    queueAgeMs: counts.queueAgeMs ?? 0,
    databaseBytes: counts.databaseBytes ?? null,
    messageBytes: [...messageBytesOf(counts)].map(([number, bytes]) => ({ number, bytes })),
  };
}
