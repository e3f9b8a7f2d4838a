import { JUROR_NETWORK_RETENTION_MS, LOGIN_DIGITS_TRIES_MAX } from "@lambda/contract/limits";
import { deleteChunk, updateChunk } from "../../platform/db/chunked-jobs.ts";
import type { Database } from "../../platform/db/database.ts";
import { statusFromActions } from "./status.ts";

export function findAccountByEmail(db: Database, email: string) {
  return db
    .selectFrom("account")
    .select(["id", "email", "password_hash", "home_brand", "ts_deleted"])
    .where("email", "=", email)
    .executeTakeFirst();
}

/** Inserts an account and its empty profile, which takes the id of the account with that address. */
export function insertAccountQueries(
  db: Database,
  account: {
    email: string;
    home_brand: string;
    locale: "en" | "es";
    acknowledgements: string;
    shared_on: number;
    random_order: number;
    network: number;
    mailbox: string;
    lattices: Uint8Array;
    now: number;
  },
) {
  const { shared_on, random_order, now, ...columns } = account;
  const { email } = columns;
  return [
    db
      .insertInto("account")
      .values({ ...columns, ts_created: now })
      .onConflict((conflict) => conflict.column("email").doNothing())
      .compile(),
    db
      .insertInto("profile")
      .columns(["id", "shared_on", "random_order", "ts_seen", "ts_updated"])
      .expression((eb) =>
        eb
          .selectFrom("account")
          .select((select) => [
            "id",
            select.val(shared_on).as("shared_on"),
            select.val(random_order).as("random_order"),
            select.val(now).as("ts_seen"),
            select.val(now).as("ts_updated"),
          ])
          .where("email", "=", email),
      )
      .onConflict((conflict) => conflict.column("id").doNothing())
      .compile(),
  ];
}

/** Ends the grace period and restores the previous status, including a suspension that is still running. */
export function reactivateAccountQueries(db: Database, id: number, now: number) {
  return [
    db.updateTable("account").set({ ts_deleted: null }).where("id", "=", id).compile(),
    db
      .updateTable("profile")
      .set({ status: statusFromActions(now) })
      .where("id", "=", id)
      .where("status", "=", "deleted")
      .compile(),
  ];
}

export function insertLoginCode(
  db: Database,
  code: {
    code_hash: Uint8Array;
    email: string;
    brand: string;
    locale: "en" | "es";
    acknowledgements: string;
    age_ticket_hash: Uint8Array | null;
    ts_expires: number;
    ticket_hash: Uint8Array;
    digits_hash: Uint8Array;
  },
) {
  return db
    .insertInto("login_code")
    .values({ ...code, purpose: "login" })
    .execute();
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

/** Counts a try of the six digits and returns the stored hashes; returns nothing once the tries are used up. */
export function updateDigitsTries(
  db: Database,
  { ticketHash, brand, now }: { ticketHash: Uint8Array; brand: string; now: number },
) {
  return db
    .updateTable("login_code")
    .set((eb) => ({ digits_tries: eb("digits_tries", "+", 1) }))
    .where("ticket_hash", "=", ticketHash)
    .where("purpose", "=", "login")
    .where("brand", "=", brand)
    .where("ts_expires", ">", now)
    .where("digits_tries", "<", LOGIN_DIGITS_TRIES_MAX)
    .returning(["code_hash", "email", "digits_hash"])
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

/** Scheduled: deletes login codes that nobody used. */
export function deleteExpiredCodes(db: Database, now: number, limit: number): Promise<boolean> {
  const due = db.selectFrom("login_code").select("code_hash").where("ts_expires", "<=", now).limit(limit);
  return deleteChunk(db.deleteFrom("login_code").where("code_hash", "in", due), limit);
}
