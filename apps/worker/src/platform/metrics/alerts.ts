/** The alerts and their conditions, each over a window of minutes; docs/OPERATIONS.md says what to do about each. */
import { DAY_MS, MINUTE_MS } from "@lambda/contract/limits";
import { Alert } from "@lambda/contract/site-health";
import type { Counts, Minute } from "../objects.ts";
import { findDeniedRoutes } from "./engines.ts";
import { mergeCounts, messageBytesOf } from "./merge.ts";
import { countTimed, type Kind, percentile } from "./percentiles.ts";

/** D1's documented limit per database, as of 22 November 2026. */
export const DATABASE_BYTES_MAX = 10 * 10 ** 9;

/** When all message databases are larger, another one is needed: from 4 GB they get no new pairs (db/choose-message-database.ts). */
const MESSAGE_BYTES_WARNING = 3e9;

/** Twice the interval at which an idle site reports. */
export const TICK_MISSED_MS = 10 * MINUTE_MS;

export interface AlertInput {
  /** At least the last hour, in order; minutes without counts are missing. */
  readonly minutes: readonly Minute[];
  readonly now: number;
  /** When the minute cron last ran, or the metrics began. */
  readonly lastTick: number;
}

/** The merged counts of the window's minutes. */
function within({ minutes, now }: AlertInput, windowMs: number): Counts {
  return minutes
    .filter(({ ts }) => ts > now - windowMs)
    .reduce<Counts>((all, { counts }) => mergeCounts(all, counts), {});
}

const RULES: Readonly<Record<Alert, (input: AlertInput) => boolean>> = {
  errors: (input) => {
    const isRaised = (windowMs: number, errorsMin: number, share: number) => {
      const { requests = 0, errors = 0 } = within(input, windowMs);
      return errors >= errorsMin && errors >= requests * share;
    };
    // A small site has few requests in ten minutes.
    return isRaised(10 * MINUTE_MS, 5, 0.02) || isRaised(60 * MINUTE_MS, 2, 0.2);
  },
  slow: (input) => {
    const counts = within(input, 15 * MINUTE_MS);
    const isSlow = (kind: Kind, timedMin: number, share: number) =>
      countTimed(counts, kind) >= timedMin && (percentile(counts, share, kind) ?? 0) > 5_000;
    return isSlow("ms", 100, 0.99) || isSlow("bytesMs", 20, 0.9);
  },
  database: ({ minutes, now }) => {
    const last = minutes.filter(({ ts }) => ts > now - 4 * MINUTE_MS);
    return last.filter(({ counts }) => counts.databaseFailed === 1).length >= 3;
  },
  "database-size": (input) => {
    const counts = within(input, 15 * MINUTE_MS);
    const sizes = [counts.databaseBytes ?? 0, ...messageBytesOf(counts).values()];
    return Math.max(...sizes) > 0.7 * DATABASE_BYTES_MAX;
  },
  "message-databases": (input) => {
    const sizes = [...messageBytesOf(within(input, 15 * MINUTE_MS)).values()];
    return sizes.length > 0 && Math.min(...sizes) > MESSAGE_BYTES_WARNING;
  },
  schedule: ({ now, lastTick }) => now - lastTick > TICK_MISSED_MS,
  jobs: (input) =>
    (within(input, 15 * MINUTE_MS).jobsFailed ?? 0) >= 5 || (within(input, 60 * MINUTE_MS).longJobsFailed ?? 0) > 0,
  mail: (input) => {
    const { mailsSent = 0, mailsRefused = 0 } = within(input, 10 * MINUTE_MS);
    return mailsRefused >= 3 && mailsRefused >= (mailsSent + mailsRefused) * 0.2;
  },
  queue: (input) => {
    const isStuck = (windowMs: number, queuedMin: number) => {
      const { pushesQueued = 0, pushesHandled = 0 } = within(input, windowMs);
      // Those of the last minutes may still be on their way.
      const { pushesQueued: recent = 0 } = within(input, 5 * MINUTE_MS);
      return pushesHandled === 0 && pushesQueued - recent >= queuedMin;
    };
    // A small site queues few in half an hour.
    return (
      isStuck(30 * MINUTE_MS, 20) ||
      isStuck(60 * MINUTE_MS, 3) ||
      (within(input, 10 * MINUTE_MS).queueAgeMs ?? 0) > 5 * MINUTE_MS
    );
  },
  "dead-letters": (input) => (within(input, 60 * MINUTE_MS).deadLetters ?? 0) > 0,
  images: (input) => (within(input, 60 * MINUTE_MS).imagesFailed ?? 0) >= 3,
  "image-budget": (input) => (within(input, 60 * MINUTE_MS).imagesOverHalf ?? 0) > 0,
  bucket: (input) => (within(input, 60 * MINUTE_MS).bucketRefused ?? 0) > 0,
  // A few are pictures that were deleted or replaced during a request.
  "missing-objects": (input) => (within(input, 60 * MINUTE_MS).objectsMissing ?? 0) >= 10,
  "denied-route": (input) => listDeniedRoutes(input).length > 0,
  backup: (input) => (within(input, 65 * MINUTE_MS).backupAgeMs ?? 0) > 1.5 * DAY_MS,
};

export const listDeniedRoutes = (input: AlertInput): string[] => findDeniedRoutes(within(input, 60 * MINUTE_MS));

export function findAlerts(input: AlertInput): Alert[] {
  return Alert.options.filter((alert) => RULES[alert](input));
}
