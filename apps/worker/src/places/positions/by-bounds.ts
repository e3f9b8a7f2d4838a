/** Members in a box of the map, in curve order, with keyset pagination. */
import {
  boxesShape,
  countKeys,
  coverShape,
  isWithinBounds,
  type KeyRange,
  limitRanges,
  unitBoxesOfBounds,
} from "@lambda/geo/cover";
import { keysOfSquare, pointOfKey, toCurveKey, UNITS_PER_DEGREE } from "@lambda/geo/curve";
import { DENSITY_SQUARE_BITS, type Density } from "@lambda/geo/density";
import type { Bounds } from "@lambda/geo/distance";
import type { Database } from "../../platform/db/database.ts";
import type { Searcher } from "../../visibility/visibility.ts";
import { coverWithDensity } from "./cover-with-density.ts";
import { type CurveCursor, encodeCurveCursor } from "./cursor.ts";
import { readDensity } from "./density.ts";
import { type FoundRow, inRangesQuery } from "./statements.ts";

export interface CurvePage {
  readonly rows: FoundRow[];
  /** Absent on the last page. A short page may still have one. */
  readonly nextCursor?: string;
}

export interface PageRequest {
  readonly size: number;
  readonly after?: CurveCursor | undefined;
}

/** At most this many ranges have their density read; fewer if they cover little outside the box. */
const DENSITY_RANGES_MAX = 4;
const DENSITY_BOXES_MAX = 32;
/** Members assumed in a box of unknown density, which is then read in about a dozen ranges. */
const GUESSED_MEMBERS = 32;
/**
 * Reads for one page. If a crowd has gathered next to the box since the density was stored, the page ends early
 * instead.
 */
const READS_MAX = 4;
/** Rows beyond the expected number, for members who came since. */
const SPARE_ROWS = 4;

/** Inclusive bounds; lonMin > lonMax crosses the date line. */
export async function listByBounds(
  db: Database,
  searcher: Searcher,
  bounds: Bounds,
  { size, after }: PageRequest,
): Promise<CurvePage> {
  const list = unitBoxesOfBounds(bounds).filter(({ x0, x1, y0, y1 }) => x0 < x1 && y0 < y1);
  if (list.length === 0) return { rows: [] };
  const side = Math.min(...list.map(({ x0, x1, y0, y1 }) => Math.min(x1 - x0, y1 - y0)));
  const boxKeys = list.reduce((sum, { x0, x1, y0, y1 }) => sum + (x1 - x0) * (y1 - y0), 0);
  const shape = boxesShape(list);
  const coarseRanges = rangesAfter(densityRanges(coverShape(shape, bitsOf(side / 16)), boxKeys), after);
  if (coarseRanges.length === 0) return { rows: [] };
  const density = await readDensity(db, searcher, coarseRanges, GUESSED_MEMBERS / boxKeys);
  const finestBits = Math.max(DENSITY_SQUARE_BITS, bitsOf(side / 4096));
  const cover = rangesAfter(coverWithDensity(shape, density, finestBits), after);

  const isInside = (row: FoundRow) => isWithinBounds(pointOfKey(row.key), bounds);
  const inside: FoundRow[] = [];
  let from = after;
  for (let read = 1; ; read += 1) {
    const limit = expectedRows(size + 1 - inside.length, rangesAfter(cover, from), density, bounds) + SPARE_ROWS;
    const rows = await listRanges(db, searcher, cover, { size: limit, after: from });
    inside.push(...rows.filter(isInside));
    const end = rows.length < limit ? undefined : rows[rows.length - 1];
    if (!end || inside.length > size || read === READS_MAX) return toPage(inside, size, end);
    from = { key: end.key, profileId: end.profile_id };
  }
}

const bitsOf = (side: number): number => Math.max(0, Math.floor(Math.log2(side)));

function densityRanges(ranges: readonly KeyRange[], boxKeys: number): KeyRange[] {
  for (let count = 1; ; count += 1) {
    const limited = limitRanges(ranges, count);
    if (count === DENSITY_RANGES_MAX || countKeys(limited) <= DENSITY_BOXES_MAX * boxKeys) return limited;
  }
}

/**
 * The number of rows that a cover is expected to yield until `wanted` of them are in the bounds; all of them if there
 * are fewer.
 */
function expectedRows(wanted: number, cover: readonly KeyRange[], density: Density, bounds: Bounds): number {
  let rows = 0;
  let inside = 0;
  for (const range of cover) {
    for (const key of density.membersIn(range)) {
      rows += 1;
      if (isWithinBounds(pointOfKey(toCurveKey(key)), bounds)) inside += 1;
      if (inside === wanted) return rows;
    }
  }
  // Fewer than wanted are known, so it leaves room for as many unknown ones.
  return rows + wanted;
}

/** Members in a square of one degree, given by its south-west corner in whole degrees: one range of the curve. */
export async function listBySector(
  db: Database,
  searcher: Searcher,
  sector: { readonly lat: number; readonly lon: number },
  { size, after }: PageRequest,
): Promise<CurvePage> {
  const { lat, lon } = sector;
  const range = keysOfSquare((lon + 180) * UNITS_PER_DEGREE, (lat + 90) * UNITS_PER_DEGREE, 17);
  const found = await listRanges(db, searcher, [range], { size: size + 1, after });
  return toPage(found, size, undefined);
}

async function listRanges(
  db: Database,
  searcher: Searcher,
  ranges: readonly KeyRange[],
  { size, after }: PageRequest,
): Promise<FoundRow[]> {
  const left = rangesAfter(ranges, after);
  if (left.length === 0) return [];
  return (await db.executeQuery(inRangesQuery(searcher, { ranges: left, limit: size, ...(after && { after }) }))).rows;
}

function rangesAfter(ranges: readonly KeyRange[], after: CurveCursor | undefined): readonly KeyRange[] {
  if (!after) return ranges;
  return ranges.filter(({ hi }) => hi > after.key).map(({ lo, hi }) => ({ lo: Math.max(lo, after.key), hi }));
}

/** @param lastSeen the last row read, if reading stopped early */
function toPage(found: FoundRow[], size: number, lastSeen: FoundRow | undefined): CurvePage {
  const rows = found.slice(0, size);
  const end = found.length > size ? rows[size - 1] : lastSeen;
  return end ? { rows, nextCursor: encodeCurveCursor({ key: end.key, profileId: end.profile_id }) } : { rows };
}
