import type { SessionEntry } from "@lambda/contract/settings";
import type { z } from "zod";
import { batch, type Database } from "../../platform/db/database.ts";
import { toIso } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { endSessionQueries } from "./end-access.ts";

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

/** Ends a session and what it prepared to lock the account; returns whether the member had such a session. */
export async function deleteOwnSession({ d1, db, viewer }: MemberContext, id: number): Promise<boolean> {
  const [ended] = await batch(d1, endSessionQueries(db, viewer.profileId, id));
  return ended?.length === 1;
}

/** The recipient of mails about the account's safety. */
export function getMailRecipient(db: Database, id: number) {
  return db.selectFrom("account").select(["email", "locale"]).where("id", "=", id).executeTakeFirstOrThrow();
}

export async function updateSessionLock({ db, viewer }: MemberContext, lockHash: string | null): Promise<void> {
  await db.updateTable("session").set({ lock_hash: lockHash }).where("id", "=", viewer.sessionId).execute();
}
