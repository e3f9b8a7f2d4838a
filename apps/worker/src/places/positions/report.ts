/** Takes a member's position report: from a cell to what is stored and published. */
import type { ProfilePositionReport, ReportedPosition } from "@lambda/contract/positions";
import type { CurveKey } from "@lambda/geo/curve";
import { keyOfPoint } from "@lambda/geo/curve";
import type { Cell } from "@lambda/geo/grid";
import { boundsOfCell, cellAt, rememberRest } from "@lambda/geo/lattice";
import { punishingLandIn } from "@lambda/geo/punishing";
import { placeOf } from "../../members/age/place.ts";
import { arrive, isCoarse, leave, running, settle, sightOf } from "../../members/travel/guard.ts";
import { upsertStayQuery } from "../../members/travel/queries.ts";
import { batch } from "../../platform/db/batch.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { spend } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { getPlacesRow, openRow, toOwnPlaces, updatePlacesQuery } from "./places.ts";
import { publishedKey, randomPoint } from "./publish.ts";
import { findPosition, toProfilePosition, toRow, toState, updateHiddenQuery, upsertPositionQuery } from "./queries.ts";
import { nextState, reportedPrecision } from "./rules.ts";

/** Told of a published position before and after, so that whoever listens at the old place is sent away. */
export type OnMoved = (env: Env, profileId: number, from: CurveKey | null, to: CurveKey) => Promise<unknown>;

/** Tries until no other report came in between; more than this many at once is no member with a device. */
const TRIES = 5;

/** Writes nothing when nothing changed: a member at rest costs no row, but one a day for a place. Throws CONFLICT when others kept coming. */
export async function takeReport(
  ctx: MemberContext,
  report: ProfilePositionReport,
  onMoved: OnMoved,
): Promise<ReportedPosition> {
  const { viewer, env, db, d1, brand, now } = ctx;
  const { profileId } = viewer;
  let placesRow = viewer.places ?? (await getPlacesRow(db, profileId));
  let stored = viewer.position;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { lattices, remembered: known } = await openRow(env.POSITION_KEY, profileId, placesRow);
    const before = stored ? toState(stored) : undefined;
    // A place is where the device was for a while, and never where the member dragged the marker.
    const remembered = before?.use === "DEVICE_GPS" ? rememberRest(known, before, now) : known;
    const remembering =
      remembered === known ? [] : [await updatePlacesQuery(db, env.POSITION_KEY, profileId, remembered)];
    const places = toOwnPlaces({ lattices, remembered });

    const precision = reportedPrecision(report.precision, before?.precision ?? null);
    const landOf = (cell: Cell) => punishingLandIn(boundsOfCell(lattices.own, cell));
    const at = report.point?.cell(lattices.own, [], precision, null);
    const sight = sightOf(report.use, at === undefined ? null : landOf(at), placeOf(ctx).country);
    const arrived = arrive(profileId, placesRow.stay, sight, viewer.hidden, now);
    const drawn = isCoarse(arrived) ? "city" : precision;
    // What GPS sees holds on to what GPS saw: where a marker stood before says nothing of this place.
    const isStill = report.use === "DEVICE_GPS" && before?.use === "DEVICE_GPS";
    const last = isStill ? (before.pendingCell ?? before.cell) : null;
    const cell = report.point
      ? report.point.cell(lattices.own, remembered, drawn, last)
      : cellAt(lattices.own, await randomPoint(env.POSITION_KEY, profileId, brand), drawn);
    const state = nextState(before, report, cell, precision, now);
    const after = leave(arrived, sight, landOf((state ?? before)?.cell ?? cell) === null, now);
    const { stay, hidden } = settle({ before: placesRow.stay, after, hidden: viewer.hidden, wish: report.hide });
    const hiding = [
      ...(hidden === viewer.hidden ? [] : [updateHiddenQuery(db, profileId, hidden, now)]),
      ...(stay && stay !== placesRow.stay ? [upsertStayQuery(db, stay)] : []),
    ];
    // Where one is not safe to be seen: known in all regions at once, though it was the device alone that moved.
    if (hiding.length > 0) ctx.changes.hidingNothing = 0;
    if (hiding.length > 0) ctx.changes.briefs = 1;
    const rest = { places, stay: running(stay)?.country ?? null };
    if (!state && stored) {
      await batch(d1, [...hiding, ...remembering]);
      return { ...toProfilePosition(stored, hidden, lattices.own), ...rest };
    }
    if (!state) break;
    if (tries === 0) {
      try {
        await spend(ctx, "positions", profileId, { positionsPerMinute: 1, positions: 1 });
      } catch (error) {
        // Hiding is refused to nobody, and neither is what protects.
        await batch(d1, hiding);
        throw error;
      }
    }
    const key = stored && state.cell === stored.cell ? stored.key : publishedKey(lattices, state.cell);
    const row = toRow(profileId, state, key, report.session ?? stored?.session ?? 0);
    const writing = [upsertPositionQuery(db, stored, row), ...hiding, ...remembering];
    const [written] = await batch<[unknown[], ...unknown[][]]>(d1, writing);
    if (written.length > 0) {
      const living = stored && stored.ts_effective_until > now ? stored.key : null;
      if (row.key !== living) ctx.waitUntil(onMoved(env, profileId, living, row.key));
      return { ...toProfilePosition(row, hidden, lattices.own), ...rest };
    }
    [stored, placesRow] = await Promise.all([findPosition(db, profileId), getPlacesRow(db, profileId)]);
  }
  throw new AppError("CONFLICT");
}

/** Where a member measures from: their published position, or near the random one they would have. */
export async function centreKeyOf(ctx: Pick<MemberContext, "viewer" | "env" | "brand" | "now">): Promise<CurveKey> {
  const { viewer, env, brand, now } = ctx;
  if (viewer.position && viewer.position.ts_effective_until > now) return viewer.position.key;
  return keyOfPoint(await randomPoint(env.POSITION_KEY, viewer.profileId, brand));
}
