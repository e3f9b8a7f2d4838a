/**
 * How dense members are along the curve, as of the last hour: an equi-depth histogram, as databases keep of their indexes.
 * A search of boxes foresees by it which gaps to read over and where to stop. It never answers by it: what has changed
 * since costs rows, not exactness. Squares of 109 m without names; nothing of it leaves the worker.
 */
import { BRANDS } from "@lambda/brands";
import type { KeyRange } from "@lambda/geo/cover";
import { KEY_END } from "@lambda/geo/curve";
import { Density, decodeSquares, encodeSquares } from "@lambda/geo/density-squares";
import { batch } from "../../platform/db/batch.ts";
import { int } from "./search-sql.ts";

/** Members of one row. */
const DEPTH = 8000;
/** Rows that are rebuilt at a time. */
const ROWS_AT_ONCE = 4;
/** Rows of one stretch: with that many members known, a page is full. */
const ROWS_MAX = 16;

interface DensityRow {
  readonly key: number;
  readonly key_end: number;
  readonly squares: string;
}

/** The row that a stretch begins in, and one that comes after it in the same stretch, if any. */
type StretchRow = DensityRow & {
  readonly next_key: number | null;
  readonly next_end: number;
  readonly next_squares: string;
};

/**
 * What is known of some stretches. One round trip, and as a rule one row for each: nothing is looked for after a row that
 * holds the whole stretch, since a brand that is null ends the join before it begins.
 *
 * @param perKeyElsewhere members to expect in a key where nothing is known
 */
export async function readDensity(
  d1: D1Database,
  brandBit: number,
  stretches: readonly KeyRange[],
  perKeyElsewhere: number,
): Promise<Density> {
  const brand = int(brandBit);
  const results = await batch<StretchRow[][]>(
    d1,
    stretches.map(({ lo, hi }) => ({
      sql: `SELECT first.key, first.key_end, first.squares, d.key AS next_key, d.key_end AS next_end, d.squares AS next_squares
        FROM (SELECT key, key_end, squares FROM presence_density
          WHERE brand = ${brand} AND key <= ?1 ORDER BY key DESC LIMIT 1) first
        LEFT JOIN presence_density d ON d.brand = CASE WHEN first.key_end < ?2 THEN ${brand} END
          AND d.key >= first.key_end AND d.key < ?2
        LIMIT ${ROWS_MAX}`,
      parameters: [lo, hi],
    })),
  );
  const rows = new Map<number, DensityRow>();
  for (const row of results.flat()) {
    rows.set(row.key, row);
    const { next_key, next_end, next_squares } = row;
    if (next_key !== null) rows.set(next_key, { key: next_key, key_end: next_end, squares: next_squares });
  }
  const sorted = [...rows.values()].sort((a, b) => a.key - b.key);
  return new Density(
    sorted.map(({ key, key_end }) => ({ lo: key, hi: key_end })),
    Float64Array.from(sorted.flatMap(decodeSquares)),
    perKeyElsewhere,
  );
}

/** Reads each brand's members once, in the order of the curve, and writes their density anew. Three statements for 32,000 members. */
export async function rebuildDensity(d1: D1Database): Promise<void> {
  for (const { bit: brand } of BRANDS) {
    for (let from = 0; from < KEY_END; ) {
      const query = `SELECT key FROM presence WHERE brand = ?1 AND key >= ?2 ORDER BY key LIMIT ${DEPTH * ROWS_AT_ONCE}`;
      const [members] = await batch<[{ key: number }[]]>(d1, [{ sql: query, parameters: [brand, from] }]);
      const rows = cutRows(
        from,
        members.map(({ key }) => key),
      );
      const end = rows[rows.length - 1]!.key_end;
      await batch(d1, [
        {
          sql: "DELETE FROM presence_density WHERE brand = ?1 AND key >= ?2 AND key < ?3",
          parameters: [brand, from, end],
        },
        {
          sql: `INSERT INTO presence_density (brand, key, key_end, squares)
            SELECT ?1, j.value ->> 'key', j.value ->> 'key_end', j.value ->> 'squares' FROM json_each(?2) j`,
          parameters: [brand, JSON.stringify(rows)],
        },
      ]);
      from = end;
    }
  }
}

/** The rows from `from` on; members of one key may be cut apart, and those after the cut are not counted. */
function cutRows(from: number, keys: readonly number[]): DensityRow[] {
  const rows: DensityRow[] = [];
  let key = from;
  for (let place = 0; place === 0 || place < keys.length; place += DEPTH) {
    const some = keys.slice(place, place + DEPTH).filter((other) => other >= key);
    const isLast = keys.length < DEPTH * ROWS_AT_ONCE && place + DEPTH >= keys.length;
    const end = isLast ? KEY_END : Math.max(key, keys[Math.min(place + DEPTH, keys.length) - 1]!) + 1;
    rows.push({ key, key_end: end, squares: encodeSquares(key, some) });
    key = end;
  }
  return rows;
}
