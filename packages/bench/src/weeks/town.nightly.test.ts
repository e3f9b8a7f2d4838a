import { distanceMeters, type Point } from "@lambda/geo/distance";
import { expect, it } from "vitest";
import { PRODUCT, SimulatedTown } from "../privacy/simulated-town.ts";
import { liveNights } from "./nights.ts";
import { PRODUCT_RULE } from "./rules.ts";
import { WATCHES } from "./scenarios.ts";
import { ACCURACY, away, pointOf, worldOf } from "./world.ts";

const MEMBERS = 25;
const FIXES = 40;
/** Published points are rounded to the curve by less than this. */
const CURVE_METERS = 1;

it("the simulated weeks match the worker's own procedures", async () => {
  const town = await SimulatedTown.open(PRODUCT, 10);
  const { random, center } = town;
  let [equal, moves] = [0, 0];
  for (let member = 0; member < MEMBERS; member += 1) {
    const id = await town.addAccount();
    const subject = PRODUCT_RULE.subject(town.latticesOf(id), center);
    let at = away({ x: 0, y: 0 }, 3000, random);
    let previous: Point | undefined;
    for (let index = 0; index < FIXES; index += 1) {
      // The member rests, walks, or appears elsewhere, one minute to ten hours later.
      at = away(at, [0, 40, 300, 700, 2000][random.int(5)]!, random);
      town.now += [1, 5, 16, 40, 600][random.int(5)]! * 60_000;
      const precision = random.int(10) === 0 ? "district" : "street";
      const fix = pointOf(away(at, 40 * random.next(), random), center);
      await town.publishDue();
      await town.reportFix(id, fix, { precision, accuracyMeters: ACCURACY * 15 });
      subject.fix({ point: fix, precision, now: town.now, accuracyMeters: ACCURACY * 15 });
      const { lat, lon } = (await town.as(id).mine({ profileId: id }))!;
      if (distanceMeters({ lat, lon }, pointOf(subject.observe(town.now), center)) < CURVE_METERS) equal += 1;
      if (!previous || distanceMeters(previous, { lat, lon }) > 1) moves += 1;
      previous = { lat, lon };
    }
  }
  town.close();
  expect(equal).toBe(MEMBERS * FIXES);
  expect(moves).toBeGreaterThan(MEMBERS * 4);
});

const LIVES = new Map(WATCHES.map(({ life }) => [life.name, life]));

/** How many of `members` were seen in more than one cell at home during thirty nights, ignoring the first. */
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
  // After a new login, the device only has the server's list.
  ["fresh", 4],
  ["two devices", 2],
])("members in the scenario %s are seen in one cell at home, except at most %d of 100", (life, max) => {
  expect(flipped(life, 100)).toBeLessThanOrEqual(max);
});
