/**
 * Lists the members who will be where the viewer is, by trips that their members chose to show. Reveals the days, but
 * no place, and only to a viewer who is likely to be here.
 */
import { ageOf } from "@lambda/contract/birthdate";
import {
  COMING_HELD_MS,
  COMING_PLACES_PER_DAY_MAX,
  DAY_MS,
  TRIP_ANNOUNCED_DAYS,
  TRIP_REACH_METERS,
  VISITING_MEMBERS_MAX,
} from "@lambda/contract/limits";
import type { ComingMembers } from "@lambda/contract/travel";
import { coverShape, limitRanges, ringShape } from "@lambda/geo/cover";
import { type CurveKey, pointOfKey, toCurveKey } from "@lambda/geo/curve";
import { dayOf } from "@lambda/geo/time";
import { sql } from "kysely";
import { callObject } from "../../platform/call-object.ts";
import { dateOfDay } from "../../platform/iso-time.ts";
import { getLimiter } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { firstPictureOf, visibleTo } from "../../visibility/visibility.ts";

/** Squares of 2^13 units are about 7 km wide, about a cell of a trip. */
const FINEST_BITS = 13;
const RANGES_MAX = 8;
/** All of a square of 2^14 units, about 14 km, sees the same, so that no move within it narrows a trip down. */
const KEYS_PER_PLACE = 4 ** 14;

/** Whether the viewer's device is here, or the marker has been for some days. */
function isHere({ viewer: { position }, now }: MemberContext): boolean {
  if (!position || position.ts_effective_until <= now) return false;
  return (
    position.use === "DEVICE_GPS" || (position.pending_cell === null && position.ts_published <= now - COMING_HELD_MS)
  );
}

/** Counts the places where a member looks, each once a day. False if this is one too many. */
async function mayLookAt({ env, viewer }: MemberContext, place: number): Promise<boolean> {
  const known = { name: `place:${place}`, amount: 1, max: 1, windowMs: DAY_MS };
  const all = { name: "places", amount: 1, max: COMING_PLACES_PER_DAY_MAX, windowMs: DAY_MS };
  return (
    (await callObject(async () => (await getLimiter(env, `coming:${viewer.profileId}`)).spend([known, all])))?.name !==
    all.name
  );
}

export async function listComingMembers(ctx: MemberContext): Promise<ComingMembers> {
  if (!ctx.viewer.position || !isHere(ctx)) return { items: [], closed: "place" };
  const place = Math.floor(ctx.viewer.position.key / KEYS_PER_PLACE);
  if (!(await mayLookAt(ctx, place))) return { items: [], closed: "day" };
  return { items: await listMembersComingTo(ctx, toCurveKey((place + 0.5) * KEYS_PER_PLACE)), closed: null };
}

async function listMembersComingTo(ctx: MemberContext, key: CurveKey): Promise<ComingMembers["items"]> {
  const today = dayOf(ctx.now);
  const center = pointOfKey(key);
  const ranges = limitRanges(coverShape(ringShape(center, 0, TRIP_REACH_METERS), FINEST_BITS), RANGES_MAX);
  const rows = await ctx.db
    .selectFrom("trip as t")
    .innerJoin("profile as p", "p.id", "t.profile_id")
    // The first of a member's trips: SQLite takes the other columns from the row of the minimum.
    .select(["t.profile_id", sql<number>`min(t.day_from)`.as("first_day"), "t.day_to", "p.profile_name", "p.birthdate"])
    .select(firstPictureOf("p").as("picture"))
    .where((eb) =>
      eb.or(ranges.map(({ lo, hi }) => eb.and([eb("t.key", ">=", toCurveKey(lo)), eb("t.key", "<", toCurveKey(hi))]))),
    )
    .where("t.shown", "=", sql.lit(1))
    .where("t.day_to", ">=", today)
    .where("t.day_from", "<=", today + TRIP_ANNOUNCED_DAYS)
    .where(visibleTo(ctx))
    .groupBy("t.profile_id")
    .orderBy("first_day")
    .orderBy("t.id")
    .limit(VISITING_MEMBERS_MAX)
    .execute();
  return rows.map(({ profile_id, first_day, day_to, profile_name, birthdate, picture }) => ({
    profileId: profile_id,
    profileName: profile_name,
    profileAge: birthdate === null ? null : (ageOf(birthdate, ctx.now) ?? null),
    profilePicId: picture,
    from: dateOfDay(first_day),
    to: dateOfDay(day_to),
  }));
}
