/** Checks where a member is between position reports, and applies what they choose there. */
import type { StayChoice, Whereabouts } from "@lambda/contract/travel";
import { cellPrecision } from "@lambda/geo/grid";
import { cellAt, cellBounds, cellCenter } from "@lambda/geo/lattice";
import { punishingCountryIn } from "@lambda/geo/punishing";
import { placeOf } from "../../accounts/age/place.ts";
import { type Lattices, latticesOf } from "../../accounts/lattices.ts";
import { batch, type Query } from "../../platform/db/database.ts";
import type { TravelStayRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { discloseUnhiddenQuery } from "../../visibility/statements/disclosures.ts";
import { upsertStayQuery } from "../../visibility/stays/queries.ts";
import {
  activeStay,
  applyArrival,
  applyDeparture,
  applyStayChoice,
  isCoarse,
  resolveStay,
  sightingOf,
  toWhereabouts,
} from "../../visibility/stays/stay-rules.ts";
import { notifyMoved } from "../areas/area.ts";
import { getPlacesRow } from "../positions/places.ts";
import { publishedKey } from "../positions/publish.ts";
import { updateHiddenQuery } from "../positions/queries.ts";

async function readStay(ctx: MemberContext) {
  const { viewer, db, env } = ctx;
  const row = viewer.places ?? (await getPlacesRow(db, viewer.profileId));
  return { stored: row.stay, lattices: latticesOf(env, row) };
}

/**
 * Updates the stay from the last position and the network. The network counts only without a recent position from a
 * device.
 */
export async function refreshStay(ctx: MemberContext): Promise<Whereabouts> {
  const { viewer, now } = ctx;
  const { stored, lattices } = await readStay(ctx);
  const position = viewer.position && viewer.position.ts_effective_until > now ? viewer.position : null;
  const country = position ? punishingCountryIn(cellBounds(lattices.own, position.cell)) : null;
  const sighting = sightingOf(position?.use ?? "RANDOM", country, placeOf(ctx).country);
  const arrived = applyArrival(viewer.profileId, stored, sighting, viewer.hides, now);
  const after = applyDeparture(arrived, sighting, true, now);
  const { stay, hidden } = resolveStay({ before: stored, after, hidden: viewer.hides, hideRequested: undefined });
  await storeStay(ctx, stored, stay, hidden, lattices);
  return toWhereabouts(stay);
}

/** Throws NOT_FOUND for a member without an active stay. */
export async function chooseStay(ctx: MemberContext, choice: StayChoice): Promise<Whereabouts> {
  const { stored, lattices } = await readStay(ctx);
  const active = activeStay(stored);
  if (!active) throw new AppError("NOT_FOUND");
  const { stay, hidden } = applyStayChoice(active, choice, ctx.viewer.hides);
  await storeStay(ctx, stored, stay, hidden, lattices);
  return toWhereabouts(stay);
}

/** Writes stay and visibility in one transaction, so that what the stay withdraws is never visible in between. */
async function storeStay(
  ctx: MemberContext,
  before: TravelStayRow | null,
  stay: TravelStayRow | null,
  hidden: boolean,
  lattices: Lattices,
): Promise<void> {
  const { viewer, db, now, d1 } = ctx;
  const queries: Query[] = [];
  if (stay && stay !== before) queries.push(upsertStayQuery(db, stay));
  const coarse = isCoarse(stay) ? coarsenPosition(ctx, lattices) : undefined;
  if (coarse) queries.push(coarse.query);
  if (viewer.hides && !hidden) queries.push(discloseUnhiddenQuery(ctx));
  if (hidden !== viewer.hides) queries.push(updateHiddenQuery(db, viewer.profileId, hidden, now));
  if (queries.length > 0) await batch(d1, queries);
  if (coarse) ctx.waitUntil(notifyMoved(ctx.env, [[viewer.profileId, coarse.from, coarse.to]], viewer.profileId));
}

/** The position that was published before the stay may be finer than the stay allows. */
function coarsenPosition({ viewer: { position }, db }: MemberContext, { own, shown }: Lattices) {
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
