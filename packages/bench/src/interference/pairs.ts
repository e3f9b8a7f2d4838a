/** Pairs of raw positions that must look the same to everyone else. */
import type { Point } from "@lambda/geo/distance";
import { PRECISIONS, type Precision, wrapLongitude } from "@lambda/geo/grid";
import { boundsOfCell, cellAt, chooseCell, type Lattice } from "@lambda/geo/lattice";
import { punishingLandIn } from "@lambda/geo/punishing";
import type { TestMember } from "@lambda/testing/member";
import type { Random } from "@lambda/testing/random";
import type { Population } from "../population.ts";
import { withRetry } from "../with-retry.ts";

export interface Pair {
  readonly raws: readonly [Point, Point];
  readonly precision: Precision;
  readonly use: "OVERRIDE" | "DEVICE_GPS";
  /** Where GPS was an hour before, on both sides: a place that is remembered, and may stand for the pair's. */
  readonly before?: Point;
}

/** How many pairs in a hundred come from a place that is remembered. */
const REMEMBERED_PERCENT = 30;
/** More than the longest side of a cell. */
const NEAR_DEGREES = 0.5;

/**
 * Two raw positions in the same cell of a member, of any precision; with a remembered place beside it, two for which the same cell
 * stands. @param apart degrees to the south that the second lies off: the control
 */
export function drawPair(population: Population, random: Random, apart: number, lattice: Lattice): Pair {
  const place = population.place(random);
  const precision = apart > 0 ? "street" : PRECISIONS[random.int(PRECISIONS.length)]!;
  const { latMin, latMax, lonMin, lonMax } = boundsOfCell(lattice, cellAt(lattice, place, precision));
  const [height, width] = [latMax - latMin, (lonMax - lonMin + 360) % 360];
  const at = (north: number, east: number): Point => ({
    lat: latMin + height * north,
    lon: wrapLongitude(lonMin + width * east),
  });
  const inside = () => at(0.001 + 0.998 * random.next(), 0.001 + 0.998 * random.next());
  const use = random.next() < 0.5 ? "OVERRIDE" : "DEVICE_GPS";
  const first = inside();
  if (apart === 0 && random.int(100) < REMEMBERED_PERCENT) {
    const before = at(-0.5 + 2 * random.next(), 1.2);
    const cell = cellAt(lattice, before, precision);
    const remembered = [{ cell, days: 1, lastDay: 0 }];
    const stands = (point: Point) => chooseCell(lattice, precision === "exact" ? [] : remembered, point, precision);
    let second = inside();
    while (stands(second) !== stands(first)) second = inside();
    return { raws: [first, second], precision, use, before };
  }
  const second = inside();
  const moved = { lat: second.lat - Math.sign(second.lat) * apart, lon: second.lon };
  return { raws: [first, moved], precision, use };
}

/** True for a place whose cells and neighbors may touch a country that punishes. */
export function isNearPunishingLand({ lat, lon }: Point): boolean {
  const [latMin, latMax] = [Math.max(-90, lat - NEAR_DEGREES), Math.min(90, lat + NEAR_DEGREES)];
  return (
    punishingLandIn({
      ...{ latMin, latMax },
      ...{ lonMin: wrapLongitude(lon - NEAR_DEGREES), lonMax: wrapLongitude(lon + NEAR_DEGREES) },
    }) !== null
  );
}

/** A report as a client that knows no grid would send it. Answers the member's own answer. */
export async function putPosition(
  member: TestMember,
  { lat, lon }: Point,
  { use, precision }: Pick<Pair, "use" | "precision">,
  now: number,
): Promise<string> {
  const at = use === "OVERRIDE" ? { overrideLat: lat, overrideLon: lon } : { gpsLat: lat, gpsLon: lon };
  return await withRetry(async () => {
    const answer = await member.fetch(`/api/profile-position/${member.id}`, {
      method: "PUT",
      headers: { "content-type": "application/json", "x-development-now": String(now) },
      body: JSON.stringify({ use, precision, ...at }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  });
}

/** Runs `act` on each item, at most `lanes` at a time. */
export async function inLanes<Item>(
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
