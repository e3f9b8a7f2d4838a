/** Work of the schedule that grows with the members: done in portions, for as long as its run may ask the database. */
import type { DatabaseCost } from "./meter.ts";

/** Does at most `atOnce` of what is due; answers whether there may be more. */
export type Portion = (atOnce: number) => Promise<boolean>;

/** What one run may still ask. D1 takes 1,000 queries of an invocation, which is ended after 15 minutes. */
export type Budget = () => boolean;

const TRIPS_PER_RUN_MAX = 700;
const RUN_MS_MAX = 8 * 60_000;

/** Counts what all jobs of a run ask. By the clock on the wall, as a run is meant for another time when it comes late. */
export function budgetOf(cost: DatabaseCost): Budget {
  const end = Date.now() + RUN_MS_MAX;
  return () => cost.trips < TRIPS_PER_RUN_MAX && Date.now() < end;
}

/** Rows of one portion: some hundred milliseconds of the database, which meanwhile answers nobody else. */
const ROWS_AT_ONCE = 1000;

/**
 * One portion of each, then one more of those with more to do, until all are done or the budget is over: a long backlog of one keeps none of
 * the others from its turn, and is gone on with by the next run.
 */
export function inRounds(
  portions: Readonly<Record<string, Portion>>,
  budget: Budget,
  atOnce = ROWS_AT_ONCE,
): Readonly<Record<string, () => Promise<void>>> {
  const unfinished = new Map<string, Portion>();
  const first = Object.entries(portions).map(([name, portion]) => {
    const job = async () => {
      if (await portion(atOnce)) unfinished.set(name, portion);
    };
    return [name, job] as const;
  });
  const further = async () => {
    while (unfinished.size > 0)
      for (const [name, portion] of unfinished) {
        if (!budget()) return;
        if (!(await portion(atOnce))) unfinished.delete(name);
      }
  };
  return { ...Object.fromEntries(first), furtherPortions: further };
}

/** Deletes rows of which the query names `atOnce` at most. Rows that hang on them are counted too, so that there may be a portion too many. */
export async function deletePortion(
  rows: { executeTakeFirstOrThrow(): Promise<{ readonly numDeletedRows: bigint }> },
  atOnce: number,
): Promise<boolean> {
  return (await rows.executeTakeFirstOrThrow()).numDeletedRows >= BigInt(atOnce);
}

/** The same for rows that are changed. */
export async function updatePortion(
  rows: { executeTakeFirstOrThrow(): Promise<{ readonly numUpdatedRows: bigint }> },
  atOnce: number,
): Promise<boolean> {
  return (await rows.executeTakeFirstOrThrow()).numUpdatedRows >= BigInt(atOnce);
}
