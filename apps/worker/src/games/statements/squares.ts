/**
 * Reads players by square. Raw statements, because the query builder cannot nest unions within D1's limit of five terms, and because each square
 * is a separate scalar subquery: joining a list of squares would be billed as rows too.
 */

import { type RawBuilder, sql } from "kysely";
import { type Database, type Query, rawQuery } from "../../platform/db/database.ts";
import { shuffle } from "../../platform/shuffle.ts";

/** Upper bound of `cooties_player.random_order`. */
const PLAYER_ORDER_END = 2 ** 52;
/** Squares per query: D1 allows 100 result columns. Only beyond 82 degrees of latitude are there more, and then random ones are left out. */
const SQUARES_PER_QUERY = 90;
/** SELECTs that D1 allows in one compound statement. */
const COMPOUND_MAX = 5;

/** A player without cooties, as stored in the index. */
type IndexedPlayer = readonly [randomOrder: number, id: number, tsCaught: number | null, tags: number, caught: number];

/** The first player from the start, by square: an `IndexedPlayer` as JSON, or null. */
export type SquareProbe = Readonly<Record<string, string | null>>;

/** A random start in each square's order, so that different players of a crowd are drawn each time. */
export const randomSquareStart = () => Math.floor(Math.random() * PLAYER_ORDER_END);

const players = (
  brandBit: number,
) => sql`(select c.square, c.random_order, json_array(c.random_order, c.profile_id, c.ts_caught, c.tags, c.caught) as found
  from cooties_player c indexed by cooties_player_square where c.brand = ${sql.lit(brandBit)} and c.carrier = 0)`;

/**
 * Reads the first player of each square, which costs one row per square, even if it is empty.
 *
 * @param onlyIf returns no row unless this holds
 */
export function firstPlayersQuery(
  db: Database,
  brandBit: number,
  squares: readonly number[],
  start: number,
  onlyIf: RawBuilder<boolean>,
): Query<SquareProbe> {
  const columns = shuffle(squares)
    .slice(0, SQUARES_PER_QUERY)
    .map(
      (square) =>
        sql`(select found from ${players(brandBit)} where square = ${sql.lit(square)} and random_order >= ${sql.lit(start)}
        order by random_order limit 1) as ${sql.ref(String(square))}`,
    );
  return rawQuery(db, sql<SquareProbe>`select ${sql.join(columns)} where ${onlyIf}`);
}

export const parseFirstPlayers = (probe: SquareProbe): IndexedPlayer[] =>
  Object.values(probe).flatMap((found) => (found === null ? [] : [JSON.parse(found) as IndexedPlayer]));

/**
 * Further players after the first ones, as a table with the column `found`: first from squares that seemed empty, then after the first player of
 * the others, and finally before the start.
 */
export function furtherPlayers(
  brandBit: number,
  probe: SquareProbe,
  start: number,
  limit: number,
): RawBuilder<{ found: string }> {
  const part = (square: string, range: RawBuilder<unknown>) =>
    sql<{
      found: string;
    }>`select found from ${players(brandBit)} where square = ${sql.lit(Number(square))} and ${range}`;
  const squares = shuffle(Object.entries(probe));
  const before = ([square]: [string, string | null]) => part(square, sql`random_order < ${sql.lit(start)}`);
  const occupied = squares.filter(([, found]) => found !== null);
  const found = unionAll([
    ...squares.filter(([, found]) => found === null).map(before),
    ...occupied.map(([square, found]) =>
      part(square, sql`random_order > ${sql.lit((JSON.parse(found!) as IndexedPlayer)[0])}`),
    ),
    ...occupied.map(before),
  ]);
  return sql<{ found: string }>`(${found} limit ${sql.lit(limit)})`;
}

function unionAll<Row>(selects: readonly RawBuilder<Row>[]): RawBuilder<Row> {
  if (selects.length <= COMPOUND_MAX) return sql<Row>`${sql.join([...selects], sql` union all `)}`;
  const size = Math.ceil(selects.length / COMPOUND_MAX);
  const parts = Array.from({ length: Math.ceil(selects.length / size) }, (_, part) =>
    selects.slice(part * size, (part + 1) * size),
  );
  return unionAll(parts.map((part) => sql<Row>`select * from (${unionAll(part)})`));
}
