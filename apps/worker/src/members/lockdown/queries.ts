import { HOUR_MS, LOCKDOWN_SIGNALS_MAX } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { updatePortion } from "../../platform/db/rounds.ts";

/**
 * All that a token does, for a batch: the same statements with the same parameters whether it is a second PIN's, a first PIN's or
 * nobody's, so that neither the answer nor its time can tell. The last but one answers whose account was locked down.
 */
export function lockDownQueries(db: Database, tokenHash: Uint8Array, now: number): Compiled[] {
  const whose = db.selectFrom("lockdown_signal").select("account_id").where("token_hash", "=", tokenHash);
  const email = db.selectFrom("account").select("email").where("id", "in", whose);
  const starts = sql<number>`${now} + hours * ${HOUR_MS}`;
  return [
    // A stay that hid the member would show them again at its end.
    db.updateTable("travel_stay").set({ hid: 0 }).where("profile_id", "in", whose).where("hid", "=", 1).compile(),
    db.updateTable("profile").set({ hidden: 1 }).where("id", "in", whose).where("hidden", "=", 0).compile(),
    db.deleteFrom("push_subscription").where("profile_id", "in", whose).compile(),
    db.deleteFrom("session").where("account_id", "in", whose).compile(),
    // Links, digits and confirmations that are under way.
    db.deleteFrom("login_code").where("email", "in", email).compile(),
    db.deleteFrom("login_code").where("account_id", "in", whose).compile(),
    db
      .insertInto("lockdown")
      .columns(["account_id", "ts_until"])
      .expression(
        db
          .selectFrom("lockdown_signal")
          .select(["account_id", starts.as("ts_until")])
          .where("token_hash", "=", tokenHash),
      )
      .onConflict((conflict) =>
        conflict.column("account_id").doUpdateSet({ ts_until: sql`max(ts_until, excluded.ts_until)` }),
      )
      .returning("account_id")
      .compile(),
    db.deleteFrom("lockdown_signal").where("token_hash", "=", tokenHash).compile(),
  ];
}

/** Prepares a device's second PIN. The oldest of too many gives way. */
export function insertSignalQueries(
  db: Database,
  signal: { account_id: number; token_hash: Uint8Array; hours: number },
): Compiled[] {
  return [
    db
      .insertInto("lockdown_signal")
      .values(signal)
      // A hash that is there already is this device's own repetition, or somebody's who read it: it stays whose it is.
      .onConflict((conflict) => conflict.column("token_hash").doNothing())
      .compile(),
    db
      .deleteFrom("lockdown_signal")
      .where("account_id", "=", signal.account_id)
      .where("id", "<=", (old) =>
        old
          .selectFrom("lockdown_signal as s")
          .select("s.id")
          .where("s.account_id", "=", signal.account_id)
          .orderBy("s.id", "desc")
          .limit(1)
          .offset(LOCKDOWN_SIGNALS_MAX),
      )
      .compile(),
  ];
}

export async function upsertWords(db: Database, accountId: number, wordsHash: string): Promise<void> {
  await db
    .insertInto("lockdown")
    .values({ account_id: accountId, words_hash: wordsHash })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ words_hash: wordsHash }))
    .execute();
}

/** What the recovery words of an account are compared with; undefined while nothing is locked. */
export async function findWordsHash(db: Database, email: string, now: number): Promise<string | null | undefined> {
  const row = await db
    .selectFrom("account as a")
    .innerJoin("lockdown as l", "l.account_id", "a.id")
    .select("l.words_hash")
    .where("a.email", "=", email)
    .where("l.ts_until", ">", now)
    .executeTakeFirst();
  return row?.words_hash;
}

/** The words were spoken: the lock-down is over, and they are used up. */
export async function deleteLockdown(db: Database, accountId: number): Promise<void> {
  await db.deleteFrom("lockdown").where("account_id", "=", accountId).execute();
}

/** Run by schedule: that a lock-down took place is forgotten with its end. */
export function forgetEndedLockdowns(db: Database, now: number, atOnce: number): Promise<boolean> {
  const ended = db
    .selectFrom("lockdown")
    .select("account_id")
    .where("ts_until", ">", 0)
    .where("ts_until", "<=", now)
    .limit(atOnce);
  return updatePortion(db.updateTable("lockdown").set({ ts_until: 0 }).where("account_id", "in", ended), atOnce);
}
