/**
 * Who is near a player of You got Cooties!. Each player's row keeps the square of half a degree that holds the published
 * position, so that those around a carrier are found among any number of players. A square may be an hour old; `isNear` decides.
 */

import { BRANDS } from "@lambda/brands";
import { COOTIES_REACH_KM } from "@lambda/contract/limits";
import type { CurveKey } from "@lambda/geo/curve";
import { KEY_END, keyOfUnits, pointOfKey, UNITS_PER_DEGREE } from "@lambda/geo/curve";
import { EARTH_RADIUS_METERS } from "@lambda/geo/distance";
import { type RawBuilder, sql } from "kysely";
import { listedOn } from "../../members/visibility/visibility.ts";
import type { Database } from "../../platform/db/database.ts";
import { shuffle } from "./draw.ts";

/** A square is one stretch of the curve: keys that agree in all but these bits of each axis. */
const SQUARE_BITS = 16;
const KEYS_PER_SQUARE = 4 ** SQUARE_BITS;
const SQUARE_DEGREES = 2 ** SQUARE_BITS / UNITS_PER_DEGREE;
const ROWS = 180 / SQUARE_DEGREES;
const COLUMNS = 360 / SQUARE_DEGREES;
/** Squares are integers below this: two numbers of ten bits. */
export const SQUARES_END = KEY_END / KEYS_PER_SQUARE;

const RADIANS = Math.PI / 180;
const EARTH_KM = EARTH_RADIUS_METERS / 1000;
const REACH_DEGREES = COOTIES_REACH_KM / EARTH_KM / RADIANS;
/** More than rounding takes away. */
const SLACK_DEGREES = 1e-6;

/** `random_order` is below this. */
const RANDOM_ORDER_END = 2 ** 52;
/** Squares looked into at once: columns of one answer, of which D1 allows 100. Only beyond 82 degrees are there more, and then each look leaves others out. */
const SQUARES_AT_ONCE = 90;
/** SELECTs that D1 allows in one compound. */
const COMPOUND_MAX = 5;
/** Players of one hourly statement. */
const STEP = 1000;

/** Whether two published positions are within reach of each other. */
export function isNear(one: CurveKey, other: CurveKey): boolean {
  const a = pointOfKey(one);
  const b = pointOfKey(other);
  const x = (((b.lon - a.lon + 540) % 360) - 180) * RADIANS * Math.cos(((a.lat + b.lat) / 2) * RADIANS);
  return Math.hypot(x, (b.lat - a.lat) * RADIANS) * EARTH_KM <= COOTIES_REACH_KM;
}

export const squareOfKey = (key: CurveKey) => Math.floor(key / KEYS_PER_SQUARE);

/** Every square that holds a place within reach of a key: by `isNear`'s measure, over the date line, and round a pole. */
export function squaresAround(key: CurveKey): number[] {
  const { lat, lon } = pointOfKey(key);
  const reach = REACH_DEGREES + SLACK_DEGREES;
  const place = (degrees: number) => Math.floor(degrees / SQUARE_DEGREES);
  const squares: number[] = [];
  for (let row = Math.max(0, place(lat - reach + 90)); row <= Math.min(ROWS - 1, place(lat + reach + 90)); row += 1) {
    const south = row * SQUARE_DEGREES - 90;
    const north = south + SQUARE_DEGREES;
    const away = Math.max(0, south - lat, lat - north);
    // Degrees of longitude are shortest where the row comes nearest to a pole.
    const shortest = Math.cos((Math.max(Math.abs(south + lat), Math.abs(north + lat)) / 2) * RADIANS);
    const width = Math.sqrt(Math.max(0, reach ** 2 - away ** 2)) / shortest;
    const west = place(lon - width + 180);
    const count = Math.min(COLUMNS, place(lon + width + 180) - west + 1);
    for (let step = 0; step < count; step += 1) {
      const column = (((west + step) % COLUMNS) + COLUMNS) % COLUMNS;
      squares.push(squareOfKey(keyOfUnits(column << SQUARE_BITS, row << SQUARE_BITS)));
    }
  }
  return squares;
}

/** The square of a player's row now: null for whom nobody can find, for want of a living position or of being listed. */
export function currentSquare(now: number, player: string): RawBuilder<number | null> {
  return sql<
    number | null
  >`(select s.key >> ${sql.lit(2 * SQUARE_BITS)} from position s cross join profile p on p.id = s.profile_id
    where s.profile_id = ${sql.ref(`${player}.profile_id`)} and s.ts_effective_until > ${now}
      and ${listedOn({ bit: sql.ref(`${player}.brand`) })})`;
}

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
export function firstOfEach(
  brandBit: number,
  squares: readonly number[],
  start: number,
  onlyIf: RawBuilder<boolean>,
): RawBuilder<Probe> {
  const columns = shuffle(squares)
    .slice(0, SQUARES_AT_ONCE)
    .map(
      (square) =>
        sql`(select found from ${players(brandBit)} where square = ${sql.lit(square)} and random_order >= ${sql.lit(start)}
        order by random_order limit 1) as ${sql.ref(String(square))}`,
    );
  return sql<Probe>`select ${sql.join(columns)} where ${onlyIf}`;
}

export const firstsOf = (probe: Probe): Found[] =>
  Object.values(probe).flatMap((found) => (found === null ? [] : [JSON.parse(found) as Found]));

/**
 * Those beside the first ones, as a table of `found`, one square after the other: first of squares that seemed empty, where few can be, then
 * on from the first ones, and at last round to where the look began.
 */
export function othersIn(brandBit: number, probe: Probe, start: number): RawBuilder<{ found: string }> {
  const part = (square: string, range: RawBuilder<unknown>) =>
    sql<{
      found: string;
    }>`select found from ${players(brandBit)} where square = ${sql.lit(Number(square))} and ${range}`;
  const squares = shuffle(Object.entries(probe));
  const before = ([square]: [string, string | null]) => part(square, sql`random_order < ${sql.lit(start)}`);
  const peopled = squares.filter(([, found]) => found !== null);
  return concatenate([
    ...squares.filter(([, found]) => found === null).map(before),
    ...peopled.map(([square, found]) => part(square, sql`random_order > ${sql.lit((JSON.parse(found!) as Found)[0])}`)),
    ...peopled.map(before),
  ]);
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

/** Brings all players' squares up to date. Rows are written where a square changed, and read in steps. */
export async function refreshSquares(db: Database, now: number): Promise<void> {
  const square = currentSquare(now, "cooties_player");
  for (const { bit } of BRANDS) {
    for (let from = 0; ; ) {
      const { rows } = await sql<{ last: number | null }>`select max(profile_id) as last from
        (select profile_id from cooties_player where brand = ${bit} and profile_id > ${from} order by profile_id limit ${sql.lit(STEP)})`.execute(
        db,
      );
      const last = rows[0]?.last ?? null;
      if (last === null) break;
      await sql`update cooties_player set square = ${square}
        where brand = ${bit} and profile_id > ${from} and profile_id <= ${last} and square is not ${square}`.execute(
        db,
      );
      from = last;
    }
  }
}
