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

/** Brings all players' squares up to date. Rows are written where a square changed, and read in steps. */
export async function refreshSquares(db: Database, now: number): Promise<void> {
  const square = currentSquare(now, "cooties_player");
  for (const { bit } of BRANDS) {
    for (let from = 0; ; ) {
      const step = db
        .selectFrom("cooties_player")
        .select("profile_id")
        .where("brand", "=", bit)
        .where("profile_id", ">", from)
        .orderBy("profile_id")
        .limit(sql.lit(STEP));
      const { last } = await db
        .selectFrom(step.as("s"))
        .select(({ fn }) => fn.max<number | null>("s.profile_id").as("last"))
        .executeTakeFirstOrThrow();
      if (last === null) break;
      await db
        .updateTable("cooties_player")
        .set({ square })
        .where("brand", "=", bit)
        .where("profile_id", ">", from)
        .where("profile_id", "<=", last)
        .where("square", "is not", square)
        .execute();
      from = last;
    }
  }
}
