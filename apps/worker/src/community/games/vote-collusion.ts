import { DAY_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { collusionScore } from "./rules.ts";

const LOOKBACK_MS = 60 * DAY_MS;

/** Run by schedule: finds players who are wrong together on settled items, and lets their votes weigh less. */
export async function detectVoteCollusion(db: Database, now: number): Promise<void> {
  const { rows } = await sql<{
    game: "rating" | "buster";
    one: number;
    other: number;
    together: number;
    wrong: number;
  }>`
    select i.game, a.voter_id as one, b.voter_id as other, count(*) as together,
      sum(a.answer = b.answer and a.answer <> i.answer) as wrong
    from game_item i join game_vote a on a.item_id = i.id join game_vote b on b.item_id = i.id and b.voter_id > a.voter_id
    where i.game in ('rating', 'buster') and i.ts_decided >= ${now - LOOKBACK_MS}
    group by i.game, one, other having wrong >= 4`.execute(db);
  await db.updateTable("game_record").set({ ring: 0 }).where("ring", ">", 0).execute();
  const pairs = new Map<
    string,
    { game: "rating" | "buster"; id: number; pairs: { together: number; wrong: number }[] }
  >();
  for (const row of rows) {
    for (const id of [row.one, row.other]) {
      const key = `${row.game}:${id}`;
      const entry = pairs.get(key) ?? { game: row.game, id, pairs: [] };
      entry.pairs.push(row);
      pairs.set(key, entry);
    }
  }
  for (const { game, id, pairs: found } of pairs.values()) {
    const ring = collusionScore(found);
    if (ring === 0) continue;
    await db.updateTable("game_record").set({ ring }).where("profile_id", "=", id).where("game", "=", game).execute();
  }
}
