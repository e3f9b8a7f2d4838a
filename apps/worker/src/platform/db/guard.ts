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
