import {
  DAY_MS,
  STAY_CALLS_PER_DAY_MAX,
  TRIP_AHEAD_MAX_DAYS,
  TRIP_CHANGES_PER_DAY_MAX,
  TRIP_DURATION_MAX_DAYS,
  TRIPS_MAX,
} from "@lambda/contract/limits";
import { Id } from "@lambda/contract/primitives";
import { ComingMembers, StayChoice, Trip, TripDraft, Whereabouts } from "@lambda/contract/travel";
import { cellBounds } from "@lambda/geo/lattice";
import { punishingCountryIn } from "@lambda/geo/punishing";
import { dayOf } from "@lambda/geo/time";
import { z } from "zod";
import { latticesOf } from "../../accounts/lattices.ts";
import { batch, isGuardFailure } from "../../platform/db/database.ts";
import type { TripRow } from "../../platform/db/tables.ts";
import { AppError, inputProblem } from "../../platform/errors.ts";
import { enforceLimit } from "../../platform/rate-limits/limit.ts";
import { countShown } from "../../platform/rate-limits/usage.ts";
import { type MemberContext, memberCommand, memberList, memberProcedure, router } from "../../platform/trpc.ts";
import { deleteLeftStay } from "../../visibility/stays/queries.ts";
import { toWhereabouts } from "../../visibility/stays/stay-rules.ts";
import { getPlacesRow } from "../positions/places.ts";
import { publishedKey } from "../positions/publish.ts";
import { listComingMembers } from "./coming.ts";
import { deleteTrip, insertTripQueries, listTrips, toDayNumber, toTrip, updateTripShown } from "./queries.ts";
import { chooseStay, refreshStay } from "./whereabouts.ts";

function limitStayCalls({ env, viewer }: MemberContext): Promise<void> {
  return enforceLimit(env, `stay:${viewer.profileId}`, STAY_CALLS_PER_DAY_MAX, DAY_MS);
}

function limitTripChanges({ env, viewer }: MemberContext): Promise<void> {
  return enforceLimit(env, `trip:${viewer.profileId}`, TRIP_CHANGES_PER_DAY_MAX, DAY_MS);
}

/** Returns the days of a draft. Throws BAD_INPUT if they are past, too far ahead, too many or reversed. */
function daysOf({ from, to }: { readonly from: string; readonly to: string }, now: number): [number, number] {
  const today = dayOf(now);
  const [first, last] = [toDayNumber(from), toDayNumber(to)];
  // Allows yesterday, which is still today further west.
  if (first < today - 1) throw inputProblem("from", "PAST");
  if (first > today + TRIP_AHEAD_MAX_DAYS) throw inputProblem("from", "TOO_FAR_AHEAD", TRIP_AHEAD_MAX_DAYS);
  if (last < first) throw inputProblem("to", "REVERSED");
  if (last - first > TRIP_DURATION_MAX_DAYS) throw inputProblem("to", "TOO_MANY_DAYS", TRIP_DURATION_MAX_DAYS);
  return [first, last];
}

async function addTrip(ctx: MemberContext, draft: z.output<typeof TripDraft>): Promise<TripRow> {
  const { viewer, db, env, d1, now } = ctx;
  const [day_from, day_to] = daysOf(draft, now);
  await limitTripChanges(ctx);
  const lattices = latticesOf(env, viewer.places ?? (await getPlacesRow(db, viewer.profileId)));
  // Never finer: a trip reveals a home that is empty, or a hotel.
  const cell = draft.point.cell(lattices.own, [], "city", null);
  const country = punishingCountryIn(cellBounds(lattices.own, cell));
  const queries = insertTripQueries(db, {
    profile_id: viewer.profileId,
    name: draft.name,
    cell,
    key: publishedKey(lattices, cell),
    country,
    day_from,
    day_to,
    // Off where it is dangerous, until the member turns it on; elsewhere the member is asked.
    shown: country === null ? null : 0,
  });
  const [, , [row]] = await batch(d1, queries).catch((error: unknown) => {
    if (!isGuardFailure(error)) throw error;
    throw inputProblem("trips", "FULL", TRIPS_MAX);
  });
  if (!row) throw new AppError("INTERNAL");
  return row;
}

export const travelRouter = router({
  whereabouts: memberProcedure("GET /travel", "Whether the viewer is in a country that punishes")
    .output(Whereabouts)
    .query(async ({ ctx }) =>
      toWhereabouts((ctx.viewer.places ?? (await getPlacesRow(ctx.db, ctx.viewer.profileId))).stay),
    ),

  refreshStay: memberProcedure("POST /travel/look", "Check where the viewer is", { status: 200 })
    .output(Whereabouts)
    .mutation(async ({ ctx }) => {
      await limitStayCalls(ctx);
      return refreshStay(ctx);
    }),

  choose: memberProcedure("PUT /travel/stay", "Choose what protects the viewer in such a country")
    .input(StayChoice)
    .output(Whereabouts)
    .mutation(async ({ ctx, input }) => {
      await limitStayCalls(ctx);
      return chooseStay(ctx, input);
    }),

  acknowledgeStayEnd: memberCommand(
    "DELETE /travel/left",
    "Confirm that the viewer knows of the end of a stay",
  ).mutation(({ ctx }) => deleteLeftStay(ctx.db, ctx.viewer.profileId)),

  trips: memberList("GET /travel/trips", "The viewer's trips", Trip).query(async ({ ctx }) => ({
    items: (await listTrips(ctx.db, ctx.viewer.profileId)).map(toTrip),
  })),

  addTrip: memberProcedure("POST /travel/trips", "Plan a trip")
    .input(TripDraft)
    .output(Trip)
    .mutation(async ({ ctx, input }) => toTrip(await addTrip(ctx, input))),

  showTrip: memberProcedure("PUT /travel/trips/{id}", "Choose whether members there see a trip")
    .input(z.object({ id: Id, shown: z.boolean() }))
    .output(Trip)
    .mutation(async ({ ctx, input }) => {
      await limitTripChanges(ctx);
      const row = await updateTripShown(ctx.db, ctx.viewer.profileId, input.id, input.shown);
      if (!row) throw new AppError("NOT_FOUND");
      return toTrip(row);
    }),

  removeTrip: memberCommand("DELETE /travel/trips/{id}", "Remove a trip")
    .input(z.object({ id: Id }))
    .mutation(async ({ ctx, input }) => {
      if (!(await deleteTrip(ctx.db, ctx.viewer.profileId, input.id))) throw new AppError("NOT_FOUND");
    }),

  coming: memberProcedure("GET /travel/coming", "Who is coming here", { list: true })
    .output(ComingMembers)
    .query(async ({ ctx }) => {
      const coming = await listComingMembers(ctx);
      countShown(
        ctx,
        coming.items.map(({ profileId }) => profileId),
      );
      return coming;
    }),
});
