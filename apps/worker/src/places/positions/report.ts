/** Applies a member's position report: from its cell to what is stored and published. */
import type { PositionReportResponse, ProfilePositionReport } from "@lambda/contract/positions";
import { type CurveKey, keyOfPoint } from "@lambda/geo/curve";
import type { Cell } from "@lambda/geo/grid";
import { cellAt, cellBounds, rememberRestingCell } from "@lambda/geo/lattice";
import { punishingCountryIn } from "@lambda/geo/punishing";
import { placeOf } from "../../accounts/age/place.ts";
import type { Lattices } from "../../accounts/lattices.ts";
import { batch, isGuardFailure, passesGuards } from "../../platform/db/database.ts";
import type { PositionRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import { spendQuota } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import type { PlacesRow } from "../../platform/viewer.ts";
import { discloseUnhiddenQuery } from "../../visibility/statements/disclosures.ts";
import { findHides, guardStayQuery, hideInStayQuery, upsertStayQuery } from "../../visibility/stays/queries.ts";
import {
  activeStay,
  applyArrival,
  applyDeparture,
  isCoarse,
  resolveStay,
  sightingOf,
} from "../../visibility/stays/stay-rules.ts";
import { notifyMoved } from "../areas/area.ts";
import { decryptPlaces, getPlacesRow, toOwnPlaces, updatePlacesQuery } from "./places.ts";
import { publishedKey, randomPoint } from "./publish.ts";
import { findPosition, toProfilePosition, toRow, toState, updateHiddenQuery, upsertPositionQuery } from "./queries.ts";
import { nextState, reportedPrecision } from "./rules.ts";

/** Retries while concurrent reports come in between; no member's devices send more than this many at once. */
const ATTEMPTS_MAX = 5;

/**
 * Stores a report and publishes what it changes, and writes nothing if nothing changed, except one row a day for the
 * memory of a place. If concurrent reports kept coming in between, it hides whoever asked to be hidden, and throws CONFLICT for all others.
 */
export async function applyPositionReport(
  ctx: MemberContext,
  report: ProfilePositionReport,
): Promise<PositionReportResponse> {
  const { viewer, env, db, d1, now } = ctx;
  const { profileId } = viewer;
  let placesRow = viewer.places ?? (await getPlacesRow(db, profileId));
  let stored = viewer.position;
  let { hides } = viewer;
  /** No quota may prevent hiding or what protects the member, so it refuses the position alone. */
  let refusal: unknown;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const plan = await planReport(ctx, report, { stored, placesRow, hides });
    const { lattices, hidden, hiding, remembering, ownPlaces } = plan;
    const state = plan.state ?? (stored && isMisplaced(stored, lattices) ? toState(stored) : undefined);
    // Where being seen is dangerous, all regions must know at once, although only the device moved.
    if (hiding.length > 0) {
      ctx.changes.reachingLate = 0;
      ctx.changes.briefs = 1;
    }
    if (!state && !stored) break;
    if (attempt === 0 && state) {
      refusal = await spendQuota(ctx, "positions", profileId, { positionsPerMinute: 1, positions: 1 }).then(
        () => undefined,
        (error: unknown) => error,
      );
    }
    if (refusal !== undefined) {
      const asked = { ...report, hide: report.hide || undefined, keepsPosition: true };
      const closer = await planReport(ctx, asked, { stored, placesRow, hides });
      const protects = closer.hidden || !hides;
      if (!protects || (await passesGuards(batch(d1, closer.hiding)))) {
        if (report.hide && stored)
          return { ...toProfilePosition(stored, closer.hidden, lattices.own), ...closer.ownPlaces };
        throw refusal;
      }
    } else if (!state && stored) {
      if (await passesGuards(batch(d1, [...hiding, ...remembering])))
        return { ...toProfilePosition(stored, hidden, lattices.own), ...ownPlaces };
    } else if (state) {
      const row = toRow(profileId, state, publishedKey(lattices, state.cell), report.session ?? stored?.session ?? 0);
      const upsert = upsertPositionQuery(db, stored, row);
      const [written] = await batch(d1, [upsert, ...hiding, ...remembering]).catch(emptyIfGuarded);
      if (written && written.length > 0) {
        const previousKey = stored && stored.ts_effective_until > now ? stored.key : null;
        if (row.key !== previousKey) ctx.waitUntil(notifyMoved(env, [[profileId, previousKey, row.key]], profileId));
        return { ...toProfilePosition(row, hidden, lattices.own), ...ownPlaces };
      }
    }
    [stored, placesRow, hides] = await Promise.all([
      findPosition(db, profileId),
      getPlacesRow(db, profileId),
      findHides(db, profileId),
    ]);
  }
  if (report.hide === true) {
    // Hiding itself rests on nothing that another device may have changed.
    await batch(d1, [hideInStayQuery(db, profileId), updateHiddenQuery(db, profileId, true, now)]);
    if (refusal !== undefined) throw refusal;
    if (stored) {
      const places = decryptPlaces(env, placesRow);
      const stay = activeStay(placesRow.stay)?.country ?? null;
      return { ...toProfilePosition(stored, true, places.lattices.own), places: toOwnPlaces(places), stay };
    }
  }
  throw new AppError("CONFLICT");
}

/** Another device changed, between the read and the write, what the write rests on. */
function emptyIfGuarded(error: unknown): [] {
  if (isGuardFailure(error)) return [];
  throw error;
}

interface StoredState {
  readonly stored: PositionRow | null;
  readonly placesRow: PlacesRow;
  readonly hides: boolean;
}

/** Whether a position was published with another lattice: by a version that derived it from the address. */
const isMisplaced = ({ cell, key }: PositionRow, lattices: Lattices): boolean => key !== publishedKey(lattices, cell);

/** What a report changes, given what is stored. `state` is undefined if the position stays as it is. */
async function planReport(
  ctx: MemberContext,
  report: ProfilePositionReport,
  { stored, placesRow, hides }: StoredState,
) {
  const { viewer, env, db, brand, now } = ctx;
  const { profileId } = viewer;
  const { lattices, remembered: known } = await decryptPlaces(env, placesRow);
  const before = stored ? toState(stored) : undefined;
  // A place is where the device was for a while, never where the member dragged the marker.
  const remembered = before?.use === "DEVICE_GPS" ? rememberRestingCell(known, before, now) : known;
  const remembering = remembered === known ? [] : [await updatePlacesQuery(db, env, profileId, remembered)];

  const precision = reportedPrecision(report.precision, before?.precision ?? null);
  const countryOf = (cell: Cell) => punishingCountryIn(cellBounds(lattices.own, cell));
  const reportedCell = report.point?.cell(lattices.own, [], precision, null);
  const sighting = sightingOf(
    report.use,
    reportedCell === undefined ? null : countryOf(reportedCell),
    placeOf(ctx).country,
  );
  const arrived = applyArrival(profileId, placesRow.stay, sighting, hides, now);
  const shownPrecision = isCoarse(arrived) ? "city" : precision;
  // GPS keeps to the last cell only if that came from GPS too: a marker says nothing about this place.
  const isStill = report.use === "DEVICE_GPS" && before?.use === "DEVICE_GPS";
  const lastCell = isStill ? (before.pendingCell ?? before.cell) : null;
  const cell = report.point
    ? report.point.cell(lattices.own, remembered, shownPrecision, lastCell)
    : cellAt(lattices.own, randomPoint(env, profileId, brand), shownPrecision);
  const isOtherDevice = stored !== null && stored.session !== (report.session ?? stored.session);
  const isOthersTurn = isOtherDevice && report.ifLast === true && stored.ts_effective_until > now;
  const isKept = isOthersTurn || (stored !== null && report.keepsPosition === true);
  const next = isKept ? undefined : nextState(before, report, cell, precision, now);
  const state = next ?? (isOtherDevice && !isKept ? before : undefined);
  const after = applyDeparture(arrived, sighting, countryOf((state ?? before)?.cell ?? cell) === null, now);
  const { stay, hidden } = resolveStay({
    before: placesRow.stay,
    after,
    hidden: hides,
    hideRequested: report.hide,
  });
  const changes = [
    // Whoever presses Hide is hidden, also if another device has just ended that.
    ...(hidden === hides && report.hide !== true
      ? []
      : [...(hidden ? [] : [discloseUnhiddenQuery(ctx)]), updateHiddenQuery(db, profileId, hidden, now)]),
    ...(stay && stay !== placesRow.stay ? [upsertStayQuery(db, stay)] : []),
  ];
  const hiding = changes.length === 0 ? [] : [guardStayQuery(db, profileId, placesRow.stay, hides), ...changes];
  const ownPlaces = { places: toOwnPlaces({ lattices, remembered }), stay: activeStay(stay)?.country ?? null };
  return { lattices, state, hidden, hiding, remembering, ownPlaces };
}

/** The key that a member's distances are measured from: their published position, or the random one they would have. */
export function centerKeyOf(ctx: Pick<MemberContext, "viewer" | "env" | "brand" | "now">): CurveKey {
  const { viewer, env, brand, now } = ctx;
  if (viewer.position && viewer.position.ts_effective_until > now) return viewer.position.key;
  return keyOfPoint(randomPoint(env, viewer.profileId, brand));
}
