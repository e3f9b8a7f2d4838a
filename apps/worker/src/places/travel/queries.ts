import { TRIPS_MAX } from "@lambda/contract/limits";
import type { Trip } from "@lambda/contract/travel";
import { dayOf } from "@lambda/geo/time";
import { sql } from "kysely";
import { type Database, guardQuery, hasRow, insertIf, type Query } from "../../platform/db/database.ts";
import type { TripRow } from "../../platform/db/tables.ts";
import { dateOfDay } from "../../platform/iso-time.ts";

/**
 * Queries that add a trip, for one batch whose guard fails above the limit; the last returns it. The same place and days under the same name
 * are one trip, since the member repeats what got no answer.
 */
export function insertTripQueries(db: Database, trip: Omit<TripRow, "id">): [Query, Query, Query<TripRow>] {
  const same = db
    .selectFrom("trip")
    .selectAll()
    .where("profile_id", "=", trip.profile_id)
    .where("name", "=", trip.name)
    .where("cell", "=", trip.cell)
    .where("day_from", "=", trip.day_from)
    .where("day_to", "=", trip.day_to);
  return [
    guardQuery(
      db,
      sql<boolean>`(exists ${same} or (select count(*) from trip where profile_id = ${trip.profile_id}) < ${sql.lit(TRIPS_MAX)})`,
    ),
    insertIf(db, "trip", trip, ({ not, exists }) => not(exists(same))),
    same.limit(1),
  ];
}

export function listTrips(db: Database, profileId: number): Promise<TripRow[]> {
  return db
    .selectFrom("trip")
    .selectAll()
    .where("profile_id", "=", profileId)
    .orderBy("day_from")
    .orderBy("id")
    .execute();
}

export async function updateTripShown(
  db: Database,
  profileId: number,
  id: number,
  shown: boolean,
): Promise<TripRow | undefined> {
  return db
    .updateTable("trip")
    .set({ shown: shown ? 1 : 0 })
    .where("id", "=", id)
    .where("profile_id", "=", profileId)
    .returningAll()
    .executeTakeFirst();
}

export function deleteTrip(db: Database, profileId: number, id: number): Promise<boolean> {
  return hasRow(db.deleteFrom("trip").where("id", "=", id).where("profile_id", "=", profileId).returning("id"));
}

export const toDayNumber = (text: string) => dayOf(Date.parse(text));

export function toTrip({ id, name, day_from, day_to, shown, country }: TripRow): Trip {
  return {
    id,
    name,
    from: dateOfDay(day_from),
    to: dateOfDay(day_to),
    shown: shown === null ? null : shown === 1,
    country,
  };
}
