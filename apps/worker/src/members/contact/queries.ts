import { CONTACT_MESSAGE_RETENTION_MS } from "@lambda/contract/limits";
import { deleteChunk } from "../../platform/db/chunked-jobs.ts";
import type { Database } from "../../platform/db/database.ts";

/** Scheduled: deletes letters some time after staff closed them; an open one stays. */
export function deleteDoneLetters(db: Database, now: number, limit: number): Promise<boolean> {
  const done = db
    .selectFrom("contact_message")
    .select("id")
    .where("ts_done", "<=", now - CONTACT_MESSAGE_RETENTION_MS)
    .limit(limit);
  return deleteChunk(db.deleteFrom("contact_message").where("id", "in", done), limit);
}
