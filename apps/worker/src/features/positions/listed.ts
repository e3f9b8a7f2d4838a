/** Members in a box of the map, in the order of the curve, in pages by keyset. */
import { CompiledQuery } from "kysely";
import type { Database } from "../../db/database.ts";
import {
  type Bounds,
  boxes,
  boxesOfBounds,
  bridgeGaps,
  coverShape,
  type KeyRange,
  keysIn,
  limitRanges,
  withinBounds,
} from "./cover.ts";
import { type CurveCursor, encodeCurveCursor } from "./cursor.ts";
import { keysOfSquare, pointOfKey, UNITS_PER_DEGREE } from "./curve.ts";
import { type FoundRow, type Onlooker, RANGES_MAX, selectInRanges } from "./search-sql.ts";

export interface ListedPage {
  readonly rows: FoundRow[];
  /** Absent at the end. A page may be short and still have one. */
  readonly nextCursor?: string;
}

export interface PageOf {
  readonly size: number;
  readonly after?: CurveCursor | undefined;
}

/** A stretch costs one row beyond its own; with so many, a box with few members reads little too much (docs/SCALE.md). */
const FIRST_RANGES = 14;
/** So many rows tell how dense a box is; one that has more is cut anew, as finely as that density is worth. */
const FIRST_ROWS = 100;

/** Inclusive bounds; lonMin > lonMax crosses the date line. */
export async function listByBounds(
  db: Database,
  onlooker: Onlooker,
  bounds: Bounds,
  { size, after }: PageOf,
): Promise<ListedPage> {
  const list = boxesOfBounds(bounds).filter(({ x0, x1, y0, y1 }) => x0 < x1 && y0 < y1);
  if (list.length === 0) return { rows: [] };
  const side = Math.min(...list.map(({ x0, x1, y0, y1 }) => Math.min(x1 - x0, y1 - y0)));
  const coverTo = (bits: number) => coverShape(boxes(list), Math.max(0, Math.floor(bits)));
  const isInside = (row: FoundRow) => withinBounds(pointOfKey(row.key), bounds);
  const coarse = limitRanges(coverTo(Math.log2(side / 48)), FIRST_RANGES);
  const firstLimit = Math.min(size + 20, FIRST_ROWS);
  const first = await listRanges(db, onlooker, coarse, { size: firstLimit, after });
  const inside = first.filter(isInside);
  let end = first.length < firstLimit ? undefined : first[first.length - 1];
  if (!end || inside.length > size) return pageOf(inside, size, end);

  const from = after ?? { key: 0, profileId: 0 };
  const seen = coarse.map(({ lo, hi }) => Math.max(0, Math.min(hi, end?.key ?? hi) - Math.max(lo, from.key)));
  const keysPerRow = Math.max(1, seen.reduce((sum, keys) => sum + keys, 0) / first.length);
  const bits = Math.max(Math.log2(keysPerRow / 3) / 2, Math.log2(side / 128));
  const fine = limitRanges(bridgeGaps(coverTo(bits), keysPerRow), RANGES_MAX);
  // Rows beside the box count against a limit: as many as the cover is larger than the box, and a little for chance.
  const boxKeys = list.reduce((sum, { x0, x1, y0, y1 }) => sum + (x1 - x0) * (y1 - y0), 0);
  const beside = Math.max(1, keysIn(fine) / boxKeys);
  while (end && inside.length < size + 1) {
    const missing = size + 1 - inside.length;
    const limit: number = Math.ceil(missing * beside + 2 * Math.sqrt(missing * (beside - 1))) + 2;
    const rows = await listRanges(db, onlooker, fine, {
      size: limit,
      after: { key: end.key, profileId: end.profile_id },
    });
    inside.push(...rows.filter(isInside));
    end = rows.length < limit ? undefined : rows[rows.length - 1];
  }
  return pageOf(inside, size, end);
}

/** A square of one degree, from its south-west corner in whole degrees: one stretch of the curve. */
export async function listBySector(
  db: Database,
  onlooker: Onlooker,
  sector: { readonly lat: number; readonly lon: number },
  { size, after }: PageOf,
): Promise<ListedPage> {
  const { lat, lon } = sector;
  const range = keysOfSquare((lon + 180) * UNITS_PER_DEGREE, (lat + 90) * UNITS_PER_DEGREE, 17);
  const found = await listRanges(db, onlooker, [range], { size: size + 1, after });
  return pageOf(found, size, undefined);
}

async function listRanges(
  db: Database,
  onlooker: Onlooker,
  ranges: readonly KeyRange[],
  { size, after }: PageOf,
): Promise<FoundRow[]> {
  const left = after ? rangesAfter(ranges, after) : ranges;
  if (left.length === 0) return [];
  const { sql, parameters } = selectInRanges(onlooker, { ranges: left, limit: size, ...(after && { after }) });
  return (await db.executeQuery<FoundRow>(CompiledQuery.raw(sql, [...parameters]))).rows;
}

function rangesAfter(ranges: readonly KeyRange[], { key }: CurveCursor): KeyRange[] {
  return ranges.filter(({ hi }) => hi > key).map(({ lo, hi }) => ({ lo: Math.max(lo, key), hi }));
}

/** @param lastSeen where reading stopped before its end, if it did */
function pageOf(found: FoundRow[], size: number, lastSeen: FoundRow | undefined): ListedPage {
  const rows = found.slice(0, size);
  const end = found.length > size ? rows[size - 1] : lastSeen;
  return end ? { rows, nextCursor: encodeCurveCursor({ key: end.key, profileId: end.profile_id }) } : { rows };
}
