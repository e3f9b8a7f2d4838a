/**
 * How dense members are along the curve, as of the last hour: an equi-depth histogram by which searches plan what to read. No answer is
 * made of it, so a change since costs rows and not exactness, and it never leaves the worker, not even as part of a cursor: it counts
 * members whom the searcher may not see.
 */
import { BRANDS } from "@lambda/brands";
import type { KeyRange } from "@lambda/geo/cover";
import { KEY_END, toCurveKey } from "@lambda/geo/curve";
import { Density, decodeSquares, encodeSquares } from "@lambda/geo/density-squares";
import { type CompiledQuery, sql } from "kysely";
import { batch } from "../../platform/db/batch.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { PresenceDensityRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";

/** Members of one row. */
const DEPTH = 8000;
/** Rows that are rebuilt at a time. */
const ROWS_AT_ONCE = 4;
/** Rows of one range: with that many members known, a page is full. */
const ROWS_MAX = 16;

type DensityRow = Omit<PresenceDensityRow, "brand">;

/** The row that a range begins in, and one that comes after it in the same range, if any. */
type RangeRow = DensityRow & {
  readonly next_key: number | null;
  readonly next_end: number;
  readonly next_squares: string;
};

/** A row as it was read, for some minutes. */
interface Stretch extends KeyRange {
  readonly brandBit: number;
  readonly members: Float64Array;
  readonly tsRead: number;
}

const KEPT_MS = 1_200_000;
/** 64 KB each. */
const KEPT_MAX = 160;

/** What this isolate read of late, the oldest first, apart from each other. */
let kept: Stretch[] = [];

/** What this isolate knows of some ranges of late; undefined unless it knows all of them. */
export function knownDensity(
  { brandBit, now }: { readonly brandBit: number; readonly now: number },
  ranges: readonly KeyRange[],
): Density | undefined {
  const fresh = kept.filter((stretch) => stretch.brandBit === brandBit && Math.abs(now - stretch.tsRead) < KEPT_MS);
  const touched = fresh
    .filter(({ lo, hi }) => ranges.some((range) => range.lo < hi && range.hi > lo))
    .sort((a, b) => a.lo - b.lo);
  const isKnown = ({ lo, hi }: KeyRange) =>
    touched.reduce((from, stretch) => (stretch.lo <= from && stretch.hi > from ? stretch.hi : from), lo) >= hi;
  return ranges.every(isKnown) ? densityOf(touched, 0) : undefined;
}

function densityOf(stretches: readonly Stretch[], perKeyElsewhere: number): Density {
  const [first] = stretches;
  if (first && stretches.length === 1) return new Density(stretches, first.members, perKeyElsewhere);
  const all = new Float64Array(stretches.reduce((sum, { members }) => sum + members.length, 0));
  let place = 0;
  for (const { members } of stretches) {
    all.set(members, place);
    place += members.length;
  }
  return new Density(stretches, all, perKeyElsewhere);
}

/**
 * What is known of some ranges: by this isolate, else by one round trip, and as a rule one row for each: nothing is looked for after a row
 * that holds the whole range, since a brand that is null ends the join before it begins.
 *
 * @param perKeyElsewhere members to expect in a key where nothing is known
 */
export async function readDensity(
  db: Database,
  searcher: { readonly brandBit: number; readonly now: number },
  ranges: readonly KeyRange[],
  perKeyElsewhere: number,
): Promise<Density> {
  const known = knownDensity(searcher, ranges);
  if (known) return known;
  const { brandBit, now } = searcher;
  const results = await Promise.all(
    ranges.map((range) => db.executeQuery<RangeRow>(rowsOfRangeQuery(db, brandBit, range))),
  );
  const rows = new Map<number, DensityRow>();
  for (const row of results.flatMap((result) => result.rows)) {
    rows.set(row.key, row);
    const { next_key, next_end, next_squares } = row;
    if (next_key !== null) rows.set(next_key, { key: next_key, key_end: next_end, squares: next_squares });
  }
  const read = [...rows.values()]
    .sort((a, b) => a.key - b.key)
    .map((row) => ({
      ...{ lo: row.key, hi: row.key_end, brandBit, tsRead: now },
      members: Float64Array.from(decodeSquares(row)),
    }));
  const isOver = (old: Stretch) => read.some(({ lo, hi }) => old.brandBit === brandBit && old.lo < hi && old.hi > lo);
  kept = [...kept.filter((old) => !isOver(old)), ...read].slice(-KEPT_MAX);
  return densityOf(read, perKeyElsewhere);
}

function rowsOfRangeQuery(db: Database, brandBit: number, { lo, hi }: KeyRange): CompiledQuery<RangeRow> {
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
    .limit(ROWS_MAX)
    .compile();
}

/** Where a rebuild goes on: the brand's place in the list, and the key. */
interface DensityCursor {
  readonly brand: number;
  readonly from: number;
}

const CURSOR_KEY = "jobs/density.json";
/** Slices of 32,000 members that one run of the clock takes, at three statements each: D1 answers 1,000 in one invocation. */
const SLICES_A_RUN = 100;

/**
 * Run by schedule: each hour begins a rebuild, and each minute goes on with one that one run could not end, so that it grows with
 * the members and not the statements of a run.
 */
export async function keepDensity(
  env: Pick<Env, "DB" | "PICTURES">,
  turn: "begin" | "goOn",
  slices = SLICES_A_RUN,
): Promise<void> {
  const stored = await env.PICTURES.get(CURSOR_KEY);
  if (!stored && turn === "goOn") return;
  const after = stored ? await stored.json<DensityCursor>() : undefined;
  const left = await rebuildDensity(env.DB, after, slices);
  if (left) await env.PICTURES.put(CURSOR_KEY, JSON.stringify(left));
  else if (stored) await env.PICTURES.delete(CURSOR_KEY);
}

/**
 * Reads each brand's members once, in the order of the curve, and writes their density anew. Three statements for 32,000 members.
 * Answers where to go on when so many slices were not enough.
 */
export async function rebuildDensity(
  d1: D1Database,
  after: DensityCursor = { brand: 0, from: 0 },
  slices = Number.POSITIVE_INFINITY,
): Promise<DensityCursor | undefined> {
  kept = [];
  let { brand, from } = after;
  for (let done = 0; brand < BRANDS.length; done += 1) {
    if (done === slices) return { brand, from };
    from = await rebuildSlice(d1, BRANDS[brand]!.bit, from);
    if (from >= KEY_END) [brand, from] = [brand + 1, 0];
  }
  return undefined;
}

/** Answers the key behind the slice. */
async function rebuildSlice(d1: D1Database, brand: number, from: number): Promise<number> {
  const db = openDatabase(d1);
  const members = await db
    .selectFrom("presence")
    .select("key")
    .where("brand", "=", brand)
    .where("key", ">=", toCurveKey(from))
    .orderBy("key")
    .limit(DEPTH * ROWS_AT_ONCE)
    .execute();
  const rows = cutRows(
    from,
    members.map(({ key }) => key),
  );
  const end = rows[rows.length - 1]!.key_end;
  await batch(d1, [
    db
      .deleteFrom("presence_density")
      .where("brand", "=", brand)
      .where("key", ">=", from)
      .where("key", "<", end)
      .compile(),
    // One bound value, as D1 binds 100 at most and these rows are large.
    db
      .insertInto("presence_density")
      .columns(["brand", "key", "key_end", "squares"])
      .expression((select) =>
        select
          .selectFrom(sql<{ value: string }>`json_each(${JSON.stringify(rows)})`.as("j"))
          .select([sql.val(brand).as("brand"), sql<number>`j.value ->> 'key'`.as("key")])
          .select([sql<number>`j.value ->> 'key_end'`.as("key_end"), sql<string>`j.value ->> 'squares'`.as("squares")]),
      )
      .compile(),
  ]);
  return end;
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
