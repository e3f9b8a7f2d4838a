/** Where members live, as far as the year asks: how the world's day is spread over the hours, and how many share a square of the map. */
import { seededRandom } from "@lambda/testing/random";
import { Population } from "../population.ts";
import { LOCAL_DAY } from "./habits.ts";

export interface Town {
  /** Of all members in the foreground on a day, the share who are there in the busiest hour (1/24 and more). */
  readonly busiestHourShare: number;
  /** Members in the square degree of a member, at most `most` of them, in the mean over members. */
  membersInSquare(members: number, most: number): number;
}

const DRAWN = 200_000;
/** Longitude says the hour well enough: 15 degrees are one. */
const DEGREES_AN_HOUR = 15;

export function drawTown(): Town {
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
    membersInSquare: (members, most) =>
      shares.reduce((mean, share) => mean + share * Math.min(most, share * members), 0),
  };
}
