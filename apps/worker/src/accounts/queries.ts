import { JUROR_NETWORK_RETENTION_MS } from "@lambda/contract/limits";
import type { Insertable } from "kysely";
import { updateChunk } from "../platform/db/chunked-jobs.ts";
import { type Database, insertFrom, insertIf } from "../platform/db/database.ts";
import type { AccountTable, ProfileRow } from "../platform/db/tables.ts";
import { mailboxOf } from "./mailbox.ts";

const selectAccount = (db: Database) =>
  db.selectFrom("account").select(["id", "email", "password_hash", "home_brand", "ts_deleted"]);

/** Finds the account with exactly this address, which is the only one that a mail to it may open. */
export function findAccountByEmail(db: Database, email: string) {
  return selectAccount(db).where("email", "=", email).executeTakeFirst();
}

/**
 * Finds the account that a typed address means: the one of this spelling, else of its mailbox. Where an earlier version let a mailbox
 * have several accounts, one in use comes first, then one with a password, then the oldest.
 */
export function findAccountOfMailbox(db: Database, email: string) {
  return selectAccount(db)
    .where((eb) => eb.or([eb("email", "=", email), eb("mailbox", "=", mailboxOf(email))]))
    .orderBy((eb) => eb("email", "=", email), "desc")
    .orderBy((eb) => eb("ts_deleted", "is", null), "desc")
    .orderBy((eb) => eb("password_hash", "is not", null), "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

/** Selects another account that has this address, or its mailbox unless that is this account's own already. */
export function selectOwnerOfAddress(db: Database, email: string, { id, current }: { id: number; current: string }) {
  const mailbox = mailboxOf(email);
  const hasAddress = selectAccount(db)
    .where("id", "<>", id)
    .orderBy((eb) => eb("email", "=", email), "desc")
    .limit(1);
  if (mailbox === mailboxOf(current)) return hasAddress.where("email", "=", email);
  return hasAddress.where((eb) => eb.or([eb("email", "=", email), eb("mailbox", "=", mailbox)]));
}

/**
 * Inserts an account and its empty profile, which takes the id of the account with that address. Neither is inserted if an account has
 * the mailbox under another spelling.
 */
export function insertAccountQueries(
  db: Database,
  account: Insertable<AccountTable>,
  profile: Pick<ProfileRow, "shared_on" | "random_order">,
) {
  const { email, mailbox = null, ts_created: now } = account;
  const others = db.selectFrom("account").select("id").where("mailbox", "=", mailbox);
  const added = db.selectFrom("account").select("id").where("email", "=", email);
  return [
    insertIf(db, "account", account, ({ not, exists }) => not(exists(others))).onConflict((conflict) =>
      conflict.column("email").doNothing(),
    ),
    insertFrom(db, "profile", added, { ...profile, ts_seen: now, ts_updated: now }).onConflict((conflict) =>
      conflict.column("id").doNothing(),
    ),
  ];
}

/** Finds a login code without using it up. */
export function findLoginCode(db: Database, codeHash: Uint8Array) {
  return db
    .selectFrom("login_code")
    .select(["email", "brand", "locale", "age_ticket_hash", "ts_expires"])
    .where("code_hash", "=", codeHash)
    .where("purpose", "=", "login")
    .executeTakeFirst();
}

/** Deletes and returns a login code, so that it works once even for concurrent requests. */
export function consumeLoginCode(db: Database, codeHash: Uint8Array) {
  return db
    .deleteFrom("login_code")
    .where("code_hash", "=", codeHash)
    .where("purpose", "=", "login")
    .returning(["brand", "locale", "acknowledgements", "age_ticket_hash"])
    .executeTakeFirst();
}

/** Scheduled: clears the network that an account was created from, a year later. */
export function forgetNetworks(db: Database, now: number, limit: number): Promise<boolean> {
  const due = db
    .selectFrom("account")
    .select("id")
    .where("ts_created", "<=", now - JUROR_NETWORK_RETENTION_MS)
    .where("network", "is not", null)
    .limit(limit);
  return updateChunk(db.updateTable("account").set({ network: null }).where("id", "in", due), limit);
}
