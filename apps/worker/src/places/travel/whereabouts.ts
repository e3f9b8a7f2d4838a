/** Looks where a member is between position reports, and carries out what they choose there. */
import type { StayChoice, Whereabouts } from "@lambda/contract/travel";
import { cellPrecision } from "@lambda/geo/grid";
import { boundsOfCell, cellAt, centreOfCell } from "@lambda/geo/lattice";
import { punishingLandIn } from "@lambda/geo/punishing";
import { placeOf } from "../../members/age/place.ts";
import {
  arrive,
  choose,
  isCoarse,
  leave,
  running,
  settle,
  sightOf,
  toWhereabouts,
} from "../../members/travel/guard.ts";
import { upsertStayQuery } from "../../members/travel/queries.ts";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import type { TravelStayRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { moveOnMap } from "../areas/area.ts";
import { getPlacesRow, openRow } from "../positions/places.ts";
import { type Lattices, publishedKey } from "../positions/publish.ts";
import { updateHiddenQuery } from "../positions/queries.ts";

async function readOwn(ctx: MemberContext) {
  const { viewer, db, env } = ctx;
  const row = viewer.places ?? (await getPlacesRow(db, viewer.profileId));
  return { stored: row.stay, lattices: (await openRow(env.POSITION_KEY, viewer.profileId, row)).lattices };
}

/** What the network and the last position tell. The network counts only where no device told its position lately. */
export async function look(ctx: MemberContext): Promise<Whereabouts> {
  const { viewer, now } = ctx;
  const { stored, lattices } = await readOwn(ctx);
  const position = viewer.position && viewer.position.ts_effective_until > now ? viewer.position : null;
  const land = position ? punishingLandIn(boundsOfCell(lattices.own, position.cell)) : null;
  const sight = sightOf(position?.use ?? "RANDOM", land, placeOf(ctx).country);
  const arrived = arrive(viewer.profileId, stored, sight, viewer.hidden, now);
  const after = leave(arrived, sight, true, now);
  const { stay, hidden } = settle({ before: stored, after, hidden: viewer.hidden, wish: undefined });
  await write(ctx, stored, stay, hidden, lattices);
  return toWhereabouts(stay);
}

/** Throws NOT_FOUND for a member who is in no such country. */
export async function chooseStay(ctx: MemberContext, choice: StayChoice): Promise<Whereabouts> {
  const { stored, lattices } = await readOwn(ctx);
  const ran = running(stored);
  if (!ran) throw new AppError("NOT_FOUND");
  const { stay, hidden } = choose(ran, choice, ctx.viewer.hidden);
  await write(ctx, stored, stay, hidden, lattices);
  return toWhereabouts(stay);
}

/** The stay before who is shown: nobody may see for a moment what the stay takes away. */
async function write(
  ctx: MemberContext,
  before: TravelStayRow | null,
  stay: TravelStayRow | null,
  hidden: boolean,
  lattices: Lattices,
): Promise<void> {
  const { viewer, db, now, d1 } = ctx;
  const queries: Compiled[] = [];
  if (stay && stay !== before) queries.push(upsertStayQuery(db, stay));
  const coarse = isCoarse(stay) ? coarsen(ctx, lattices) : undefined;
  if (coarse) queries.push(coarse.query);
  if (hidden !== viewer.hidden) queries.push(updateHiddenQuery(db, viewer.profileId, hidden, now));
  if (queries.length > 0) await batch(d1, queries);
  if (coarse) ctx.waitUntil(moveOnMap(ctx.env, viewer.profileId, coarse.from, coarse.to));
}

/** What was published before the stay began may be finer than it allows. */
function coarsen({ viewer: { position }, db }: MemberContext, { own, shown }: Lattices) {
  if (!position || cellPrecision(position.cell) === "city") return undefined;
  const cell = cellAt(own, centreOfCell(own, position.cell), "city");
  const key = publishedKey({ own, shown }, cell);
  const query = db
    .updateTable("position")
    .set({ cell, key, pending_cell: null })
    .where("profile_id", "=", position.profile_id)
    .where("cell", "=", position.cell)
    .compile();
  return { query, from: position.key, to: key };
}
