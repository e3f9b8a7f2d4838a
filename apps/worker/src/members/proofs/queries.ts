import type { Database } from "../../platform/db/database.ts";

export function getOwner(db: Database, id: number) {
  return db
    .selectFrom("account")
    .select(["email", "password_hash", "locale"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}
