import { ACCOUNT_GRACE_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { deletePlacesQuery } from "../../places/positions/places.ts";
import type { Database } from "../../platform/db/database.ts";
import { standsIn } from "./stand-in.ts";

/**
 * Begins the grace period. A suspension that runs out by itself is remembered in ts_status_until, so that deleting and coming
 * back does not shorten it; a ban stays a ban.
 */
export function deleteAccountQueries(db: Database, id: number, now: number) {
  return [
    db.updateTable("account").set({ ts_deleted: now, email_pending: null }).where("id", "=", id).compile(),
    db
      .updateTable("profile")
      .set({ status: "deleted" })
      .where("id", "=", id)
      .where((where) =>
        where.or([
          where("status", "=", "active"),
          where.and([where("status", "=", "suspended"), where("ts_status_until", "is not", null)]),
        ]),
      )
      .compile(),
    db.deleteFrom("position").where("profile_id", "=", id).compile(),
    deletePlacesQuery(db, id),
    db.deleteFrom("push_subscription").where("profile_id", "=", id).compile(),
    db.deleteFrom("session").where("account_id", "=", id).compile(),
    db.deleteFrom("login_code").where("account_id", "=", id).compile(),
  ];
}

export function listAccountsToPurge(db: Database, now: number, most: number) {
  return db
    .selectFrom("account")
    .select(["id", "email"])
    .where("ts_deleted", "is not", null)
    .where("ts_deleted", "<=", now - ACCOUNT_GRACE_MS)
    .where(sql<boolean>`not ${standsIn(now)}`)
    .orderBy("ts_deleted")
    .limit(most)
    .execute();
}

/** Objects that evidence of a member keeps in R2 for cases that are over. */
export function listEvidenceKeys(db: Database, id: number, unsettled: readonly number[]) {
  return db
    .selectFrom("evidence")
    .select("r2_key")
    .where("author_id", "=", id)
    .where("r2_key", "is not", null)
    .where(sql<boolean>`report_id not in (select value from json_each(${JSON.stringify(unsettled)}))`)
    .execute();
}

/** The account with everything that hangs on it by foreign keys, and what hangs on its address or has no key. */
export function purgeAccountQueries(db: Database, id: number, email: string) {
  return [
    db.deleteFrom("contact_message").where("profile_id", "=", id).compile(),
    db.deleteFrom("login_code").where("email", "=", email).compile(),
    // Asked again here: a request that began before the end of the grace may have brought the member back since the list was made.
    db.deleteFrom("account").where("id", "=", id).where("ts_deleted", "is not", null).compile(),
  ];
}
