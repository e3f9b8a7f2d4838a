import { type RawBuilder, sql } from "kysely";
import type { Query } from "./batch.ts";
import type { Database } from "./database.ts";

/**
 * A query that aborts its whole batch unless `condition` holds: D1 batches are transactions but cannot branch. SQLite then raises
 * "malformed JSON", which `isGuardFailure` recognizes.
 */
export function guardQuery(db: Database, condition: RawBuilder<boolean>): Query {
  return db.selectNoFrom(sql<number>`case when ${condition} then 1 else json('guard') end`.as("held"));
}

export const isGuardFailure = (error: unknown): boolean => /malformed JSON/.test(String(error));

/** Whether a batch was run; false if one of its guards failed, as somebody else was faster. */
export async function passesGuards(run: Promise<unknown>): Promise<boolean> {
  try {
    await run;
    return true;
  } catch (error) {
    if (isGuardFailure(error)) return false;
    throw error;
  }
}

/** Concurrent writers cause retries; more than this many in a row is a bug. */
const ATTEMPTS_MAX = 8;

/** Reads and writes anew whenever somebody else's write came in between. */
export async function retryIfOvertaken<Result>(
  attempt: () => Promise<Result>,
  isOvertaken: (error: unknown) => boolean = isGuardFailure,
): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (count === ATTEMPTS_MAX || !isOvertaken(error)) throw error;
    }
  }
}
