/** Scheduled work that grows with the number of members, done in chunks within the database budget of a run. */
import { MINUTE_MS } from "@lambda/contract/limits";
import type { DatabaseCost } from "./meter.ts";

/** Handles at most `limit` rows; returns whether there may be more. */
export type ChunkedJob = (limit: number) => Promise<boolean>;

/** Whether a run may continue. D1 allows 1,000 queries per invocation, which ends after 15 minutes. */
export type Budget = () => boolean;

const TRIPS_PER_RUN_MAX = 700;
const RUN_MS_MAX = 8 * MINUTE_MS;

/** Counts the queries of all jobs of a run, and its time from now: the scheduled time may be earlier. */
export function createBudget(cost: DatabaseCost): Budget {
  const end = Date.now() + RUN_MS_MAX;
  return () => cost.trips < TRIPS_PER_RUN_MAX && Date.now() < end;
}

/** Rows per chunk: they block the database for some hundred milliseconds. */
const CHUNK_ROWS = 1000;

/**
 * Runs one chunk of each job, then further chunks in turn until all are done or the budget is used up, so that a long backlog does not
 * delay the others; the next run continues it.
 */
export function roundRobinJobs(
  chunkedJobs: Readonly<Record<string, ChunkedJob>>,
  budget: Budget,
  limit = CHUNK_ROWS,
): Readonly<Record<string, () => Promise<void>>> {
  const unfinished = new Map<string, ChunkedJob>();
  const first = Object.entries(chunkedJobs).map(([name, runChunk]) => {
    const job = async () => {
      if (await runChunk(limit)) unfinished.set(name, runChunk);
    };
    return [name, job] as const;
  });
  const further = async () => {
    while (unfinished.size > 0)
      for (const [name, runChunk] of unfinished) {
        if (!budget()) return;
        if (!(await runChunk(limit))) unfinished.delete(name);
      }
  };
  return { ...Object.fromEntries(first), furtherPortions: further };
}

/** Runs a query that deletes at most `limit` rows; returns whether there may be more. Cascaded deletions count, so one chunk may be empty. */
export async function deleteChunk(
  rows: { executeTakeFirstOrThrow(): Promise<{ readonly numDeletedRows: bigint }> },
  limit: number,
): Promise<boolean> {
  return (await rows.executeTakeFirstOrThrow()).numDeletedRows >= BigInt(limit);
}

/** The same for updates. */
export async function updateChunk(
  rows: { executeTakeFirstOrThrow(): Promise<{ readonly numUpdatedRows: bigint }> },
  limit: number,
): Promise<boolean> {
  return (await rows.executeTakeFirstOrThrow()).numUpdatedRows >= BigInt(limit);
}
