/** Who is on the way to where the viewer is, by trips whose members like to be seen. Tells days, and no place. */
import { ageOf } from "@lambda/contract/birthdate";
import { COMING_MAX, DAY_MS, TRIP_ANNOUNCED_DAYS, TRIP_REACH_METERS } from "@lambda/contract/limits";
import type { ComingMember } from "@lambda/contract/travel";
import { coverShape, limitRanges, ring } from "@lambda/geo/cover";
import { pointOfKey, toCurveKey } from "@lambda/geo/curve";
import { sql } from "kysely";
import { textOfDay } from "../../members/travel/queries.ts";
import { visibleTo } from "../../members/visibility/visibility.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { centreKeyOf } from "../positions/report.ts";

/** Squares of 2^13 units are some 7 km wide, about a cell of a trip. */
const FINEST_BITS = 13;
const RANGES_MAX = 8;

export async function listComing(ctx: MemberContext): Promise<ComingMember[]> {
  const today = Math.floor(ctx.now / DAY_MS);
  const centre = pointOfKey(await centreKeyOf(ctx));
  const ranges = limitRanges(coverShape(ring(centre, 0, TRIP_REACH_METERS), FINEST_BITS), RANGES_MAX);
  const rows = await ctx.db
    .selectFrom("trip as t")
    .innerJoin("profile as p", "p.id", "t.profile_id")
    .select(["t.profile_id", "t.day_from", "t.day_to", "p.profile_name", "p.birthdate"])
    .select(sql<number | null>`p.pics_public ->> 0`.as("picture"))
    .where((eb) =>
      eb.or(ranges.map(({ lo, hi }) => eb.and([eb("t.key", ">=", toCurveKey(lo)), eb("t.key", "<", toCurveKey(hi))]))),
    )
    .where("t.shown", "=", sql.lit(1))
    .where("t.day_to", ">=", today)
    .where("t.day_from", "<=", today + TRIP_ANNOUNCED_DAYS)
    .where(visibleTo(ctx))
    .orderBy("t.day_from")
    .orderBy("t.id")
    .limit(COMING_MAX)
    .execute();
  const first = new Map(rows.toReversed().map((row) => [row.profile_id, row]));
  return rows
    .filter((row) => first.get(row.profile_id) === row)
    .map(({ profile_id, day_from, day_to, profile_name, birthdate, picture }) => ({
      profileId: profile_id,
      profileName: profile_name,
      profileAge: birthdate === null ? null : (ageOf(birthdate, ctx.now) ?? null),
      profilePicId: picture,
      from: textOfDay(day_from),
      to: textOfDay(day_to),
    }));
}
