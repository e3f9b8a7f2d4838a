/** For the member's export: rows after an id. */
import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";

export function ownStay(db: Database, profileId: number, after: number) {
  return db
    .selectFrom("travel_stay")
    .select([
      "profile_id as at",
      "country",
      "shown",
      "hid_member as hid",
      "pictures_withdrawn as withdrawn",
      "muted",
      "chosen",
      "ts_seen",
      "ts_left",
    ])
    .where("profile_id", "=", profileId)
    .where("profile_id", ">", after);
}

/** The place in the member's words, with its cell and the cell's published key. */
export function ownTrips(db: Database, profileId: number, after: number) {
  const day = (column: string) => sql<string>`date(${sql.ref(column)} * 86400, 'unixepoch')`;
  return db
    .selectFrom("trip")
    .select(["id as at", "id", "name", "country", "shown", "cell", "key"])
    .select([day("day_from").as("day_from"), day("day_to").as("day_to")])
    .where("profile_id", "=", profileId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(BULK_CHUNK_ROWS);
}
