/** What a member's cells depend on: the stored lattices, and the remembered cells of their places. */
import type { OwnPlaces } from "@lambda/contract/positions";
import { cellPrecision } from "@lambda/geo/grid";
import { cellCenter, type RestingCell } from "@lambda/geo/lattice";

import { type Lattices, latticesOf } from "../../accounts/lattices.ts";
import type { Context } from "../../platform/context.ts";
import { batch, type Database, type Query } from "../../platform/db/database.ts";
import { dateOfDay } from "../../platform/iso-time.ts";
import type { Keys } from "../../platform/keys.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import type { PlacesRow } from "../../platform/viewer.ts";
import { STAY_COLUMNS, toStay } from "../../visibility/stays/stay-rules.ts";
import { decryptRestingCells, encryptRestingCells } from "./place-memory.ts";

export interface Places {
  readonly lattices: Lattices;
  readonly remembered: readonly RestingCell[];
}

/** For a request that did not read it along with its viewer. */
export async function getPlacesRow(db: Database, profileId: number): Promise<PlacesRow> {
  const row = await db
    .selectFrom("account as a")
    .leftJoin("place_memory as m", "m.profile_id", "a.id")
    .leftJoin("travel_stay as t", "t.profile_id", "a.id")
    .select(["a.id as account_id", "a.email", "a.lattice_seed", "a.lattices", "m.sealed"])
    .select(STAY_COLUMNS)
    .where("a.id", "=", profileId)
    .executeTakeFirstOrThrow();
  const { account_id: id, email, lattice_seed, lattices, sealed } = row;
  return { id, email, lattice_seed, lattices, sealed, stay: toStay(row) };
}

export function decryptPlaces(env: Keys, row: PlacesRow): Places {
  return { lattices: latticesOf(env, row), remembered: decryptRestingCells(env, row.id, row.sealed) };
}

export function updatePlacesQuery(
  db: Database,
  env: Keys,
  profileId: number,
  remembered: readonly RestingCell[],
): Query {
  const sealed = encryptRestingCells(env, profileId, remembered);
  return db
    .insertInto("place_memory")
    .values({ profile_id: profileId, sealed })
    .onConflict((conflict) => conflict.column("profile_id").doUpdateSet({ sealed }));
}

/** What the member's devices need to compute their cells; the other lattice stays on the server. */
export function toOwnPlaces({ lattices, remembered }: Places): OwnPlaces {
  const { lat, lon } = lattices.own;
  return { lattice: { lat, lon }, remembered: remembered.map(({ cell, days, lastDay }) => ({ cell, days, lastDay })) };
}

export async function getOwnPlaces({ db, env, viewer }: MemberContext): Promise<OwnPlaces> {
  const { profileId } = viewer;
  const row = viewer.places ?? (await getPlacesRow(db, profileId));
  return toOwnPlaces(await decryptPlaces(env, row));
}

/** Forgets the cells of the member's places: the next report from each of them chooses again. */
export async function forgetPlaces(ctx: MemberContext): Promise<OwnPlaces> {
  const { lattice } = await getOwnPlaces(ctx);
  await batch(ctx.d1, [deletePlacesQuery(ctx.db, ctx.viewer.profileId)]);
  return { lattice, remembered: [] };
}

export function deletePlacesQuery(db: Database, profileId: number): Query {
  return db.deleteFrom("place_memory").where("profile_id", "=", profileId);
}

/** The member's remembered places in readable form, for their export. */
export async function listPlacesForExport({ db, env }: Pick<Context, "db" | "env">, profileId: number) {
  const { lattices, remembered } = await decryptPlaces(env, await getPlacesRow(db, profileId));
  return remembered.map(({ cell, days, lastDay }) => ({
    ...cellCenter(lattices.own, cell),
    precision: cellPrecision(cell),
    days,
    last_day: dateOfDay(lastDay),
  }));
}
