/**
 * Member counts by area, for the map when zoomed out; groups below three are never shown alone. They are kept per
 * square degree as members come and go (presence_count), so that hiding shows in the next response and no member row is
 * read.
 */
import { AGGREGATE_COUNT_MIN } from "@lambda/contract/limits";
import type { PositionAggregate } from "@lambda/contract/positions";
import { isWithinBounds } from "@lambda/geo/cover";
import { KEYS_PER_SECTOR, UNITS_PER_DEGREE, unitsOfKey } from "@lambda/geo/curve";
import type { Bounds } from "@lambda/geo/distance";
import { sql } from "kysely";
import { batch, openDatabase } from "../../platform/db/database.ts";
import { toIso } from "../../platform/iso-time.ts";
import { blockedIdsSql, type Searcher } from "../../visibility/visibility.ts";
import { int } from "./statements.ts";

/** Members in a square. Degrees count from -180 and -90, so that squares of 2^n degrees align. */
export interface SquareCount {
  readonly column: number;
  readonly row: number;
  readonly side: number;
  readonly count: number;
}

/** Expired positions that the cron job has not deleted yet; there are never more than this many. */
const EXPIRED_MAX = 5000;

/** Members whom the viewer may see, by square degree. One round trip. */
export async function listSectorCounts(d1: D1Database, searcher: Searcher): Promise<SquareCount[]> {
  const { brandBit, profileId, now } = searcher;
  const db = openDatabase(d1);
  // In this order: SQLite would otherwise read everybody whom the brand lists.
  const listed = db
    .selectFrom("position as s")
    .crossJoin("presence as p")
    .select(["s.profile_id as id", "s.key"])
    .where("p.brand", "=", brandBit)
    .whereRef("p.key", "=", "s.key")
    .whereRef("p.profile_id", "=", "s.profile_id");
  const blocked = sql<{ id: number }>`${sql.raw(blockedIdsSql(int(profileId)))}`.as("b");
  const [regions, expired, invisible] = await batch(d1, [
    db.selectFrom("presence_count").select("squares").where("region", ">=", 0),
    listed.where("s.ts_effective_until", "<=", now).limit(EXPIRED_MAX),
    db
      .selectFrom(blocked)
      .crossJoin("position as s")
      .crossJoin("presence as p")
      .select(["s.profile_id as id", "s.key"])
      .where("p.brand", "=", brandBit)
      .whereRef("p.key", "=", "s.key")
      .whereRef("p.profile_id", "=", "s.profile_id")
      .whereRef("s.profile_id", "=", "b.id")
      .unionAll(listed.where("s.profile_id", "=", profileId)),
  ]);
  const counts = new Map<number, number>();
  for (const { squares } of regions) {
    for (const [name, count] of Object.entries(JSON.parse(squares) as Record<string, number>)) {
      const [brand, sector] = name.split(":").map(Number) as [number, number];
      if (brand === brandBit) counts.set(sector, (counts.get(sector) ?? 0) + count);
    }
  }
  const excluded = new Map([...expired, ...invisible].map(({ id, key }) => [id, Math.floor(key / KEYS_PER_SECTOR)]));
  for (const sector of excluded.values()) counts.set(sector, (counts.get(sector) ?? 0) - 1);
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([sector, count]) => {
      const { x, y } = unitsOfKey(sector * KEYS_PER_SECTOR);
      return { column: Math.floor(x / UNITS_PER_DEGREE), row: Math.floor(y / UNITS_PER_DEGREE), side: 1, count };
    });
}

/** The squares whose center is in the bounds. */
export function squaresWithin(squares: readonly SquareCount[], bounds: Bounds): SquareCount[] {
  return squares.filter(({ column, row, side }) =>
    isWithinBounds({ lat: row + side / 2 - 90, lon: column + side / 2 - 180 }, bounds),
  );
}

/** The largest square: the whole globe. */
const GLOBE_SIDE = 512;

/**
 * Merges squares into larger ones until there are at most `limit`. A square with fewer than three members then joins
 * other small ones around it in the next larger square; what is still too small in the end is left out.
 */
export function groupSquares(squares: readonly SquareCount[], limit: number): SquareCount[] {
  let side = 1;
  let level = [...squares];
  while (level.length > limit && side < GLOBE_SIDE) {
    side *= 2;
    level = mergeSquares(level, side);
  }
  const result: SquareCount[] = [];
  while (level.length > 0) {
    result.push(...level.filter(({ count }) => count >= AGGREGATE_COUNT_MIN));
    const small = level.filter(({ count }) => count < AGGREGATE_COUNT_MIN);
    if (side >= GLOBE_SIDE) break;
    side *= 2;
    level = mergeSquares(small, side);
  }
  return result.sort((a, b) => b.count - a.count || a.row - b.row || a.column - b.column);
}

function mergeSquares(squares: readonly SquareCount[], side: number): SquareCount[] {
  const merged = new Map<string, SquareCount>();
  for (const square of squares) {
    const column = Math.floor(square.column / side) * side;
    const row = Math.floor(square.row / side) * side;
    const name = `${column}:${row}`;
    merged.set(name, { column, row, side, count: (merged.get(name)?.count ?? 0) + square.count });
  }
  return [...merged.values()];
}

/** Converts a square to a box of the response; squares larger than the globe end at its edges. */
export function toAggregate({ column, row, side, count }: SquareCount, updated: number): PositionAggregate {
  const latMax = Math.min(90, row + side - 90);
  const lonMax = Math.min(180, column + side - 180);
  return {
    centerLat: (row - 90 + latMax) / 2,
    centerLon: (column - 180 + lonMax) / 2,
    deltaLat: (latMax - row + 90) / 2,
    deltaLon: (lonMax - column + 180) / 2,
    count,
    tsUpdated: toIso(updated),
  };
}
