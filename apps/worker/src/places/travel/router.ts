import {
  DAY_MS,
  STAY_LOOKS_PER_DAY_MAX,
  TRIP_AHEAD_DAYS,
  TRIP_CHANGES_PER_DAY_MAX,
  TRIP_LONGEST_DAYS,
  TRIPS_MAX,
} from "@lambda/contract/limits";
import { Id, Nothing } from "@lambda/contract/primitives";
import { ComingMember, StayChoice, Trip, TripDraft, Whereabouts } from "@lambda/contract/travel";
import { boundsOfCell } from "@lambda/geo/lattice";
import { punishingLandIn } from "@lambda/geo/punishing";
import { z } from "zod";
import { toWhereabouts } from "../../members/travel/guard.ts";
import {
  dayOf,
  deleteLeftStay,
  deleteTrip,
  insertTripQueries,
  listTrips,
  toTrip,
  updateTripShown,
} from "../../members/travel/queries.ts";
import { batch } from "../../platform/db/batch.ts";
import { failedGuard } from "../../platform/db/guard.ts";
import type { TripRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import { limit } from "../../platform/rate-limits/limit.ts";
import { countShown } from "../../platform/rate-limits/readings.ts";
import { type MemberContext, memberProcedure, router } from "../../platform/trpc.ts";
import { getPlacesRow } from "../positions/places.ts";
import { latticesOf, publishedKey } from "../positions/publish.ts";
import { listComing } from "./coming.ts";
import { chooseStay, look } from "./whereabouts.ts";

const spendLook = ({ env, viewer }: MemberContext) =>
  limit(env, `stay:${viewer.profileId}`, STAY_LOOKS_PER_DAY_MAX, DAY_MS);
const spendTrip = ({ env, viewer }: MemberContext) =>
  limit(env, `trip:${viewer.profileId}`, TRIP_CHANGES_PER_DAY_MAX, DAY_MS);

/** The days of a draft. Throws BAD_INPUT for those that are over, too far ahead, too many or turned around. */
function daysOf({ from, to }: { readonly from: string; readonly to: string }, now: number): [number, number] {
  const today = Math.floor(now / DAY_MS);
  const [first, last] = [dayOf(from), dayOf(to)];
  const refuse = (field: string, message: string) => new AppError("BAD_INPUT", { field, message });
  // Yesterday: it is still today west of here.
  if (first < today - 1 || first > today + TRIP_AHEAD_DAYS) throw refuse("from", "from is a day of the coming year");
  if (last < first) throw refuse("to", "to is not before from");
  if (last - first > TRIP_LONGEST_DAYS) throw refuse("to", `a trip lasts ${TRIP_LONGEST_DAYS} days at most`);
  return [first, last];
}

async function addTrip(ctx: MemberContext, draft: z.output<typeof TripDraft>): Promise<TripRow> {
  const { viewer, db, env, d1, now } = ctx;
  const [day_from, day_to] = daysOf(draft, now);
  await spendTrip(ctx);
  const lattices = await latticesOf(env.POSITION_KEY, viewer.places ?? (await getPlacesRow(db, viewer.profileId)));
  // Never finer: a trip tells of a home that stands empty, or of a hotel.
  const cell = draft.point.cell(lattices.own, [], "city", null);
  const country = punishingLandIn(boundsOfCell(lattices.own, cell));
  const queries = insertTripQueries(db, {
    profile_id: viewer.profileId,
    name: draft.name,
    cell,
    key: publishedKey(lattices, cell),
    country,
    day_from,
    day_to,
    // Where it endangers it is off until the member turns it on; elsewhere it is asked.
    shown: country === null ? null : 0,
  });
  const [, [row]] = await batch<[unknown[], TripRow[]]>(d1, queries).catch((error: unknown) => {
    if (!failedGuard(error)) throw error;
    throw new AppError("BAD_INPUT", {
      field: "from",
      message: `There is room for ${TRIPS_MAX} trips. Remove one first.`,
    });
  });
  if (!row) throw new AppError("INTERNAL");
  return row;
}

export const travelRouter = router({
  whereabouts: memberProcedure
    .meta({ rest: { method: "GET", path: "/travel", summary: "Whether the viewer is in a country that punishes" } })
    .output(Whereabouts)
    .query(async ({ ctx }) =>
      toWhereabouts((ctx.viewer.places ?? (await getPlacesRow(ctx.db, ctx.viewer.profileId))).stay),
    ),

  look: memberProcedure
    .meta({ rest: { method: "POST", path: "/travel/look", status: 200, summary: "Look where the viewer is" } })
    .output(Whereabouts)
    .mutation(async ({ ctx }) => {
      await spendLook(ctx);
      return look(ctx);
    }),

  choose: memberProcedure
    .meta({ rest: { method: "PUT", path: "/travel/stay", summary: "Choose what protects in such a country" } })
    .input(StayChoice)
    .output(Whereabouts)
    .mutation(async ({ ctx, input }) => {
      await spendLook(ctx);
      return chooseStay(ctx, input);
    }),

  told: memberProcedure
    .meta({ rest: { method: "DELETE", path: "/travel/left", summary: "The viewer knows that a stay is over" } })
    .output(Nothing)
    .mutation(async ({ ctx }) => {
      await deleteLeftStay(ctx.db, ctx.viewer.profileId);
      return {};
    }),

  trips: memberProcedure
    .meta({ rest: { method: "GET", path: "/travel/trips", summary: "The own trips", list: true } })
    .output(z.object({ items: z.array(Trip) }))
    .query(async ({ ctx }) => ({ items: (await listTrips(ctx.db, ctx.viewer.profileId)).map(toTrip) })),

  addTrip: memberProcedure
    .meta({ rest: { method: "POST", path: "/travel/trips", summary: "Plan a trip" } })
    .input(TripDraft)
    .output(Trip)
    .mutation(async ({ ctx, input }) => toTrip(await addTrip(ctx, input))),

  showTrip: memberProcedure
    .meta({ rest: { method: "PUT", path: "/travel/trips/{id}", summary: "Whether members there see a trip" } })
    .input(z.object({ id: Id, shown: z.boolean() }))
    .output(Trip)
    .mutation(async ({ ctx, input }) => {
      await spendTrip(ctx);
      const row = await updateTripShown(ctx.db, ctx.viewer.profileId, input.id, input.shown);
      if (!row) throw new AppError("NOT_FOUND");
      return toTrip(row);
    }),

  removeTrip: memberProcedure
    .meta({ rest: { method: "DELETE", path: "/travel/trips/{id}", summary: "Remove a trip" } })
    .input(z.object({ id: Id }))
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      if (!(await deleteTrip(ctx.db, ctx.viewer.profileId, input.id))) throw new AppError("NOT_FOUND");
      return {};
    }),

  coming: memberProcedure
    .meta({ rest: { method: "GET", path: "/travel/coming", summary: "Who is coming here", list: true } })
    .output(z.object({ items: z.array(ComingMember) }))
    .query(async ({ ctx }) => {
      const items = await listComing(ctx);
      countShown(
        ctx,
        items.map(({ profileId }) => profileId),
      );
      return { items };
    }),
});
