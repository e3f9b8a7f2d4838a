import { PURGES_PER_RUN_MAX } from "@lambda/contract/limits";
import { batch } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { deleteMemberPictures } from "../../social/pictures/store.ts";
import { deleteSomeMessages, listAccountsToPurge, listEvidenceKeys, purgeAccountQueries } from "./queries.ts";

/**
 * Run by schedule: erases accounts whose grace is over, who cannot come back any more (accounts/login.ts). Objects go first and the account's row last, so that a run that
 * breaks off is taken up by the next one.
 */
export async function purgeDeletedAccounts(env: Env, db: Database, now: number): Promise<void> {
  for (const { id, email } of await listAccountsToPurge(db, now, PURGES_PER_RUN_MAX)) {
    const evidence = await listEvidenceKeys(db, id);
    const keys = evidence.map((row) => row.r2_key).filter((key) => key !== null);
    if (keys.length > 0) await env.PICTURES.delete(keys);
    await deleteMemberPictures(env, id);
    while (await deleteSomeMessages(db, id));
    await batch(env.DB, purgeAccountQueries(db, id, email));
  }
}
