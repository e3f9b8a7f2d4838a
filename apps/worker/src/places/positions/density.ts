/**
 * Density of members along the curve as of the last hour: searches plan with it but make no result from it, so changes
 * since then cost rows and not exactness. It never leaves the worker, not even as part of a cursor, because it counts
 * members whom the searcher may not see.
 */
import { BRANDS } from "@lambda/brands";
import type { KeyRange } from "@lambda/geo/cover";
import { KEY_END, toCurveKey } from "@lambda/geo/curve";
import { Density, decodeSquares, encodeSquares } from "@lambda/geo/density";
import { sql } from "kysely";
import { batch, type Database, insertFrom, openDatabase, type Query, rowsOf } from "../../platform/db/database.ts";
import type { PresenceDensityRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";

const MEMBERS_PER_ROW = 8000;
/** Rows that are rebuilt in one slice. */
const ROWS_PER_SLICE = 4;
/** Rows read for one range: with that many members known, a page is full. */
const ROWS_PER_RANGE_MAX = 16;

type DensityRow = Omit<PresenceDensityRow, "brand">;

/** The row in which a range begins, joined with a later row of the same range, if any. */
type RangeRow = DensityRow & {
  readonly next_key: number | null;
  readonly next_end: number;
  readonly next_squares: string;
};

/** A row as it was read, cached for some minutes. */
interface CachedRow extends KeyRange {
  readonly brandBit: number;
  readonly members: Float64Array;
  readonly tsRead: number;
}

const CACHE_TTL_MS = 1_200_000;
/** 64 KB each. */
const CACHE_ROWS_MAX = 160;

/** Members per key that a search expects where it knows nothing: enough to keep it out. */
const CROWDED = 1;

/** The rows that this isolate read recently, the oldest first, without overlaps. */
let cache: CachedRow[] = [];

/** Changes whenever this isolate reads more, or forgets what it read. */
export const densityVersion = (): unknown => cache;

/** The density of some ranges, as this isolate read it recently; undefined unless the cache covers them all. */
export function cachedDensity(
  { brandBit, now }: { readonly brandBit: number; readonly now: number },
  ranges: readonly KeyRange[],
): Density | undefined {
  const fresh = cache.filter((row) => row.brandBit === brandBit && Math.abs(now - row.tsRead) < CACHE_TTL_MS);
  const touched = fresh
    .filter(({ lo, hi }) => ranges.some((range) => range.lo < hi && range.hi > lo))
    .sort((a, b) => a.lo - b.lo);
  const density = densityOf(touched, CROWDED);
  return ranges.every((range) => density.knows(range)) ? density : undefined;
}

function densityOf(rows: readonly CachedRow[], perKeyElsewhere: number): Density {
  const [first] = rows;
  if (first && rows.length === 1) return new Density(rows, first.members, perKeyElsewhere);
  const all = new Float64Array(rows.reduce((sum, { members }) => sum + members.length, 0));
  let offset = 0;
  for (const { members } of rows) {
    all.set(members, offset);
    offset += members.length;
  }
  return new Density(rows, all, perKeyElsewhere);
}

/**
 * The density of some ranges, from the cache or in one round trip. Usually one row per range: if the first row holds
 * the whole range, the join compares the brand with null and reads nothing more.
 *
 * @param perKeyElsewhere members to expect per key where nothing is known
 */
export async function readDensity(
  db: Database,
  searcher: { readonly brandBit: number; readonly now: number },
  ranges: readonly KeyRange[],
  perKeyElsewhere: number,
): Promise<Density> {
  const known = cachedDensity(searcher, ranges);
  if (known) return known;
  const { brandBit, now } = searcher;
  const results = await Promise.all(ranges.map((range) => rowsOfRangeQuery(db, brandBit, range).execute()));
  const rows = new Map<number, DensityRow>();
  for (const row of results.flat()) {
    rows.set(row.key, row);
    const { next_key, next_end, next_squares } = row;
    if (next_key !== null) rows.set(next_key, { key: next_key, key_end: next_end, squares: next_squares });
  }
  const read = [...rows.values()]
    .sort((a, b) => a.key - b.key)
    .map((row) => ({
      lo: row.key,
      hi: row.key_end,
      brandBit,
      tsRead: now,
      members: Float64Array.from(decodeSquares(row)),
    }));
  const isReplaced = (old: CachedRow) =>
    read.some(({ lo, hi }) => old.brandBit === brandBit && old.lo < hi && old.hi > lo);
  cache = [...cache.filter((old) => !isReplaced(old)), ...read].slice(-CACHE_ROWS_MAX);
  return densityOf(read, perKeyElsewhere);
}

function rowsOfRangeQuery(db: Database, brandBit: number, { lo, hi }: KeyRange): Query<RangeRow> {
  const brand = sql.lit(brandBit);
  const first = db
    .selectFrom("presence_density")
    .select(["key", "key_end", "squares"])
    .where("brand", "=", brand)
    .where("key", "<=", lo)
    .orderBy("key", "desc")
    .limit(1);
  return db
    .selectFrom(first.as("first"))
    .leftJoin("presence_density as d", (join) =>
      join
        .on("d.brand", "=", sql<number>`case when first.key_end < ${hi} then ${brand} end`)
        .onRef("d.key", ">=", "first.key_end")
        .on("d.key", "<", hi),
    )
    .select(["first.key", "first.key_end", "first.squares"])
    .select(["d.key as next_key", "d.key_end as next_end", "d.squares as next_squares"])
    .limit(ROWS_PER_RANGE_MAX)
    .$castTo<RangeRow>();
}

/** Where a rebuild continues: the brand's index, and the key. */
interface DensityCursor {
  readonly brand: number;
  readonly from: number;
}

const CURSOR_KEY = "jobs/density.json";
/** Slices of 32,000 members in one cron run, with three statements each: D1 runs 1,000 in one invocation. */
const SLICES_PER_RUN = 100;

/**
 * Scheduled: starts a rebuild every hour, and continues an unfinished one every minute, so that a run's statements do
 * not grow with the members.
 */
export async function runDensityRebuild(
  env: Pick<Env, "DB" | "PICTURES">,
  mode: "start" | "continue",
  slices = SLICES_PER_RUN,
): Promise<void> {
  const stored = await env.PICTURES.get(CURSOR_KEY);
  if (!stored && mode === "continue") return;
  const after = stored ? await stored.json<DensityCursor>() : undefined;
  const left = await rebuildDensity(env.DB, after, slices);
  if (left) await env.PICTURES.put(CURSOR_KEY, JSON.stringify(left));
  else if (stored) await env.PICTURES.delete(CURSOR_KEY);
}

/**
 * Reads each brand's members once, in curve order, and rewrites their density with three statements per 32,000 members.
 * Returns where to continue if the slices did not suffice.
 */
export async function rebuildDensity(
  d1: D1Database,
  after: DensityCursor = { brand: 0, from: 0 },
  slices = Number.POSITIVE_INFINITY,
): Promise<DensityCursor | undefined> {
  cache = [];
  let { brand, from } = after;
  for (let done = 0; brand < BRANDS.length; done += 1) {
    if (done === slices) return { brand, from };
    from = await rebuildSlice(d1, BRANDS[brand]!.bit, from);
    if (from >= KEY_END) [brand, from] = [brand + 1, 0];
  }
  return undefined;
}

/** Rebuilds one slice and returns the key after it. */
async function rebuildSlice(d1: D1Database, brand: number, from: number): Promise<number> {
  const db = openDatabase(d1);
  const members = await db
    .selectFrom("presence")
    .select("key")
    .where("brand", "=", brand)
    .where("key", ">=", toCurveKey(from))
    .orderBy("key")
    .limit(MEMBERS_PER_ROW * ROWS_PER_SLICE)
    .execute();
  const rows = toDensityRows(
    from,
    members.map(({ key }) => key),
  );
  const end = rows[rows.length - 1]!.key_end;
  const stored = db
    .selectFrom(rowsOf(rows, ["key", "key_end", "squares"], "row"))
    .select(["row.key", "row.key_end", "row.squares"]);
  await batch(d1, [
    db.deleteFrom("presence_density").where("brand", "=", brand).where("key", ">=", from).where("key", "<", end),
    // One bound value, as D1 binds 100 at most and these rows are large.
    insertFrom(db, "presence_density", stored, { brand }),
  ]);
  return end;
}

/** The rows from `from` on. Members of one key may be cut apart, and those after the cut are not counted. */
function toDensityRows(from: number, keys: readonly number[]): DensityRow[] {
  const rows: DensityRow[] = [];
  let key = from;
  for (let offset = 0; offset === 0 || offset < keys.length; offset += MEMBERS_PER_ROW) {
    const some = keys.slice(offset, offset + MEMBERS_PER_ROW).filter((other) => other >= key);
    const isLast = keys.length < MEMBERS_PER_ROW * ROWS_PER_SLICE && offset + MEMBERS_PER_ROW >= keys.length;
    const end = isLast ? KEY_END : Math.max(key, keys[Math.min(offset + MEMBERS_PER_ROW, keys.length) - 1]!) + 1;
    rows.push({ key, key_end: end, squares: encodeSquares(key, some) });
    key = end;
  }
  return rows;
}
