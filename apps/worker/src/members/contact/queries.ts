import { CONTACT_MESSAGE_KEPT_MS } from "@lambda/contract/limits";
import type { Database } from "../../platform/db/database.ts";
import { deletePortion } from "../../platform/db/rounds.ts";

/** Erases letters that staff closed long ago; an open one stays until it is done. */
export function deleteDoneLetters(db: Database, now: number, atOnce: number): Promise<boolean> {
  const done = db
    .selectFrom("contact_message")
    .select("id")
    .where("ts_done", "<=", now - CONTACT_MESSAGE_KEPT_MS)
    .limit(atOnce);
  return deletePortion(db.deleteFrom("contact_message").where("id", "in", done), atOnce);
}
