import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";

/** Run by schedule: what the site found goes with the case that it opened, once nobody can appeal that any more. */
export async function deleteSettledMatches(db: Database, now: number): Promise<void> {
  const settled = db
    .selectFrom("report as r")
    .select("r.id")
    .where("r.state", "=", sql.lit("decided"))
    .where("r.ts_decided", "<", now - APPEAL_WINDOW_MS)
    .where(sql<boolean>`not exists (select 1 from appeal a where a.report_id = r.id and a.result is null)`);
  await db
    .deleteFrom("known_picture_match")
    .where("report_id", "is not", null)
    .where("report_id", "in", settled)
    .execute();
  await db.deleteFrom("ban_match").where("report_id", "is not", null).where("report_id", "in", settled).execute();
}
