import { DAY_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { batch, itemsOf, openDatabase, rowsOf } from "../platform/db/database.ts";
import type { Env } from "../platform/env.ts";
import { collusionScore } from "./rules.ts";

const LOOKBACK_MS = 60 * DAY_MS;
/** Votes are compared pairwise, so only the most recently decided items are used, whatever the number of members. */
const ITEMS_PER_GAME_MAX = 2000;

/** Scheduled: finds players who give the same wrong answers, and reduces the weight of their votes. */
export async function detectVoteCollusion(env: Pick<Env, "DB">, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const wrong = sql<number>`sum(a.answer = b.answer and a.answer <> i.answer)`;
  const recentItems = db
    .selectFrom(itemsOf(["rating", "buster"] as const, "g"))
    .innerJoin("game_item as decided", (join) =>
      join.on("decided.id", "in", (some) =>
        some
          .selectFrom("game_item as d")
          .select("d.id")
          .where("d.game", "=", sql.ref<"rating" | "buster">("g.value"))
          .where("d.ts_decided", ">=", now - LOOKBACK_MS)
          .orderBy("d.ts_decided", "desc")
          .limit(ITEMS_PER_GAME_MAX),
      ),
    )
    .select("decided.id");
  const rows = await db
    .selectFrom("game_item as i")
    .innerJoin("game_vote as a", "a.item_id", "i.id")
    .innerJoin("game_vote as b", (join) => join.onRef("b.item_id", "=", "i.id").onRef("b.voter_id", ">", "a.voter_id"))
    .select(["i.game", "a.voter_id as one", "b.voter_id as other", wrong.as("wrong")])
    .select(({ fn }) => fn.countAll<number>().as("together"))
    .where("i.id", "in", recentItems)
    .groupBy(["i.game", "one", "other"])
    .having(wrong, ">=", 4)
    .execute();
  const pairs = rows.flatMap(({ one, other, ...pair }) => [one, other].map((id) => ({ ...pair, id })));
  const players = Map.groupBy(pairs, ({ game, id }) => `${game}:${id}`);
  const scores = [...players.values()]
    .map((own) => ({ game: own[0]!.game, id: own[0]!.id, score: collusionScore(own) }))
    .filter(({ score }) => score > 0);
  // One transaction, so that no vote counts fully in between.
  await batch(env.DB, [
    db.updateTable("game_record").set({ collusion: 0 }).where("collusion", ">", sql.lit(0)),
    db
      .updateTable("game_record")
      .from(rowsOf(scores, ["game", "id", "score"], "s"))
      .set((of) => ({ collusion: of.ref("s.score") }))
      .whereRef("game_record.profile_id", "=", "s.id")
      .whereRef("game_record.game", "=", "s.game"),
  ]);
}
