import { endAllAccessQueries } from "../../accounts/sessions/end-access.ts";
import { endHandedInQuery } from "../../games/person-check/own-check.ts";
import { deletePlacesQuery } from "../../places/positions/places.ts";
import type { Database } from "../../platform/db/database.ts";

/**
 * Starts the grace period. A temporary suspension stays in ts_status_until, so that deleting and returning does not shorten it; a ban keeps its
 * status.
 */
export function deleteAccountQueries(db: Database, id: number, now: number) {
  return [
    db.updateTable("account").set({ ts_deleted: now }).where("id", "=", id),
    endHandedInQuery(db, id, now),
    db
      .updateTable("profile")
      .set({ status: "deleted" })
      .where("id", "=", id)
      .where((where) =>
        where.or([
          where("status", "=", "active"),
          where.and([where("status", "=", "suspended"), where("ts_status_until", "is not", null)]),
        ]),
      ),
    db.deleteFrom("position").where("profile_id", "=", id),
    deletePlacesQuery(db, id),
    db.deleteFrom("push_subscription").where("profile_id", "=", id),
    ...endAllAccessQueries(db, id, { now }),
  ];
}

/** Deletes the account, everything that references it with a cascading foreign key, and rows without one. */
export function purgeAccountQueries(db: Database, id: number, email: string) {
  return [
    db.deleteFrom("contact_message").where("profile_id", "=", id),
    db.deleteFrom("login_code").where("email", "=", email),
    // Checked again: a request that started within the grace period may have restored the account since it was listed.
    db.deleteFrom("account").where("id", "=", id).where("ts_deleted", "is not", null),
  ];
}
