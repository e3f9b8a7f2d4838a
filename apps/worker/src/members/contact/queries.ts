import { CONTACT_MESSAGE_KEPT_MS } from "@lambda/contract/limits";
import type { Database } from "../../platform/db/database.ts";

/** Erases letters that staff closed long ago; an open one stays until it is done. */
export async function deleteDoneLetters(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom("contact_message")
    .where("ts_done", "<=", now - CONTACT_MESSAGE_KEPT_MS)
    .execute();
}
