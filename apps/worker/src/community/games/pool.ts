import { CONSENSUS_VOTERS_WITHIN_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";

/** Run by schedule: how many proven players voted lately, so that no vote has to count them. */
export async function countVoters(db: Database, now: number): Promise<void> {
  await sql`insert into game_pool (game, voters)
    select g.value, (select count(*) from game_record r
      where r.game = g.value and r.proven = 1 and r.ts_last >= ${now - CONSENSUS_VOTERS_WITHIN_MS})
    from json_each('["rating","buster"]') g where true
    on conflict (game) do update set voters = excluded.voters`.execute(db);
}
