/** Where members live: how the world's use is spread over the day, and how many members share a square of the map. */
import { seededRandom } from "@lambda/testing/random";
import { Population } from "../population.ts";
import { LOCAL_DAY } from "./habits.ts";

export interface TownModel {
  /** Share of a day's use in the world's busiest hour (at least 1/24). */
  readonly busiestHourShare: number;
  /** Mean number of members in a member's square degree, counting at most `max` per square. */
  membersInSquare(members: number, max: number): number;
}

const DRAWN = 200_000;
/** Approximates time zones by longitude. */
const DEGREES_AN_HOUR = 15;

export function drawTown(): TownModel {
  const population = new Population();
  const random = seededRandom(1);
  const zones = new Float64Array(24);
  const squares = new Map<string, number>();
  for (let drawn = 0; drawn < DRAWN; drawn += 1) {
    const { lat, lon } = population.place(random);
    const zone = (Math.round(lon / DEGREES_AN_HOUR) + 24) % 24;
    zones[zone] = (zones[zone] ?? 0) + 1 / DRAWN;
    const square = `${Math.floor(lat)}:${Math.floor(lon)}`;
    squares.set(square, (squares.get(square) ?? 0) + 1);
  }
  const byHour = LOCAL_DAY.map((_, utc) =>
    zones.reduce((sum, share, zone) => sum + share * (LOCAL_DAY[(utc + zone) % 24] ?? 0), 0),
  );
  const shares = [...squares.values()].map((count) => count / DRAWN);
  return {
    busiestHourShare: Math.max(...byHour),
    membersInSquare: (members, max) => shares.reduce((mean, share) => mean + share * Math.min(max, share * members), 0),
  };
}
