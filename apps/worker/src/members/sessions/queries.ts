import type { SessionEntry } from "@lambda/contract/settings";
import type { z } from "zod";
import type { Database } from "../../platform/db/database.ts";
import { toIso } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";

const SESSIONS_SHOWN_MAX = 200;

/** The member's valid sessions on all brands, the most recently used first. */
export async function listSessions({ db, viewer, now }: MemberContext): Promise<z.output<typeof SessionEntry>[]> {
  const rows = await db
    .selectFrom("session")
    .select(["id", "device_label", "brand", "ts_created", "ts_last_used"])
    .where("account_id", "=", viewer.profileId)
    .where("ts_expires", ">", now)
    .orderBy("ts_last_used", "desc")
    .limit(SESSIONS_SHOWN_MAX)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    deviceLabel: row.device_label,
    brand: row.brand,
    tsCreated: toIso(row.ts_created),
    tsLastUsed: toIso(row.ts_last_used),
    thisDevice: row.id === viewer.sessionId,
  }));
}

/** Returns whether the member had such a session. */
export async function deleteOwnSession({ db, viewer }: MemberContext, id: number): Promise<boolean> {
  const ended = await db
    .deleteFrom("session")
    .where("id", "=", id)
    .where("account_id", "=", viewer.profileId)
    .returning("id")
    .executeTakeFirst();
  return ended !== undefined;
}

export async function deleteAllSessions(db: Database, accountId: number): Promise<void> {
  await db.deleteFrom("session").where("account_id", "=", accountId).execute();
}
