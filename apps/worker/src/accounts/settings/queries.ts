import { type Insertable, sql, type Updateable } from "kysely";
import type { Query } from "../../platform/db/batch.ts";
import { selectRow } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { AccountTable, LoginCodeTable } from "../../platform/db/tables.ts";

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
      "a.lattices",
      "a.password_hash",
      "a.home_brand",
      "a.locale",
    ])
    .select(sql<number>`p.shared_on | p.discreet_on`.as("shared_on"))
    .select(sql<0 | 1>`p.discreet_on <> 0`.as("discreet"))
    .where("a.id", "=", id)
    .executeTakeFirstOrThrow();
}

export function updateAccountQuery(db: Database, id: number, changes: Updateable<AccountTable>): Query {
  return db.updateTable("account").set(changes).where("id", "=", id);
}

export async function updateAccount(db: Database, id: number, changes: Updateable<AccountTable>): Promise<void> {
  await updateAccountQuery(db, id, changes).execute();
}

export function updateSharingQueries(db: Database, id: number, sharedOn: number, now: number) {
  return [
    db
      .updateTable("profile")
      .set({
        shared_on: sql<number>`iif(discreet_on = 0, ${sharedOn}, 0)`,
        discreet_on: sql<number>`iif(discreet_on = 0, 0, ${sharedOn})`,
      })
      .where("id", "=", id),
    db.updateTable("account").set({ ts_sharing_chosen: now }).where("id", "=", id),
  ];
}

/** Stores a confirmation; returns false if the change has been ended meanwhile, or the session that requested it. */
export async function insertEmailCode(
  db: Database,
  code: Omit<Insertable<LoginCodeTable>, "purpose"> & { readonly session_id: number },
): Promise<boolean> {
  const { columns, selection } = selectRow(db, { ...code, purpose: "email" as const });
  const isWanted = db
    .selectFrom("session as s")
    .innerJoin("account as a", "a.id", "s.account_id")
    .select("s.id")
    .where("s.id", "=", code.session_id)
    .where("a.email_pending", "=", code.email);
  const row = await db
    .insertInto("login_code")
    .columns(columns)
    .expression(selection.where((eb) => eb.exists(isWanted)))
    .returning("email")
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a confirmation of this account and address, so that it works once; returns whether there was one. */
export async function consumeEmailCode(
  db: Database,
  { codeHash, accountId, email, now }: { codeHash: Uint8Array; accountId: number; email: string; now: number },
): Promise<boolean> {
  const row = await db
    .deleteFrom("login_code")
    .where("code_hash", "=", codeHash)
    .where("purpose", "=", "email")
    .where("account_id", "=", accountId)
    .where("email", "=", email)
    .where("ts_expires", ">", now)
    .returning("email")
    .executeTakeFirst();
  return row !== undefined;
}
