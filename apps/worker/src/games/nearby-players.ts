/**
 * Finds players near a player of You got Cooties! among any number, by the half-degree square of their published position. A stored square
 * may be an hour old, so `isWithinReach` decides.
 */
import { BRANDS } from "@lambda/brands";
import { COOTIES_REACH_KM } from "@lambda/contract/limits";
import { type CurveKey, keyOfUnits, pointOfKey, UNITS_PER_DEGREE } from "@lambda/geo/curve";
import { EARTH_RADIUS_METERS } from "@lambda/geo/distance";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../platform/db/database.ts";
import { listedOn } from "../visibility/visibility.ts";

/** A square is a range of curve keys that agree in all but this many bits per axis. */
const SQUARE_BITS = 16;
const KEYS_PER_SQUARE = 4 ** SQUARE_BITS;
const SQUARE_DEGREES = 2 ** SQUARE_BITS / UNITS_PER_DEGREE;
const ROWS = 180 / SQUARE_DEGREES;
const COLUMNS = 360 / SQUARE_DEGREES;

const RADIANS = Math.PI / 180;
const EARTH_KM = EARTH_RADIUS_METERS / 1000;
const REACH_DEGREES = COOTIES_REACH_KM / EARTH_KM / RADIANS;
/** Compensates rounding errors. */
const SLACK_DEGREES = 1e-6;

const PLAYERS_PER_STATEMENT = 1000;

export function isWithinReach(one: CurveKey, other: CurveKey): boolean {
  const a = pointOfKey(one);
  const b = pointOfKey(other);
  const x = (((b.lon - a.lon + 540) % 360) - 180) * RADIANS * Math.cos(((a.lat + b.lat) / 2) * RADIANS);
  return Math.hypot(x, (b.lat - a.lat) * RADIANS) * EARTH_KM <= COOTIES_REACH_KM;
}

export const squareOfKey = (key: CurveKey) => Math.floor(key / KEYS_PER_SQUARE);

/** Every square with a point within reach of a key as `isWithinReach` measures it, including across the date line and around the poles. */
export function squaresAround(key: CurveKey): number[] {
  const { lat, lon } = pointOfKey(key);
  const reach = REACH_DEGREES + SLACK_DEGREES;
  const squareIndex = (degrees: number) => Math.floor(degrees / SQUARE_DEGREES);
  const squares: number[] = [];
  for (
    let row = Math.max(0, squareIndex(lat - reach + 90));
    row <= Math.min(ROWS - 1, squareIndex(lat + reach + 90));
    row += 1
  ) {
    const south = row * SQUARE_DEGREES - 90;
    const north = south + SQUARE_DEGREES;
    const away = Math.max(0, south - lat, lat - north);
    // Degrees of longitude are shortest at the edge of the row closest to a pole.
    const shortest = Math.cos((Math.max(Math.abs(south + lat), Math.abs(north + lat)) / 2) * RADIANS);
    const width = Math.sqrt(Math.max(0, reach ** 2 - away ** 2)) / shortest;
    const west = squareIndex(lon - width + 180);
    const count = Math.min(COLUMNS, squareIndex(lon + width + 180) - west + 1);
    for (let step = 0; step < count; step += 1) {
      const column = (((west + step) % COLUMNS) + COLUMNS) % COLUMNS;
      squares.push(squareOfKey(keyOfUnits(column << SQUARE_BITS, row << SQUARE_BITS)));
    }
  }
  return squares;
}

/** The current square of a player; null without a current position or if the member is not listed. */
export function currentSquare(now: number, player: string): RawBuilder<number | null> {
  return sql<
    number | null
  >`(select s.key >> ${sql.lit(2 * SQUARE_BITS)} from position s cross join profile p on p.id = s.profile_id
    where s.profile_id = ${sql.ref(`${player}.profile_id`)} and s.ts_effective_until > ${now}
      and ${listedOn({ bit: sql.ref(`${player}.brand`) })})`;
}

/** Scheduled: updates all players' squares in steps and writes only those that changed. */
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
        .limit(PLAYERS_PER_STATEMENT);
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
