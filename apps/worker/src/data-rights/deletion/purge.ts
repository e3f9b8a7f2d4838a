import { batch } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { isGuardFailure } from "../../platform/db/guard.ts";
import type { Env } from "../../platform/env.ts";
import { clearOpenings } from "../../social/messages/limits.ts";
import { deleteMessageChunk, deleteMessagesInShards } from "../../social/messages/member-messages.ts";
import { deleteMemberPictures } from "../../social/pictures/store.ts";
import { deleteMemberVoices } from "../../social/voices/store.ts";
import { listAccountsToPurge, listEvidenceKeys, purgeAccountQueries } from "./queries.ts";
import { listUnsettledCases, standInQueries } from "./stand-in.ts";

/**
 * Run by schedule: erases accounts whose grace period is over, after which they can no longer log in (accounts/login.ts). Deletes objects first
 * and the account's row last, so that the next run resumes an aborted one. Unsettled cases keep their evidence and get a stand-in for the
 * member. Returns whether there may be more.
 */
export async function purgeDeletedAccounts(env: Env, db: Database, now: number, limit: number): Promise<boolean> {
  const due = await listAccountsToPurge(db, now, limit);
  let purged = 0;
  for (const { id, email } of due) {
    const unsettled = await listUnsettledCases(db, id, now);
    const evidence = await listEvidenceKeys(db, id, unsettled);
    const keys = evidence.map((row) => row.r2_key).filter((key) => key !== null);
    if (keys.length > 0) await env.PICTURES.delete(keys);
    await deleteMemberPictures(env, id);
    await deleteMemberVoices(env, id);
    await clearOpenings(env, id);
    await deleteMessagesInShards(env, id);
    while (await deleteMessageChunk(db, id));
    const queries = [...standInQueries(db, id, unsettled, now), ...purgeAccountQueries(db, id, email)];
    // The guard fails after a new case or a concurrent run: the next run retries this account.
    purged += await batch(env.DB, queries).then(
      () => 1,
      (error: unknown) => {
        if (isGuardFailure(error)) return 0;
        throw error;
      },
    );
  }
  // Postponed accounts come first again, so without progress the run must stop.
  return purged > 0 && due.length === limit;
}
