import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { deletePortion } from "../../platform/db/rounds.ts";

/** Run by schedule: what the site found goes with the case that it opened, once nobody can appeal that any more. */
export async function deleteSettledMatches(db: Database, now: number, atOnce: number): Promise<boolean> {
  const settled = db
    .selectFrom("report as r")
    .select("r.id")
    .where("r.state", "=", sql.lit("decided"))
    .where("r.ts_decided", "<", now - APPEAL_WINDOW_MS)
    .where(sql<boolean>`not exists (select 1 from appeal a where a.report_id = r.id and a.result is null)`);
  const pictures = db.selectFrom("known_picture_match").select("id").where("report_id", "is not", null);
  const bans = db.selectFrom("ban_match").select("id").where("report_id", "is not", null);
  const ofSettled = <Matches extends typeof pictures | typeof bans>(matches: Matches) =>
    (matches as typeof bans).where("report_id", "in", settled).limit(atOnce);
  const isMore = await deletePortion(
    db.deleteFrom("known_picture_match").where("id", "in", ofSettled(pictures)),
    atOnce,
  );
  return (await deletePortion(db.deleteFrom("ban_match").where("id", "in", ofSettled(bans)), atOnce)) || isMore;
}
