/** Checks where a member is between position reports, and applies what they choose there. */
import type { StayChoice, Whereabouts } from "@lambda/contract/travel";
import { cellPrecision } from "@lambda/geo/grid";
import { cellAt, cellBounds, cellCenter } from "@lambda/geo/lattice";
import { punishingCountryIn } from "@lambda/geo/punishing";
import { placeOf } from "../../accounts/age/place.ts";
import { type Lattices, latticesOf } from "../../accounts/lattices.ts";
import { batch, type Database, type Query, retryIfOvertaken } from "../../platform/db/database.ts";
import type { PositionRow, TravelStayRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { discloseLoosenedQuery, discloseUnhiddenQuery } from "../../visibility/statements/disclosures.ts";
import { findHides, guardStayQuery, upsertStayQuery } from "../../visibility/stays/queries.ts";
import {
  activeStay,
  applyArrival,
  applyDeparture,
  applyStayChoice,
  isCoarse,
  loosenedBy,
  resolveStay,
  sightingOf,
  toWhereabouts,
} from "../../visibility/stays/stay-rules.ts";
import { notifyMoved } from "../areas/area.ts";
import { getPlacesRow } from "../positions/places.ts";
import { publishedKey } from "../positions/publish.ts";
import { findPosition, updateHiddenQuery } from "../positions/queries.ts";

interface StoredStay {
  readonly stored: TravelStayRow | null;
  readonly position: PositionRow | null;
  readonly lattices: Lattices;
  /** Whether the member chose to hide. */
  readonly hides: boolean;
}

/** Decides by what the session read, and again by what is stored if another device has changed it meanwhile. */
async function updateStay(
  ctx: MemberContext,
  decide: (before: StoredStay) => { readonly stay: TravelStayRow | null; readonly hidden: boolean },
): Promise<Whereabouts> {
  const { viewer, db, env } = ctx;
  let isFirst = true;
  return retryIfOvertaken(async () => {
    const known = isFirst ? viewer.places : undefined;
    const [row, position, hides] = await Promise.all([
      known ?? getPlacesRow(db, viewer.profileId),
      isFirst ? viewer.position : findPosition(db, viewer.profileId),
      isFirst ? viewer.hides : findHides(db, viewer.profileId),
    ]);
    isFirst = false;
    const before = { stored: row.stay, position, lattices: latticesOf(env, row), hides };
    const { stay, hidden } = decide(before);
    await storeStay(ctx, before, stay, hidden);
    return toWhereabouts(stay);
  });
}

/**
 * Updates the stay from the last position and the network. The network counts only without a recent position from a
 * device.
 */
export function refreshStay(ctx: MemberContext): Promise<Whereabouts> {
  const { viewer, now } = ctx;
  return updateStay(ctx, ({ stored, position: last, lattices, hides }) => {
    const position = last && last.ts_effective_until > now ? last : null;
    const country = position ? punishingCountryIn(cellBounds(lattices.own, position.cell)) : null;
    const sighting = sightingOf(position?.use ?? "RANDOM", country, placeOf(ctx).country);
    const arrived = applyArrival(viewer.profileId, stored, sighting, hides, now);
    const after = applyDeparture(arrived, sighting, true, now);
    return resolveStay({ before: stored, after, hidden: hides, hideRequested: undefined });
  });
}

/** Throws NOT_FOUND for a member without an active stay. */
export function chooseStay(ctx: MemberContext, choice: StayChoice): Promise<Whereabouts> {
  return updateStay(ctx, ({ stored, hides }) => {
    const active = activeStay(stored);
    if (!active) throw new AppError("NOT_FOUND");
    return applyStayChoice(active, choice, hides);
  });
}

/** Writes stay and visibility in one transaction, so that what the stay withdraws is never visible in between. */
async function storeStay(
  ctx: MemberContext,
  { stored, position, lattices, hides }: StoredStay,
  stay: TravelStayRow | null,
  hidden: boolean,
): Promise<void> {
  const { viewer, db, now, d1 } = ctx;
  const queries: Query[] = [];
  if (stay && stay !== stored) queries.push(upsertStayQuery(db, stay));
  const coarse = isCoarse(stay) ? coarsenPosition(ctx.db, position, lattices) : undefined;
  if (coarse) queries.push(coarse.query);
  if (hides && !hidden) queries.push(discloseUnhiddenQuery(ctx));
  const loosened = loosenedBy(stored, stay);
  if (loosened) queries.push(discloseLoosenedQuery(ctx, "stay", loosened));
  if (hidden !== hides) queries.push(updateHiddenQuery(db, viewer.profileId, hidden, now));
  if (queries.length > 0) await batch(d1, [guardStayQuery(db, viewer.profileId, stored, hides), ...queries]);
  if (coarse) ctx.waitUntil(notifyMoved(ctx.env, [[viewer.profileId, coarse.from, coarse.to]], viewer.profileId));
}

/** The position that was published before the stay may be finer than the stay allows. */
function coarsenPosition(db: Database, position: PositionRow | null, { own, shown }: Lattices) {
  if (!position || cellPrecision(position.cell) === "city") return undefined;
  const cell = cellAt(own, cellCenter(own, position.cell), "city");
  const key = publishedKey({ own, shown }, cell);
  const query = db
    .updateTable("position")
    .set({ cell, key, pending_cell: null })
    .where("profile_id", "=", position.profile_id)
    .where("cell", "=", position.cell);
  return { query, from: position.key, to: key };
}
