/** When the operator is told. Each alert looks at the minutes of its window; docs/OPERATIONS.md says for each what to do. */
import { DAY_MS } from "@lambda/contract/limits";
import { ALERTS, type Alert } from "@lambda/contract/site-health";
import type { Counts, Minute } from "../objects.ts";
import { merge, messageBytesOf } from "./merge.ts";
import { percentile } from "./percentiles.ts";

const MINUTE_MS = 60_000;
/** D1's documented limit for one database, looked up on 22 November 2026. */
export const DATABASE_BYTES_MAX = 10 * 10 ** 9;

/** Beyond it in all databases for messages another one is due: at 4 GB they get no new pairs (db/message-choice.ts). */
const MESSAGE_BYTES_WARNED = 3e9;

export interface Seen {
  /** The last hour and more, in their order; a minute in which nothing was counted is missing. */
  readonly minutes: readonly Minute[];
  readonly now: number;
  /** When the clock last came by; undefined where it never did. */
  readonly lastTick: number | undefined;
}

/** Counts of the window's minutes. */
function within({ minutes, now }: Seen, windowMs: number): Counts {
  return minutes.filter(({ ts }) => ts > now - windowMs).reduce<Counts>((all, { counts }) => merge(all, counts), {});
}

const RULES: Readonly<Record<Alert, (seen: Seen) => boolean>> = {
  errors: (seen) => {
    const { requests = 0, errors = 0 } = within(seen, 10 * MINUTE_MS);
    return errors >= 5 && errors >= requests * 0.02;
  },
  slow: (seen) => {
    const counts = within(seen, 15 * MINUTE_MS);
    return (counts.requests ?? 0) >= 100 && (percentile(counts, 0.99) ?? 0) > 5_000;
  },
  database: ({ minutes, now }) => {
    const last = minutes.filter(({ ts }) => ts > now - 4 * MINUTE_MS);
    return last.filter(({ counts }) => counts.databaseFailed === 1).length >= 3;
  },
  "database-size": (seen) => {
    const counts = within(seen, 15 * MINUTE_MS);
    const sizes = [counts.databaseBytes ?? 0, ...messageBytesOf(counts).values()];
    return Math.max(...sizes) > 0.7 * DATABASE_BYTES_MAX;
  },
  "message-databases": (seen) => {
    const sizes = [...messageBytesOf(within(seen, 15 * MINUTE_MS)).values()];
    return sizes.length > 0 && Math.min(...sizes) > MESSAGE_BYTES_WARNED;
  },
  schedule: ({ now, lastTick }) => lastTick !== undefined && now - lastTick > 10 * MINUTE_MS,
  jobs: (seen) =>
    (within(seen, 15 * MINUTE_MS).jobsFailed ?? 0) >= 5 || (within(seen, 60 * MINUTE_MS).longJobsFailed ?? 0) > 0,
  mail: (seen) => {
    const { mailsSent = 0, mailsRefused = 0 } = within(seen, 10 * MINUTE_MS);
    return mailsRefused >= 3 && mailsRefused >= (mailsSent + mailsRefused) * 0.2;
  },
  queue: (seen) => {
    const { pushesQueued = 0, pushesHandled = 0 } = within(seen, 30 * MINUTE_MS);
    const stands = pushesQueued >= 20 && pushesHandled === 0;
    return stands || (within(seen, 10 * MINUTE_MS).queueAgeMs ?? 0) > 5 * MINUTE_MS;
  },
  "dead-letters": (seen) => (within(seen, 60 * MINUTE_MS).deadLetters ?? 0) > 0,
  images: (seen) => (within(seen, 60 * MINUTE_MS).imagesFailed ?? 0) >= 3,
  bucket: (seen) => (within(seen, 60 * MINUTE_MS).bucketRefused ?? 0) > 0,
  backup: (seen) => (within(seen, 65 * MINUTE_MS).backupAgeMs ?? 0) > 1.5 * DAY_MS,
};

export function listAlerts(seen: Seen): Alert[] {
  return ALERTS.filter((alert) => RULES[alert](seen));
}
