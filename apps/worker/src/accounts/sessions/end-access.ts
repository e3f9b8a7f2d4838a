/**
 * What ends when a member takes the account back from somebody else. docs/SECURITY.md lists every credential with what
 * ends it, and credentials.test.ts plays that table.
 */

import { sql } from "kysely";
import type { MemberContext } from "../../platform/access.ts";
import { deliverToMember } from "../../platform/call-object.ts";
import type { Database, Query } from "../../platform/db/database.ts";
import { takeBackQueries } from "../../visibility/statements/take-back.ts";

/** Ends one session with the second PIN that was set in it. The first query returns the session. */
export function endSessionQueries(db: Database, accountId: number, id: number): Query[] {
  return [
    db.deleteFrom("session").where("id", "=", id).where("account_id", "=", accountId).returning("id"),
    db.deleteFrom("lockdown_signal").where("account_id", "=", accountId).where("session_id", "=", id),
  ];
}

interface EndOptions {
  readonly now: number;
  readonly keptSession?: number;
  /** Disclosures that the member wants to keep. */
  readonly kept?: readonly number[];
  /** The owner proved to be there: what they keep is not asked about again. */
  readonly settles?: boolean;
}

/**
 * Ends an account's sessions except the kept one, what they disclosed without a proof, what could lock it down, and codes
 * under way: for a new password, a new address and "log out everywhere".
 */
export function endAccessQueries(db: Database, accountId: number, options: EndOptions): Query[] {
  const email = db.selectFrom("account").select("email").where("id", "=", accountId);
  return [
    db
      .deleteFrom("session")
      .where("account_id", "=", accountId)
      .where("id", "<>", options.keptSession ?? 0),
    ...takeBackQueries(db, sql`(${accountId})`, options),
    db.deleteFrom("lockdown_signal").where("account_id", "=", accountId),
    deleteRecoveryWordsQuery(db, accountId),
    db.deleteFrom("login_code").where("email", "in", email),
    ...endEmailChangeQueries(db, accountId),
  ];
}

/** The same with passkeys, for "log out everywhere" and a deletion: whoever added one would otherwise come back. */
export function endAllAccessQueries(db: Database, accountId: number, options: EndOptions): Query[] {
  return [...endAccessQueries(db, accountId, options), db.deleteFrom("passkey").where("account_id", "=", accountId)];
}

/** Ends a change of address that was requested and not confirmed. */
export function endEmailChangeQueries(db: Database, accountId: number): Query[] {
  return [
    db.deleteFrom("login_code").where("account_id", "=", accountId),
    db
      .updateTable("account")
      .set({ email_pending: null })
      .where("id", "=", accountId)
      .where("email_pending", "is not", null),
  ];
}

export function deleteRecoveryWordsQuery(db: Database, accountId: number): Query {
  return db
    .updateTable("lockdown")
    .set({ words_hash: null, ts_words: null })
    .where("account_id", "=", accountId)
    .where("words_hash", "is not", null);
}

/**
 * Call it after ending sessions: on an event without content, the member's object closes the sockets of ended sessions.
 */
export function closeEndedSockets({
  env,
  viewer,
  waitUntil,
}: Pick<MemberContext, "env" | "viewer" | "waitUntil">): void {
  waitUntil(deliverToMember(env, viewer.profileId, [], null));
}
