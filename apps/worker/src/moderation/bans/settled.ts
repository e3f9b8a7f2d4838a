import { deleteChunk } from "../../platform/db/chunked-jobs.ts";
import type { Database } from "../../platform/db/database.ts";
import { isSettled } from "../evidence/settled.ts";

/**
 * Scheduled: deletes automatic matches once the case they opened can no longer be appealed. Returns whether more
 * are left.
 */
export async function deleteSettledMatches(db: Database, now: number, limit: number): Promise<boolean> {
  const settled = db.selectFrom("report as r").select("r.id").where(isSettled(now));
  const pictures = db.selectFrom("known_picture_match").select("id").where("report_id", "is not", null);
  const bans = db.selectFrom("ban_match").select("id").where("report_id", "is not", null);
  const settledOnly = <Matches extends typeof pictures | typeof bans>(matches: Matches) =>
    (matches as typeof bans).where("report_id", "in", settled).limit(limit);
  const isMore = await deleteChunk(
    db.deleteFrom("known_picture_match").where("id", "in", settledOnly(pictures)),
    limit,
  );
  return (await deleteChunk(db.deleteFrom("ban_match").where("id", "in", settledOnly(bans)), limit)) || isMore;
}
