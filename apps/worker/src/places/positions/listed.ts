/** Members in a box of the map, in the order of the curve, in pages by keyset. */
import {
  type Bounds,
  boxes,
  boxesOfBounds,
  bridgeWhere,
  coverShape,
  type KeyRange,
  keysIn,
  limitRanges,
  withinBounds,
} from "@lambda/geo/cover";
import { keysOfSquare, pointOfKey, toCurveKey, UNITS_PER_DEGREE } from "@lambda/geo/curve";
import type { Density } from "@lambda/geo/density-squares";
import { CompiledQuery } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { type CurveCursor, encodeCurveCursor } from "./cursor.ts";
import { readDensity } from "./density.ts";
import { type FoundRow, inRangesQuery, RANGES_MAX, type Searcher } from "./statements.ts";

export interface ListedPage {
  readonly rows: FoundRow[];
  /** Absent at the end. A page may be short and still have one. */
  readonly nextCursor?: string;
}

export interface PageOf {
  readonly size: number;
  readonly after?: CurveCursor | undefined;
}

/** The ranges whose density is read: no more than touch a box of their size, and one where that reads little over. */
const DENSITY_RANGES_MAX = 4;
const DENSITY_BOXES_MAX = 32;
/** Members assumed in a box of unknown density: it is then read in about a dozen ranges. */
const GUESSED_MEMBERS = 32;
/** A square on the edge is divided while it holds a member, as a rule. */
const FEW_MEMBERS = 0.5;
/** Reading over a member costs what another range costs. */
const BRIDGED_MEMBERS = 1;
/** Below 128 units the density tells nothing more. */
const FINEST_BITS = 7;
/** Readings of one page. A crowd that came beside the box since then would take many: the page is handed out short. */
const READINGS_MAX = 4;
/** Rows beyond the foreseen ones, for those who came since. */
const SPARE_ROWS = 4;

/** Inclusive bounds; lonMin > lonMax crosses the date line. */
export async function listByBounds(
  db: Database,
  searcher: Searcher,
  bounds: Bounds,
  { size, after }: PageOf,
): Promise<ListedPage> {
  const list = boxesOfBounds(bounds).filter(({ x0, x1, y0, y1 }) => x0 < x1 && y0 < y1);
  if (list.length === 0) return { rows: [] };
  const side = Math.min(...list.map(({ x0, x1, y0, y1 }) => Math.min(x1 - x0, y1 - y0)));
  const boxKeys = list.reduce((sum, { x0, x1, y0, y1 }) => sum + (x1 - x0) * (y1 - y0), 0);
  const shape = boxes(list);
  const coarse = rangesAfter(densityRanges(coverShape(shape, bitsOf(side / 16)), boxKeys), after);
  if (coarse.length === 0) return { rows: [] };
  const density = await readDensity(db, searcher, coarse, GUESSED_MEMBERS / boxKeys);
  const fine = coverShape(
    shape,
    Math.max(FINEST_BITS, bitsOf(side / 4096)),
    (square) => density.expected(square) < FEW_MEMBERS,
  );
  const bridged = bridgeWhere(fine, (gap) => density.expected(gap) <= BRIDGED_MEMBERS);
  const cover = rangesAfter(limitRanges(bridged, RANGES_MAX), after);

  const isInside = (row: FoundRow) => withinBounds(pointOfKey(row.key), bounds);
  const inside: FoundRow[] = [];
  let from = after;
  for (let reading = 1; ; reading += 1) {
    const limit = rowsUntil(size + 1 - inside.length, rangesAfter(cover, from), density, bounds) + SPARE_ROWS;
    const rows = await listRanges(db, searcher, cover, { size: limit, after: from });
    inside.push(...rows.filter(isInside));
    const end = rows.length < limit ? undefined : rows[rows.length - 1];
    if (!end || inside.length > size || reading === READINGS_MAX) return pageOf(inside, size, end);
    from = { key: end.key, profileId: end.profile_id };
  }
}

function bitsOf(side: number): number {
  return Math.max(0, Math.floor(Math.log2(side)));
}

function densityRanges(ranges: readonly KeyRange[], boxKeys: number): KeyRange[] {
  for (let count = 1; ; count += 1) {
    const limited = limitRanges(ranges, count);
    if (count === DENSITY_RANGES_MAX || keysIn(limited) <= DENSITY_BOXES_MAX * boxKeys) return limited;
  }
}

/** How many rows a cover is expected to bring until `wanted` of them lie in the bounds; all, where there are fewer. */
function rowsUntil(wanted: number, cover: readonly KeyRange[], density: Density, bounds: Bounds): number {
  let rows = 0;
  let inside = 0;
  for (const range of cover) {
    for (const key of density.membersIn(range)) {
      rows += 1;
      if (withinBounds(pointOfKey(toCurveKey(key)), bounds)) inside += 1;
      if (inside === wanted) return rows;
    }
  }
  // Fewer than wanted are known of. Those who are not leave room for the same number again.
  return rows + wanted;
}

/** A square of one degree, from its south-west corner in whole degrees: one range of the curve. */
export async function listBySector(
  db: Database,
  searcher: Searcher,
  sector: { readonly lat: number; readonly lon: number },
  { size, after }: PageOf,
): Promise<ListedPage> {
  const { lat, lon } = sector;
  const range = keysOfSquare((lon + 180) * UNITS_PER_DEGREE, (lat + 90) * UNITS_PER_DEGREE, 17);
  const found = await listRanges(db, searcher, [range], { size: size + 1, after });
  return pageOf(found, size, undefined);
}

async function listRanges(
  db: Database,
  searcher: Searcher,
  ranges: readonly KeyRange[],
  { size, after }: PageOf,
): Promise<FoundRow[]> {
  const left = rangesAfter(ranges, after);
  if (left.length === 0) return [];
  const { sql, parameters } = inRangesQuery(searcher, { ranges: left, limit: size, ...(after && { after }) });
  return (await db.executeQuery<FoundRow>(CompiledQuery.raw(sql, [...parameters]))).rows;
}

function rangesAfter(ranges: readonly KeyRange[], after: CurveCursor | undefined): readonly KeyRange[] {
  if (!after) return ranges;
  return ranges.filter(({ hi }) => hi > after.key).map(({ lo, hi }) => ({ lo: Math.max(lo, after.key), hi }));
}

/** @param lastSeen where reading stopped before its end, if it did */
function pageOf(found: FoundRow[], size: number, lastSeen: FoundRow | undefined): ListedPage {
  const rows = found.slice(0, size);
  const end = found.length > size ? rows[size - 1] : lastSeen;
  return end ? { rows, nextCursor: encodeCurveCursor({ key: end.key, profileId: end.profile_id }) } : { rows };
}
