import { BLOCK_UNDO_MS } from "@lambda/contract/limits";
import type { MemberContext } from "../../platform/access.ts";
import { batch, hasRow } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { isFresh } from "../../platform/fresh.ts";
import { discloseUnblockQuery } from "../statements/disclosures.ts";
import { deleteBlockQueries } from "./queries.ts";

/** Throws CONFIRMATION_NEEDED once the notice of the block is gone: whoever blocked somebody may have lent or lost the phone since. */
export async function undoBlock(ctx: MemberContext, otherId: number): Promise<void> {
  const { db, d1, viewer, now } = ctx;
  const older = db
    .selectFrom("block")
    .select("other_id")
    .where("profile_id", "=", viewer.profileId)
    .where("other_id", "=", otherId)
    .where("blocked_by_profile", "=", 1)
    .where("ts_created", "<=", now - BLOCK_UNDO_MS);
  if (!isFresh(viewer, now) && (await hasRow(older))) throw new AppError("CONFIRMATION_NEEDED");
  await batch(d1, [discloseUnblockQuery(ctx, otherId), ...deleteBlockQueries(db, viewer.profileId, otherId)]);
}
