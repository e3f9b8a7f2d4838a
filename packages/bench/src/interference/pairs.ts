/** Pairs of raw positions that must look the same to everyone else. */
import { cellBounds, type Point, PRECISIONS, type Precision, snap } from "@lambda/contract/grid";
import type { TestMember } from "@lambda/testing/member";
import { persistently } from "../persistently.ts";
import type { Population } from "../population.ts";
import type { Random } from "../random.ts";

export interface Pair {
  readonly raws: readonly [Point, Point];
  readonly precision: Precision;
  readonly use: "OVERRIDE" | "DEVICE_GPS";
}

/** Two raw positions in the same cell of any precision. @param apart degrees to the south that the second lies off: the control */
export function drawPair(population: Population, random: Random, apart: number): Pair {
  const place = population.place(random);
  const precision = apart > 0 ? "street" : PRECISIONS[random.int(PRECISIONS.length)]!;
  const { latMin, latMax, lonMin, lonMax } = cellBounds(snap(place.lat, place.lon, precision));
  const inside = (): Point => ({
    lat: latMin + (latMax - latMin) * (0.001 + 0.998 * random.next()),
    lon: lonMin + (lonMax - lonMin) * (0.001 + 0.998 * random.next()),
  });
  const [first, second] = [inside(), inside()];
  const moved = { lat: second.lat - Math.sign(second.lat) * apart, lon: second.lon };
  return { raws: [first, moved], precision, use: random.next() < 0.5 ? "OVERRIDE" : "DEVICE_GPS" };
}

/** A report as a client that knows no grid would send it. Answers the member's own answer. */
export async function putPosition(
  member: TestMember,
  { lat, lon }: Point,
  { use, precision }: Pick<Pair, "use" | "precision">,
  now: number,
): Promise<string> {
  const at = use === "OVERRIDE" ? { overrideLat: lat, overrideLon: lon } : { gpsLat: lat, gpsLon: lon };
  const answer = await persistently(() =>
    member.fetch(`/api/profile-position/${member.id}`, {
      method: "PUT",
      headers: { "content-type": "application/json", "x-development-now": String(now) },
      body: JSON.stringify({ use, precision, ...at }),
    }),
  );
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
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
