import { ACCOUNT_DELETION_GRACE_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { clearOpenings } from "../../messaging/messages/limits.ts";
import { deleteMessageChunk, deleteMessagesInOthers } from "../../messaging/messages/member-messages.ts";
import { VOICES_PREFIX } from "../../messaging/voices/store.ts";
import { deleteMemberPictures } from "../../pictures/store.ts";
import { deletePrefix } from "../../platform/bucket/objects.ts";
import { batch, type Database, passesGuards } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { purgeAccountQueries } from "./queries.ts";
import { isNeededStandIn, listUnsettledCases, standInQueries } from "./stand-in.ts";

/**
 * Scheduled: erases accounts whose grace period is over, and returns whether there may be more; unsettled cases keep their evidence and
 * get a stand-in. Deletes objects first and the account's row last, so that the next run resumes an aborted one.
 */
export async function purgeDeletedAccounts(env: Env, db: Database, now: number, limit: number): Promise<boolean> {
  const due = await db
    .selectFrom("account")
    .select(["id", "email"])
    .where("ts_deleted", "is not", null)
    .where("ts_deleted", "<=", now - ACCOUNT_DELETION_GRACE_MS)
    .where(sql<boolean>`not ${isNeededStandIn(now)}`)
    .orderBy("ts_deleted")
    .limit(limit)
    .execute();
  const purged = await forEachDue(due, (account) => purgeAccount(env, db, account, now));
  // Postponed accounts come first again, so without progress the run must stop.
  return purged.includes(true) && due.length === limit;
}

/** Returns false if the account must wait for the next run. */
async function purgeAccount(
  env: Env,
  db: Database,
  { id, email }: { readonly id: number; readonly email: string },
  now: number,
): Promise<boolean> {
  const unsettled = await listUnsettledCases(db, id, now);
  const evidence = await db
    .selectFrom("evidence")
    .select("r2_key")
    .where("author_id", "=", id)
    .where("r2_key", "is not", null)
    .where(sql<boolean>`report_id not in (select value from json_each(${JSON.stringify(unsettled)}))`)
    .execute();
  const keys = evidence.map((row) => row.r2_key).filter((key) => key !== null);
  if (keys.length > 0) await env.PICTURES.delete(keys);
  await deleteMemberPictures(env, id);
  await deletePrefix(env.PICTURES, `${VOICES_PREFIX}${id}/`);
  await clearOpenings(env, id);
  await deleteMessagesInOthers(env, id);
  while (await deleteMessageChunk(db, id));
  // A new case or a concurrent run may come first.
  return passesGuards(
    batch(env.DB, [...standInQueries(db, id, unsettled, now), ...purgeAccountQueries(db, id, email)]),
  );
}
