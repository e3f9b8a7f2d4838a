import { sql } from "kysely";
import { type Database, guardQuery, type Query } from "../../platform/db/database.ts";
import type { TravelStayRow } from "../../platform/db/tables.ts";
import { HIDES } from "../visibility.ts";

/** Whether a member chose to hide, as `viewer.hides` says of the time when the session was read. */
export async function findHides(db: Database, profileId: number): Promise<boolean> {
  const row = await db
    .selectFrom("profile")
    .select(sql<0 | 1>`${HIDES}`.as("hides"))
    .where("id", "=", profileId)
    .executeTakeFirst();
  return row?.hides === 1;
}

/**
 * Fails its batch if another device has changed meanwhile where the member is or whether the member hides: what was decided before would show a
 * member who has just hidden.
 */
export function guardStayQuery(db: Database, profileId: number, stay: TravelStayRow | null, hides: boolean): Query {
  const isSame = stay
    ? sql`exists (select 1 from travel_stay where profile_id = ${profileId} and country = ${stay.country} and shown = ${stay.shown}
        and hid_member = ${stay.hid_member} and pictures_withdrawn = ${stay.pictures_withdrawn} and muted = ${stay.muted}
        and chosen = ${stay.chosen} and ts_seen = ${stay.ts_seen} and ts_left is ${stay.ts_left}
        and seen_by_device = ${stay.seen_by_device} and ts_elsewhere is ${stay.ts_elsewhere})`
    : sql`not exists (select 1 from travel_stay where profile_id = ${profileId})`;
  return guardQuery(
    db,
    sql<boolean>`(${isSame} and exists (select 1 from profile where id = ${profileId} and ${HIDES} = ${hides ? 1 : 0}))`,
  );
}

/** Stores a stay; triggers update the pictures. */
export function upsertStayQuery(db: Database, stay: TravelStayRow): Query {
  const { profile_id, ...rest } = stay;
  return db
    .insertInto("travel_stay")
    .values({ profile_id, ...rest })
    .onConflict((conflict) => conflict.column("profile_id").doUpdateSet(rest));
}

/** Applies to the current stay, whatever it is, that hiding was the member's own act, which goes on after it. */
export function hideInStayQuery(db: Database, profileId: number): Query {
  return db
    .updateTable("travel_stay")
    .set({ shown: "hidden", hid_member: 0 })
    .where("profile_id", "=", profileId)
    .where("ts_left", "is", null);
}

/** Deletes an ended stay after the member was told about it. */
export async function deleteLeftStay(db: Database, profileId: number): Promise<void> {
  await db.deleteFrom("travel_stay").where("profile_id", "=", profileId).where("ts_left", "is not", null).execute();
}
