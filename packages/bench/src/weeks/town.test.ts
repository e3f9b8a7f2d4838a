import { distanceMeters, type Point } from "@lambda/geo/distance";
import { expect, it } from "vitest";
import { PRODUCT, SimulatedTown } from "../privacy/simulated-town.ts";
import { liveNights } from "./nights.ts";
import { PRODUCT_RULE } from "./rules.ts";
import { WATCHES } from "./scenarios.ts";
import { ACCURACY, away, pointOf, worldOf } from "./world.ts";

const MEMBERS = 25;
const FIXES = 40;
/** A published point is a place on the curve: rounded by less than this. */
const CURVE_METERS = 1;

it("the weeks that attackers watch show what the worker's own procedures show", async () => {
  const town = await SimulatedTown.open(PRODUCT, 10);
  const { random, centre } = town;
  let [equal, moves] = [0, 0];
  for (let member = 0; member < MEMBERS; member += 1) {
    const id = town.addAttacker();
    const subject = PRODUCT_RULE.subject(await town.latticesOf(id), centre);
    let at = away({ x: 0, y: 0 }, 3000, random);
    let before: Point | undefined;
    for (let index = 0; index < FIXES; index += 1) {
      // The member rests, walks on, or is seen elsewhere; from a minute to ten hours later.
      at = away(at, [0, 40, 300, 700, 2000][random.int(5)]!, random);
      town.now += [1, 5, 16, 40, 600][random.int(5)]! * 60_000;
      const precision = random.int(10) === 0 ? "district" : "street";
      const fix = pointOf(away(at, 40 * random.next(), random), centre);
      await town.publishDue();
      await town.reportFix(id, fix, { precision, accuracyMeters: ACCURACY * 15 });
      subject.fix({ point: fix, precision, now: town.now, accuracyMeters: ACCURACY * 15 });
      const { lat, lon } = (await town.as(id).mine({ profileId: id }))!;
      if (distanceMeters({ lat, lon }, pointOf(subject.look(town.now), centre)) < CURVE_METERS) equal += 1;
      if (!before || distanceMeters(before, { lat, lon }) > 1) moves += 1;
      before = { lat, lon };
    }
  }
  town.close();
  expect(equal).toBe(MEMBERS * FIXES);
  expect(moves).toBeGreaterThan(MEMBERS * 4);
});

const LIVES = new Map(WATCHES.map(({ life }) => [life.name, life]));

/** How many of so many members were seen in more than one cell at home in thirty nights, the first night left out. */
function flipped(life: string, members: number): number {
  const homes = Array.from({ length: members }, (_, number) => {
    const nights = liveNights(worldOf(number, "street"), LIVES.get(life)!, "street", PRODUCT_RULE)[0]!;
    return new Set(nights.slice(1).flatMap(({ atHome }) => atHome)).size;
  });
  return homes.filter((cells) => cells > 1).length;
}

it.each([
  ["random ways", 0],
  ["closed", 0],
  ["same way", 0],
  ["noise 15", 0],
  ["noise 40", 0],
  ["noise 60", 1],
  // A device that knows nothing chooses by the server's list alone.
  ["fresh", 4],
  ["two devices", 2],
])("whoever lives thirty nights as in %s is seen in one cell at home, but for %d of 100", (life, most) => {
  expect(flipped(life, 100)).toBeLessThanOrEqual(most);
});
