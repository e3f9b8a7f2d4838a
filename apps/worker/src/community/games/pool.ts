import { CONSENSUS_VOTERS_WITHIN_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { itemsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { PackGame } from "./record.ts";

/** Scheduled: counts the proven players who voted recently, so that votes need not count them. */
export async function countVoters(db: Database, now: number): Promise<void> {
  const games: readonly PackGame[] = ["rating", "buster", "check"];
  const voters = sql<number>`(select count(*) from game_record r
    where r.game = g.value and r.proven = 1 and r.ts_last >= ${now - CONSENSUS_VOTERS_WITHIN_MS})`;
  await db
    .insertInto("game_pool")
    .columns(["game", "voters"])
    .expression((select) =>
      select
        .selectFrom(itemsOf(games, "g"))
        .select(["g.value as game", voters.as("voters")])
        // Without a WHERE, SQLite parses ON CONFLICT as a join constraint.
        .where(sql.lit(true)),
    )
    .onConflict((conflict) => conflict.column("game").doUpdateSet({ voters: sql<number>`excluded.voters` }))
    .execute();
}
