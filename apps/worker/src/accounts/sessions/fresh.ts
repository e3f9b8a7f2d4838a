import type { MemberContext } from "../../platform/access.ts";
import { batch } from "../../platform/db/database.ts";
import { endEmailChangeQueries } from "./end-access.ts";

/**
 * Records that this session has just been proved, and ends a change of address that somebody else may have requested
 * before. The page that asks about that change `keepsEmailChange`.
 */
export async function markProved(
  { d1, db, viewer, now }: Pick<MemberContext, "d1" | "db" | "viewer" | "now">,
  { keepsEmailChange }: { keepsEmailChange: boolean },
): Promise<void> {
  await batch(d1, [
    db.updateTable("session").set({ ts_proved: now }).where("id", "=", viewer.sessionId),
    ...(keepsEmailChange ? [] : endEmailChangeQueries(db, viewer.profileId)),
  ]);
}
