import { HOUR_MS, LOCKDOWN_DEVICES_MAX } from "@lambda/contract/limits";
import type { Lockdown } from "@lambda/contract/lockdown";
import type { CurveKey } from "@lambda/geo/curve";
import { type Insertable, sql } from "kysely";
import { updateChunk } from "../../platform/db/chunked-jobs.ts";
import { type Database, guardQuery, hasRow, insertFrom, type Query } from "../../platform/db/database.ts";
import type { LockdownSignalTable } from "../../platform/db/tables.ts";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";
import { takeBackQueries } from "../../visibility/statements/take-back.ts";
import { DOES_NOT_HIDE, SET_HIDDEN } from "../../visibility/visibility.ts";

/**
 * Everything that a token triggers, for one batch: the statements and parameters are the same for a second PIN, a first
 * PIN and an unknown token, so that neither response nor timing differs. The second returns where others saw the member
 * until now, and the last but one the account that was locked down.
 */
export function lockDownQueries(db: Database, tokenHash: Uint8Array, now: number): Query[] {
  const accountId = db.selectFrom("lockdown_signal").select("account_id").where("token_hash", "=", tokenHash);
  const email = db.selectFrom("account").select("email").where("id", "in", accountId);
  const until = sql<number>`${now} + hours * ${HOUR_MS}`;
  const begun = db
    .selectFrom("lockdown_signal")
    .select(["account_id", until.as("ts_until")])
    .where("token_hash", "=", tokenHash);
  return [
    // Otherwise the end of a stay that hid the member would show them again.
    db
      .updateTable("travel_stay")
      .set({ hid_member: 0 })
      .where("profile_id", "in", accountId)
      .where("hid_member", "=", 1),
    db
      .updateTable("profile")
      .set(SET_HIDDEN)
      .where("id", "in", accountId)
      .where(DOES_NOT_HIDE)
      .returning(["id", "shared_on", "discreet_on"])
      .returning(sql<CurveKey | null>`(select key from position where profile_id = profile.id)`.as("key")),
    db.deleteFrom("push_subscription").where("profile_id", "in", accountId),
    db.deleteFrom("session").where("account_id", "in", accountId),
    ...takeBackQueries(db, sql`(${accountId})`, { now }),
    // Pending links, digits and confirmations.
    db.deleteFrom("login_code").where("email", "in", email),
    db.deleteFrom("login_code").where("account_id", "in", accountId),
    insertFrom(db, "lockdown", begun, {})
      .onConflict((conflict) =>
        conflict.column("account_id").doUpdateSet({ ts_until: sql`max(ts_until, excluded.ts_until)` }),
      )
      .returning("account_id"),
    // Those of other devices too: one after the other, they would keep their member out for months.
    db.deleteFrom("lockdown_signal").where("account_id", "in", accountId),
  ];
}

/** Whether a token was prepared: one indexed read. */
export function isLockdownToken(db: Database, tokenHash: Uint8Array): Promise<boolean> {
  return hasRow(db.selectFrom("lockdown_signal").select("id").where("token_hash", "=", tokenHash));
}

type NewSignal = Insertable<LockdownSignalTable> & { readonly device_hash: Uint8Array; readonly session_id: number };

/** Queries that replace this device's second PIN, for one batch whose guard fails above the limit of devices. */
export function putLockdownSignalQueries(db: Database, signal: NewSignal): Query[] {
  const { account_id, device_hash, session_id } = signal;
  return [
    db
      .deleteFrom("lockdown_signal")
      .where("account_id", "=", account_id)
      .where((eb) => eb.or([eb("device_hash", "=", device_hash), eb("session_id", "=", session_id)])),
    guardQuery(
      db,
      sql<boolean>`(select count(*) from lockdown_signal where account_id = ${account_id}) < ${sql.lit(LOCKDOWN_DEVICES_MAX)}`,
    ),
    db
      .insertInto("lockdown_signal")
      .values(signal)
      // An existing hash is a copy by somebody who read it: its owner stays the same.
      .onConflict((conflict) => conflict.column("token_hash").doNothing()),
  ];
}

/** What could lock the account down, the newest first. */
export async function findLockdown(db: Database, accountId: number): Promise<Lockdown> {
  const [words, signals] = await Promise.all([
    db
      .selectFrom("lockdown")
      .select("ts_words")
      .where("account_id", "=", accountId)
      .where("words_hash", "is not", null)
      .executeTakeFirst(),
    db
      .selectFrom("lockdown_signal")
      .select(["id", "hours", "device_label", "ts_created"])
      .where("account_id", "=", accountId)
      .orderBy("id", "desc")
      .execute(),
  ]);
  return {
    words: words ? { tsCreated: toIsoOrNull(words.ts_words) } : null,
    signals: signals.map(({ id, hours, device_label, ts_created }) => ({
      id,
      hours,
      deviceLabel: device_label,
      tsCreated: toIso(ts_created),
    })),
  };
}

/** Returns whether the account had such a signal. */
export function deleteLockdownSignal(db: Database, accountId: number, id: number): Promise<boolean> {
  const own = db.deleteFrom("lockdown_signal").where("id", "=", id).where("account_id", "=", accountId);
  return hasRow(own.returning("id"));
}

export function upsertRecoveryWordsQuery(
  db: Database,
  accountId: number,
  { wordsHash, now }: { wordsHash: string; now: number },
): Query {
  const words = { words_hash: wordsHash, ts_words: now };
  return db
    .insertInto("lockdown")
    .values({ account_id: accountId, ...words })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(words));
}

/** Scheduled: resets lock-downs that have ended, so that nothing shows that they took place. */
export function forgetEndedLockdowns(db: Database, now: number, limit: number): Promise<boolean> {
  const ended = db
    .selectFrom("lockdown")
    .select("account_id")
    .where("ts_until", ">", 0)
    .where("ts_until", "<=", now)
    .limit(limit);
  return updateChunk(db.updateTable("lockdown").set({ ts_until: 0 }).where("account_id", "in", ended), limit);
}
