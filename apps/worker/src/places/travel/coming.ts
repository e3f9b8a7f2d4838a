/**
 * Lists the members who will be where the viewer is, by trips that their members chose to show. Reveals the days, but
 * no place.
 */
import { ageOf } from "@lambda/contract/birthdate";
import { TRIP_ANNOUNCED_DAYS, TRIP_REACH_METERS, VISITING_MEMBERS_MAX } from "@lambda/contract/limits";
import type { VisitingMember } from "@lambda/contract/travel";
import { coverShape, limitRanges, ringShape } from "@lambda/geo/cover";
import { pointOfKey, toCurveKey } from "@lambda/geo/curve";
import { dayOf } from "@lambda/geo/time";
import { sql } from "kysely";
import { firstPictureOf } from "../../members/visibility/first-picture.ts";
import { visibleTo } from "../../members/visibility/visibility.ts";
import { dateOfDay } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { centerKeyOf } from "../positions/report.ts";

/** Squares of 2^13 units are about 7 km wide, about a cell of a trip. */
const FINEST_BITS = 13;
const RANGES_MAX = 8;

export async function listComingMembers(ctx: MemberContext): Promise<VisitingMember[]> {
  const today = dayOf(ctx.now);
  const center = pointOfKey(centerKeyOf(ctx));
  const ranges = limitRanges(coverShape(ringShape(center, 0, TRIP_REACH_METERS), FINEST_BITS), RANGES_MAX);
  const rows = await ctx.db
    .selectFrom("trip as t")
    .innerJoin("profile as p", "p.id", "t.profile_id")
    .select(["t.profile_id", "t.day_from", "t.day_to", "p.profile_name", "p.birthdate"])
    .select(firstPictureOf("p").as("picture"))
    .where((eb) =>
      eb.or(ranges.map(({ lo, hi }) => eb.and([eb("t.key", ">=", toCurveKey(lo)), eb("t.key", "<", toCurveKey(hi))]))),
    )
    .where("t.shown", "=", sql.lit(1))
    .where("t.day_to", ">=", today)
    .where("t.day_from", "<=", today + TRIP_ANNOUNCED_DAYS)
    .where(visibleTo(ctx))
    .orderBy("t.day_from")
    .orderBy("t.id")
    .limit(VISITING_MEMBERS_MAX)
    .execute();
  const firstTripOf = new Map(rows.toReversed().map((row) => [row.profile_id, row]));
  return rows
    .filter((row) => firstTripOf.get(row.profile_id) === row)
    .map(({ profile_id, day_from, day_to, profile_name, birthdate, picture }) => ({
      profileId: profile_id,
      profileName: profile_name,
      profileAge: birthdate === null ? null : (ageOf(birthdate, ctx.now) ?? null),
      profilePicId: picture,
      from: dateOfDay(day_from),
      to: dateOfDay(day_to),
    }));
}
