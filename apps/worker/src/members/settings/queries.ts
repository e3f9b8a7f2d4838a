import type { CompiledQuery, Updateable } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { AccountTable } from "../../platform/db/tables.ts";

export function getAccount(db: Database, id: number) {
  return db
    .selectFrom("account as a")
    .innerJoin("profile as p", "p.id", "a.id")
    .select([
      "a.id",
      "a.name",
      "a.email",
      "a.email_pending",
      "a.lattice_seed",
      "a.password_hash",
      "a.home_brand",
      "a.locale",
    ])
    .select("p.shared_on")
    .where("a.id", "=", id)
    .executeTakeFirstOrThrow();
}

export function updateAccountQuery(db: Database, id: number, changes: Updateable<AccountTable>): CompiledQuery {
  return db.updateTable("account").set(changes).where("id", "=", id).compile();
}

export async function updateAccount(db: Database, id: number, changes: Updateable<AccountTable>): Promise<void> {
  await db.executeQuery(updateAccountQuery(db, id, changes));
}

/** Ends all other sessions of an account, as a new password or address does. */
export function deleteOtherSessionsQuery(db: Database, accountId: number, keptId: number): CompiledQuery {
  return db.deleteFrom("session").where("account_id", "=", accountId).where("id", "<>", keptId).compile();
}

export function updateSharingQueries(db: Database, id: number, sharedOn: number, now: number) {
  return [
    db.updateTable("profile").set({ shared_on: sharedOn }).where("id", "=", id).compile(),
    db.updateTable("account").set({ ts_sharing_chosen: now }).where("id", "=", id).compile(),
  ];
}

export async function insertEmailCode(
  db: Database,
  code: {
    code_hash: Uint8Array;
    email: string;
    account_id: number;
    brand: string;
    locale: "en" | "es";
    ts_expires: number;
  },
): Promise<void> {
  await db
    .insertInto("login_code")
    .values({ ...code, purpose: "email" })
    .execute();
}

/** Deletes and returns a confirmation, so that it works once. */
export function consumeEmailCode(db: Database, codeHash: Uint8Array) {
  return db
    .deleteFrom("login_code")
    .where("code_hash", "=", codeHash)
    .where("purpose", "=", "email")
    .returning(["email", "account_id", "brand", "ts_expires"])
    .executeTakeFirst();
}
