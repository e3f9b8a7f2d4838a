/** Reads and writes a member's own position. Searches are in nearest.ts, by-bounds.ts and aggregates.ts. */

import { POSITION_PUBLISH_MIN_MS, SEEN_ROUNDING_MS } from "@lambda/contract/limits";
import type { ProfilePosition } from "@lambda/contract/positions";
import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import type { Cell } from "@lambda/geo/grid";
import { cellCenter, type Lattice } from "@lambda/geo/lattice";
import { sql } from "kysely";
import { latticesOf } from "../../accounts/lattices.ts";
import { notLockedDown } from "../../accounts/lockdown/check.ts";
import { mayGoOn } from "../../platform/db/chunked-jobs.ts";
import type { Database, Query } from "../../platform/db/database.ts";
import type { PositionRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { toIso } from "../../platform/iso-time.ts";
import type { MapChange } from "../../platform/map/squares.ts";
import { DOES_NOT_HIDE, HIDES, SET_HIDDEN } from "../../visibility/visibility.ts";
import { type Move, objectsOfMove } from "../areas/area.ts";
import { publishedKey } from "./publish.ts";
import type { PositionState } from "./rules.ts";

export function toState(row: PositionRow): PositionState {
  const { use, precision, cell, pending_cell, ts_published, ts_effective_until } = row;
  return {
    use,
    precision,
    cell,
    pendingCell: pending_cell,
    tsPublished: ts_published,
    tsEffectiveUntil: ts_effective_until,
  };
}

export function toRow(profileId: number, state: PositionState, key: CurveKey, session: number): PositionRow {
  const { use, precision, cell, pendingCell, tsPublished, tsEffectiveUntil } = state;
  return {
    profile_id: profileId,
    use,
    precision,
    cell,
    pending_cell: pendingCell,
    key,
    session,
    ts_published: tsPublished,
    ts_effective_until: tsEffectiveUntil,
  };
}

export async function findPosition(db: Database, profileId: number): Promise<PositionRow | null> {
  return (await db.selectFrom("position").selectAll().where("profile_id", "=", profileId).executeTakeFirst()) ?? null;
}

/**
 * Writes a position, and only the columns that differ from `before`, since every index entry touched costs a row.
 * Writes and returns nothing if the stored row is no longer `before`: a mixture of two reports would be a cell that
 * neither meant.
 */
export function upsertPositionQuery(
  db: Database,
  before: PositionRow | null,
  after: PositionRow,
): Query<Pick<PositionRow, "profile_id">> {
  if (!before) {
    return db
      .insertInto("position")
      .values(after)
      .onConflict((conflict) => conflict.column("profile_id").doNothing())
      .returning("profile_id");
  }
  const changed = Object.fromEntries(
    Object.entries(after).filter(([column, value]) => before[column as keyof PositionRow] !== value),
  );
  return db
    .updateTable("position")
    .set(changed)
    .where("profile_id", "=", before.profile_id)
    .where("use", "=", before.use)
    .where("precision", "=", before.precision)
    .where("cell", "=", before.cell)
    .where("pending_cell", "is", before.pending_cell)
    .where("ts_effective_until", "=", before.ts_effective_until)
    .returning("profile_id");
}

/**
 * Hides or shows a member; triggers update the presence index in the same transaction. To others, members who show
 * themselves were last seen and updated now, so that nothing reveals when they were active while hidden.
 */
export function updateHiddenQuery(db: Database, profileId: number, hidden: boolean, now: number): Query {
  const seen = now - (now % SEEN_ROUNDING_MS);
  return (
    db
      .updateTable("profile")
      .set(hidden ? SET_HIDDEN : { hidden: 0, ts_seen: seen, ts_updated: seen })
      .where("id", "=", profileId)
      .where(hidden ? DOES_NOT_HIDE : HIDES)
      // A request that was under way when a second PIN locked the account down shows nobody again.
      .where(hidden ? sql<boolean>`1` : notLockedDown(profileId, now))
  );
}

/** Rows that one statement of the cron job publishes or deletes, ... */
const PUBLISH_BATCH = 500;
const DELETE_BATCH = 1000;
/** ... and about how many objects it tells, of the 1,000 calls that an invocation may make: members who live apart have a square each. */
const OBJECT_CALLS_PER_CHUNK = 150;

/** The first rows whose objects can be told in one chunk; neighbors share theirs. */
function takeChunk<Row>(rows: readonly Row[], objectsOf: (row: Row) => readonly string[]): readonly Row[] {
  const objects = new Set<string>();
  const end = rows.findIndex((row, index) => {
    for (const object of objectsOf(row)) objects.add(object);
    return index > 0 && objects.size > OBJECT_CALLS_PER_CHUNK;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/**
 * Scheduled: publishes the cells that have waited out the publishing delay. Returns how many.
 *
 * @param onMoved called with the published positions before and after
 */
export async function publishPending(
  db: Database,
  env: Env,
  now: number,
  onMoved: (moves: readonly Move[]) => Promise<unknown>,
): Promise<number> {
  let published = 0;
  do {
    const due = await db
      .selectFrom("position")
      .innerJoin("account", "account.id", "position.profile_id")
      .select(["account.id", "pending_cell", "key", "email", "lattice_seed", "lattices"])
      .where("pending_cell", "is not", null)
      .where("ts_published", "<=", now - POSITION_PUBLISH_MIN_MS)
      .limit(PUBLISH_BATCH)
      .execute();
    const moves = due.map(({ pending_cell, key, ...owner }) => {
      const cell = pending_cell as Cell;
      return [owner.id, cell, publishedKey(latticesOf(env, owner), cell), key] as const;
    });
    const chunk = takeChunk(moves, ([, , to, from]) => objectsOfMove(from, to));
    if (chunk.length === 0) return published;
    // The member may have reported again since the select: the row then has another pending cell and is skipped.
    const moved = await db
      .updateTable("position")
      .from(sql<{ value: string }>`json_each(${JSON.stringify(chunk)})`.as("j"))
      .set({
        cell: sql<Cell>`j.value ->> 1`,
        key: sql<CurveKey>`j.value ->> 2`,
        pending_cell: null,
        ts_published: now,
      })
      .where("position.profile_id", "=", sql<number>`j.value ->> 0`)
      .where("position.pending_cell", "=", sql<Cell>`j.value ->> 1`)
      .returning("position.profile_id")
      .execute();
    const movedIds = new Set(moved.map((row) => row.profile_id));
    const done = chunk.filter(([profileId]) => movedIds.has(profileId));
    await onMoved(done.map(([profileId, , to, from]) => [profileId, from, to]));
    published += done.length;
    if (chunk.length === due.length && due.length < PUBLISH_BATCH) return published;
  } while (mayGoOn());
  return published;
}

/**
 * Scheduled: deletes expired positions. They are invisible before that, because every search compares the time.
 *
 * @param onExpired called with where each was published, and the brands (bit set) on which everybody or the few saw it
 */
export async function deleteExpiredPositions(
  db: Database,
  now: number,
  onExpired: (changes: readonly MapChange[]) => Promise<unknown>,
): Promise<void> {
  do {
    const due = await db
      .selectFrom("position as o")
      .innerJoin("profile as p", "p.id", "o.profile_id")
      .select(["o.profile_id as id", "o.key", "p.listed_on as was", "p.few_on as few"])
      .where("o.ts_effective_until", "<=", now)
      .limit(DELETE_BATCH)
      .execute();
    const chunk = takeChunk(due, ({ key }) => objectsOfMove(null, key));
    if (chunk.length === 0) return;
    const ids = JSON.stringify(chunk.map(({ id }) => id));
    // The member may have reported again since.
    const deleted = await db
      .deleteFrom("position")
      .where("profile_id", "in", sql<number>`(select value from json_each(${ids}))`)
      .where("ts_effective_until", "<=", now)
      .returning("profile_id")
      .execute();
    const deletedIds = new Set(deleted.map((row) => row.profile_id));
    await onExpired(chunk.filter(({ id }) => deletedIds.has(id)).map(({ key, ...event }) => [[key], event]));
    if (chunk.length === due.length && due.length < DELETE_BATCH) return;
  } while (mayGoOn());
}

/** A member's own position, for that member. */
export function toProfilePosition(row: PositionRow, hidden: boolean, lattice: Lattice): ProfilePosition {
  // Members get back the center of the cell that they reported last: only the device knows where they really are.
  const reported = cellCenter(lattice, row.pending_cell ?? row.cell);
  const { lat, lon } = pointOfKey(row.key);
  const isOverride = row.use === "OVERRIDE";
  const isDevice = row.use === "DEVICE_GPS";
  return {
    profileId: row.profile_id,
    session: row.session,
    overrideLat: isOverride ? reported.lat : null,
    overrideLon: isOverride ? reported.lon : null,
    gpsLat: isDevice ? reported.lat : null,
    gpsLon: isDevice ? reported.lon : null,
    use: row.use,
    precision: row.precision,
    hide: hidden,
    tsEffectiveUntil: toIso(row.ts_effective_until),
    lat,
    lon,
    pending: row.pending_cell !== null,
  };
}
