/** Scheduled jobs, whose work grows with the number of members: each does a part of it at a time, within the database budget of a run. */
import { AsyncLocalStorage } from "node:async_hooks";
import { MINUTE_MS } from "@lambda/contract/limits";
import type { DatabaseCost } from "../metering/meter-database.ts";

/** What writes can change: nothing that a member reads where it could be late, nothing about who sees whom, or that too. */
export type Effect = "none" | "neutral" | "visibility";

interface Effective {
  /** Of what the job writes; "visibility" unless it says otherwise. */
  readonly effect?: Effect;
}

export type Job = (() => Promise<unknown>) & Effective;
export type Jobs = Readonly<Record<string, Job>>;

/** Handles at most `limit` rows; returns whether there may be more. */
export type ChunkedJob = ((limit: number) => Promise<boolean>) & Effective;

/** A job after which nobody sees more or less, apart from positions: what regions cached about members stays valid. */
export const neutral = <AnyJob extends object>(job: AnyJob) => Object.assign(job, { effect: "neutral" as const });

/** A job whose rows are about databases and buckets. */
export const housekeeping = <AnyJob extends object>(job: AnyJob) => Object.assign(job, { effect: "none" as const });

export interface Budget {
  readonly isLeft: () => boolean;
  /** The same for the next of some jobs, which share what is left. */
  readonly share: (jobs: number) => () => boolean;
  readonly pause: Pause;
}

/** What ends a run early, after the item or chunk that is being handled. */
export interface Pause {
  /** As far as is known. */
  readonly isOn: () => boolean;
  readonly look: () => Promise<boolean>;
}

const NO_PAUSE: Pause = { isOn: () => false, look: async () => false };

/** D1 allows 1,000 queries an invocation, which ends after 15 minutes. The rest is for the last item of each job, which may be a costly one. */
const TRIPS_PER_RUN_MAX = 700;
const RUN_MS_MAX = 8 * MINUTE_MS;

/** The same of the 10,000 calls of objects, buckets and other services (developers.cloudflare.com/workers/platform/limits, Subrequests). */
const CALLS_PER_RUN_MAX = 7_000;

/** Counts the queries and calls of all jobs of a run, and its time from now: the scheduled time may be earlier. */
export function createBudget(
  cost: Pick<DatabaseCost, "trips"> & { readonly calls: number },
  pause: Pause = NO_PAUSE,
): Budget {
  const end = Date.now() + RUN_MS_MAX;
  const isBelow = (trips: number, calls: number) =>
    cost.trips < trips && cost.calls < calls && Date.now() < end && !pause.isOn();
  return {
    pause,
    isLeft: () => isBelow(TRIPS_PER_RUN_MAX, CALLS_PER_RUN_MAX),
    share: (jobs) => {
      const trips = cost.trips + (TRIPS_PER_RUN_MAX - cost.trips) / jobs;
      const calls = cost.calls + (CALLS_PER_RUN_MAX - cost.calls) / jobs;
      return () => isBelow(trips, calls);
    },
  };
}

interface Turn {
  readonly isWithinShare: () => boolean;
  hasMore: boolean;
}

const turns = new AsyncLocalStorage<Turn>();

/** Asked before each item or chunk of a job but the first: whether it may go on now. If not, it gets another turn, or continues in the next run. */
export function mayGoOn(): boolean {
  const turn = turns.getStore();
  if (!turn || turn.isWithinShare()) return true;
  turn.hasMore = true;
  return false;
}

/**
 * Gives each job a turn with an equal share of what is left of the budget, then those with more work further ones, so that a long backlog
 * does not delay the others. A job that failed gets no further turn in this run.
 */
export async function runInTurns(
  jobs: Jobs,
  budget: Budget,
  onError: (name: string, error: unknown) => void,
  onDone: (job: Job) => void = () => {},
): Promise<void> {
  let waiting = Object.entries(jobs);
  while (waiting.length > 0) {
    const unfinished: typeof waiting = [];
    for (const [index, [name, job]] of waiting.entries()) {
      if (await budget.pause.look()) return;
      const turn: Turn = { isWithinShare: budget.share(waiting.length - index), hasMore: false };
      try {
        await turns.run(turn, job);
        if (turn.hasMore) unfinished.push([name, job]);
      } catch (error) {
        onError(name, error);
      }
      onDone(job);
    }
    waiting = budget.isLeft() ? unfinished : [];
  }
}

/** Rows per chunk: they block the database for some hundred milliseconds. */
const CHUNK_ROWS = 1000;

export function inChunks(chunkedJobs: Readonly<Record<string, ChunkedJob>>, limit = CHUNK_ROWS): Jobs {
  const toJob = (runChunk: ChunkedJob): Job => {
    const job = async () => {
      while ((await runChunk(limit)) && mayGoOn());
    };
    return Object.assign(job, { effect: runChunk.effect ?? "visibility" });
  };
  return Object.fromEntries(Object.entries(chunkedJobs).map(([name, runChunk]) => [name, toJob(runChunk)]));
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
