import type { Database, Query } from "../../platform/db/database.ts";
import type { TravelStayRow } from "../../platform/db/tables.ts";

/** Stores a stay; triggers update the pictures. */
export function upsertStayQuery(db: Database, stay: TravelStayRow): Query {
  const { profile_id, ...rest } = stay;
  return db
    .insertInto("travel_stay")
    .values({ profile_id, ...rest })
    .onConflict((conflict) => conflict.column("profile_id").doUpdateSet(rest));
}

/** Deletes an ended stay after the member was told about it. */
export async function deleteLeftStay(db: Database, profileId: number): Promise<void> {
  await db.deleteFrom("travel_stay").where("profile_id", "=", profileId).where("ts_left", "is not", null).execute();
}
