/** Pairs of raw positions that others must not be able to distinguish. */
import type { Point } from "@lambda/geo/distance";
import { PRECISIONS, type Precision, wrapLongitude } from "@lambda/geo/grid";
import { cellAt, cellBounds, chooseCell, type Lattice } from "@lambda/geo/lattice";
import { punishingCountryIn } from "@lambda/geo/punishing";
import type { TestMember } from "../../member.ts";
import type { Random } from "../../random.ts";
import { withRetry } from "../with-retry.ts";

export interface Pair {
  readonly raws: readonly [Point, Point];
  readonly precision: Precision;
  readonly use: "OVERRIDE" | "DEVICE_GPS";
  /** GPS position an hour earlier, for both: a remembered place whose cell may be shown for the pair. */
  readonly previous?: Point;
}

/** Percentage of pairs with a remembered place nearby. */
const REMEMBERED_PERCENT = 30;
/** More than the side of any cell. */
const NEAR_DEGREES = 0.5;

/**
 * Draws two raw positions in the same cell of a member, at any precision; with a remembered place nearby, two for which the same cell is
 * chosen. @param apart displaces the second by this many degrees of latitude, as a control
 */
export function drawPair(draw: (random: Random) => Point, random: Random, apart: number, lattice: Lattice): Pair {
  const place = draw(random);
  const precision = apart > 0 ? "street" : PRECISIONS[random.int(PRECISIONS.length)]!;
  const { latMin, latMax, lonMin, lonMax } = cellBounds(lattice, cellAt(lattice, place, precision));
  const [height, width] = [latMax - latMin, (lonMax - lonMin + 360) % 360];
  const at = (north: number, east: number): Point => ({
    lat: latMin + height * north,
    lon: wrapLongitude(lonMin + width * east),
  });
  const inside = () => at(0.001 + 0.998 * random.next(), 0.001 + 0.998 * random.next());
  const use = random.next() < 0.5 ? "OVERRIDE" : "DEVICE_GPS";
  const first = inside();
  if (apart === 0 && random.int(100) < REMEMBERED_PERCENT) {
    const previous = at(-0.5 + 2 * random.next(), 1.2);
    const cell = cellAt(lattice, previous, precision);
    const remembered = [{ cell, days: 1, lastDay: 0 }];
    const chosenCell = (point: Point) => chooseCell(lattice, precision === "exact" ? [] : remembered, point, precision);
    let second = inside();
    while (chosenCell(second) !== chosenCell(first)) second = inside();
    return { raws: [first, second], precision, use, previous };
  }
  const second = inside();
  const moved = { lat: second.lat - Math.sign(second.lat) * apart, lon: second.lon };
  return { raws: [first, moved], precision, use };
}

/** Whether a place's cells and their neighbors may touch a punishing country. */
export function isNearPunishingCountry({ lat, lon }: Point): boolean {
  const [latMin, latMax] = [Math.max(-90, lat - NEAR_DEGREES), Math.min(90, lat + NEAR_DEGREES)];
  return (
    punishingCountryIn({
      latMin,
      latMax,
      lonMin: wrapLongitude(lon - NEAR_DEGREES),
      lonMax: wrapLongitude(lon + NEAR_DEGREES),
    }) !== null
  );
}

/** Reports a raw position, like a client that ignores the grid. Returns the response body. */
export async function putPosition(
  member: TestMember,
  { lat, lon }: Point,
  { use, precision }: Pick<Pair, "use" | "precision">,
  now: number,
): Promise<string> {
  const at = use === "OVERRIDE" ? { overrideLat: lat, overrideLon: lon } : { gpsLat: lat, gpsLon: lon };
  return await withRetry(async () => {
    const response = await member.fetch(`/api/profile-position/${member.id}`, {
      method: "PUT",
      headers: { "content-type": "application/json", "x-development-now": String(now) },
      body: JSON.stringify({ use, precision, ...at }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  });
}

/** Runs `act` on each item, with at most `lanes` running concurrently. */
export async function runInLanes<Item>(
  items: readonly Item[],
  lanes: number,
  act: (item: Item, index: number) => Promise<void>,
) {
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      await act(items[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
