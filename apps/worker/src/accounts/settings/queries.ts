import { sql, type Updateable } from "kysely";
import type { Database, Query } from "../../platform/db/database.ts";
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
      "a.lattices",
      "a.password_hash",
      "a.home_brand",
      "a.locale",
      "a.ts_exported",
    ])
    .select(sql<number>`p.shared_on | p.discreet_on`.as("shared_on"))
    .select(sql<0 | 1>`p.discreet_on <> 0`.as("discreet"))
    .where("a.id", "=", id)
    .executeTakeFirstOrThrow();
}

export function updateAccountQuery(db: Database, id: number, changes: Updateable<AccountTable>): Query {
  return db.updateTable("account").set(changes).where("id", "=", id);
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
