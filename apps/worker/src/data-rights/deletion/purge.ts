import { batch } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { failedGuard } from "../../platform/db/guard.ts";
import type { Env } from "../../platform/env.ts";
import { forgetOpenings } from "../../social/messages/limits.ts";
import { deleteMessagesElsewhere, deleteSomeMessages } from "../../social/messages/of-member.ts";
import { deleteMemberPictures } from "../../social/pictures/store.ts";
import { deleteMemberVoices } from "../../social/voices/store.ts";
import { listAccountsToPurge, listEvidenceKeys, purgeAccountQueries } from "./queries.ts";
import { listUnsettledCases, standInQueries } from "./stand-in.ts";

/**
 * Run by schedule: erases accounts whose grace is over, who cannot come back any more (accounts/login.ts). Objects go first and the account's row last, so that a run that
 * breaks off is taken up by the next one. A case that is not settled keeps its evidence, and a stand-in for the member. Answers whether there may be more.
 */
export async function purgeDeletedAccounts(env: Env, db: Database, now: number, most: number): Promise<boolean> {
  const due = await listAccountsToPurge(db, now, most);
  let purged = 0;
  for (const { id, email } of due) {
    const unsettled = await listUnsettledCases(db, id, now);
    const evidence = await listEvidenceKeys(db, id, unsettled);
    const keys = evidence.map((row) => row.r2_key).filter((key) => key !== null);
    if (keys.length > 0) await env.PICTURES.delete(keys);
    await deleteMemberPictures(env, id);
    await deleteMemberVoices(env, id);
    await forgetOpenings(env, id);
    await deleteMessagesElsewhere(env, id);
    while (await deleteSomeMessages(db, id));
    const row = [...standInQueries(db, id, unsettled, now), ...purgeAccountQueries(db, id, email)];
    // A case that came in meanwhile, or a run at the same time: the next one finds out, and the others have their turn.
    purged += await batch(env.DB, row).then(
      () => 1,
      (error: unknown) => {
        if (failedGuard(error)) return 0;
        throw error;
      },
    );
  }
  // Those that were put off are found again first, and must not keep this run busy.
  return purged > 0 && due.length === most;
}
