/**
 * Players by the square that they are in. Whole statements, since the builder cannot nest unions within D1's five terms, and since
 * each square must be a scalar of its own: a list of squares to join with would be counted as rows as well.
 */
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Database } from "../../../platform/db/database.ts";
import { shuffle } from "../sample.ts";

/** `random_order` is below this. */
const RANDOM_ORDER_END = 2 ** 52;
/** Squares looked into at once: columns of one answer, of which D1 allows 100. Only beyond 82 degrees are there more, and then each look leaves others out. */
const SQUARES_AT_ONCE = 90;
/** SELECTs that D1 allows in one compound. */
const COMPOUND_MAX = 5;

/** A player without cooties, as in the index. */
type Found = readonly [randomOrder: number, id: number, tsCaught: number | null, tags: number, caught: number];

/** By square, the first player from where the look begins: `Found` as JSON, or null. */
export type Probe = Readonly<Record<string, string | null>>;

/** Where a look around begins in each square's order: somewhere else each time, so that a crowd is not always the same few. */
export const randomStart = () => Math.floor(Math.random() * RANDOM_ORDER_END);

const players = (
  brandBit: number,
) => sql`(select c.square, c.random_order, json_array(c.random_order, c.profile_id, c.ts_caught, c.tags, c.caught) as found
  from cooties_player c indexed by cooties_player_square where c.brand = ${sql.lit(brandBit)} and c.carrier = 0)`;

/**
 * The first player of each square: one row is read for each square, as empty ones cost the row that ends them. Scalars, since a list to join
 * with would be counted as rows as well.
 *
 * @param onlyIf no answer unless this holds
 */
export function firstOfEachQuery(
  db: Database,
  brandBit: number,
  squares: readonly number[],
  start: number,
  onlyIf: RawBuilder<boolean>,
): CompiledQuery<Probe> {
  const columns = shuffle(squares)
    .slice(0, SQUARES_AT_ONCE)
    .map(
      (square) =>
        sql`(select found from ${players(brandBit)} where square = ${sql.lit(square)} and random_order >= ${sql.lit(start)}
        order by random_order limit 1) as ${sql.ref(String(square))}`,
    );
  return sql<Probe>`select ${sql.join(columns)} where ${onlyIf}`.compile(db);
}

export const firstsOf = (probe: Probe): Found[] =>
  Object.values(probe).flatMap((found) => (found === null ? [] : [JSON.parse(found) as Found]));

/**
 * Those beside the first ones, as a table of `found`, one square after the other: first of squares that seemed empty, where few can be, then
 * on from the first ones, and at last round to where the look began.
 */
export function othersIn(brandBit: number, probe: Probe, start: number, limit: number): RawBuilder<{ found: string }> {
  const part = (square: string, range: RawBuilder<unknown>) =>
    sql<{
      found: string;
    }>`select found from ${players(brandBit)} where square = ${sql.lit(Number(square))} and ${range}`;
  const squares = shuffle(Object.entries(probe));
  const before = ([square]: [string, string | null]) => part(square, sql`random_order < ${sql.lit(start)}`);
  const peopled = squares.filter(([, found]) => found !== null);
  const found = concatenate([
    ...squares.filter(([, found]) => found === null).map(before),
    ...peopled.map(([square, found]) => part(square, sql`random_order > ${sql.lit((JSON.parse(found!) as Found)[0])}`)),
    ...peopled.map(before),
  ]);
  return sql<{ found: string }>`(${found} limit ${sql.lit(limit)})`;
}

/** Many SELECTs as one. */
function concatenate<Row>(selects: readonly RawBuilder<Row>[]): RawBuilder<Row> {
  if (selects.length <= COMPOUND_MAX) return sql<Row>`${sql.join([...selects], sql` union all `)}`;
  const size = Math.ceil(selects.length / COMPOUND_MAX);
  const parts = Array.from({ length: Math.ceil(selects.length / size) }, (_, part) =>
    selects.slice(part * size, (part + 1) * size),
  );
  return concatenate(parts.map((part) => sql<Row>`select * from (${concatenate(part)})`));
}
