import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { getBrand } from "@lambda/brands";
import { DAY_MS, HOUR_MS } from "@lambda/contract/limits";
import { VISITOR_COUNT_STEPS, type VisitorMap } from "@lambda/contract/visitor-map";
import { insertMembers, type MemberOverrides } from "@lambda/testing/members";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { HOURLY } from "../../schedule.ts";
import { districtsIn, drawTaken, frameAround, shownStep, toRing } from "./districts.ts";

const STREETS = fileURLToPath(
  new URL("../../../../../packages/tooling/data/san-francisco.pmtiles", import.meta.url).href,
);
const NOW = Date.now();
const EMBER = getBrand("ember");
const [district] = districtsIn(frameAround(EMBER.firstCity));

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
  await worker.env.TILES.put("tiles/san-francisco.pmtiles", await readFile(STREETS));
});

interface Man extends MemberOverrides {
  readonly use?: string;
  readonly key?: number;
}

/** Men with a place in the first district of the frame, who joined long ago. */
async function putMen(count: number, { use = "OVERRIDE", key = district!.lo, ...man }: Man = {}): Promise<number[]> {
  const men = await insertMembers(
    worker.run,
    Array.from({ length: count }, () => ({ created: NOW - 90 * DAY_MS, seen: NOW, ...man })),
  );
  const ids = men.map(({ id }) => id);
  await worker.run(
    ...ids.map((id) => ({
      query: `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
        values (?, ?, 'street', 0, ?, ?, ?)`,
      values: [id, use, key, NOW, NOW + HOUR_MS],
    })),
  );
  return ids;
}

async function draw(now = NOW): Promise<VisitorMap | undefined> {
  await worker.runCron(HOURLY, now);
  const response = await worker.fetch("/visitor-map.json");
  return response.status === 200 ? ((await response.json()) as VisitorMap) : undefined;
}

describe("who counts on a visitor's map", () => {
  it("shows men who are many and seen by every member, by steps, with neither names nor finer places", async () => {
    await putMen(130);
    const map = await draw();
    expect(map).toEqual([{ x: expect.any(Number), y: expect.any(Number), men: 100 }]);
  });

  it.each<[string, Man]>([
    ["hidden", { hidden: true }],
    ["discreet", { discreet: true }],
    ["banned", { status: "banned" }],
    ["suspended", { status: "suspended" }],
    ["deleted", { status: "deleted" }],
    ["without a birthdate", { birthdate: null }],
    ["new here", { created: NOW - 10 * DAY_MS }],
    ["placed at random", { use: "RANDOM" }],
    ["of a sister site", { brand: "harbor", sharedOn: 3 }],
    ["elsewhere", { key: district!.hi }],
  ])("leaves out who is %s", async (_, man) => {
    await putMen(19);
    await putMen(40, man);
    const { x, y } = toRing(district!, 0, frameAround(EMBER.firstCity));
    const here = ((await draw()) ?? []).filter((ring) => ring.x === x && ring.y === y);
    expect(here.every(({ men }) => men <= 10)).toBe(true);
  });

  it("leaves out travelers: whoever is or was in a country that punishes, and whoever is on a trip", async () => {
    const ids = await putMen(60);
    const day = Math.floor(NOW / DAY_MS);
    await worker.run(
      ...ids.slice(0, 30).map((id) => ({
        query:
          "insert into travel_stay (profile_id, country, shown, hid_member, ts_seen) values (?, 'EG', 'usual', 0, ?)",
        values: [id, NOW],
      })),
      ...ids.slice(30).map((id) => ({
        query: "insert into trip (profile_id, name, cell, key, day_from, day_to) values (?, 'x', 0, 0, ?, ?)",
        values: [id, day, day],
      })),
    );
    expect(await draw()).toEqual([]);
  });

  it("draws no map where there are no streets", async () => {
    await worker.env.TILES.delete("tiles/san-francisco.pmtiles");
    await putMen(100);
    expect(await draw()).toBeUndefined();
    expect((await worker.fetch("/visitor-map.svg")).status).toBe(204);
  });

  it("is the same for the whole day, whoever comes, hides or asks", async () => {
    const ids = await putMen(130);
    const before = await draw();
    await worker.run({ query: "update profile set hidden = 1 where id <= ?", values: [ids[99]!] });
    await putMen(300, { key: districtsIn(frameAround(EMBER.firstCity))[9]!.lo });
    expect(await draw()).toEqual(before);
    expect(await draw(NOW + DAY_MS)).not.toEqual(before);
  });

  it("draws the streets as numbers and shades", async () => {
    await draw();
    const response = await worker.fetch("/visitor-map.svg");
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    const svg = await response.text();
    expect(svg).toMatch(/^<svg [^>]*>(<path [a-z-]+="[^"<]*"[^>]*\/>)+<\/svg>$/);
    expect(svg.length).toBeGreaterThan(10_000);
  });
});

describe("an attacker with ten accounts who looks for one man", () => {
  /** How likely each step is, over what may be taken away. */
  const distribution = (men: number) => {
    const chances = new Map<number | undefined, number>();
    for (let one = 0; one < 10; one += 1) {
      for (let other = 0; other < 10; other += 1) {
        const step = shownStep(men, one + other);
        chances.set(step, (chances.get(step) ?? 0) + 0.01);
      }
    }
    return chances;
  };

  it("never sees fewer than ten men, nor a count that is not a step", () => {
    for (let men = 0; men < 600; men += 1) {
      for (let taken = 0; taken <= 18; taken += 1) {
        const step = shownStep(men, taken);
        expect(step === undefined || (step >= 10 && step <= men)).toBe(true);
        expect(step === undefined || (VISITOR_COUNT_STEPS as readonly number[]).includes(step)).toBe(true);
      }
    }
  });

  it("learns of his coming or going on one day in ten at most, however many of the others are the attacker's own", () => {
    for (let men = 0; men < 600; men += 1) {
      const [without, withHim] = [distribution(men), distribution(men + 1)];
      const steps = new Set([...without.keys(), ...withHim.keys()]);
      const advantage = [...steps].reduce(
        (sum: number, step) => sum + Math.max(0, (withHim.get(step) ?? 0) - (without.get(step) ?? 0)),
        0,
      );
      expect(advantage).toBeLessThanOrEqual(0.1 + 1e-9);
    }
  });

  it("cannot predict what is taken away", () => {
    const drawn = Array.from({ length: 2000 }, drawTaken);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(18);
    expect(new Set(drawn).size).toBeGreaterThan(15);
  });

  it("gains nothing with new accounts, which fill no district", async () => {
    await putMen(9);
    await putMen(40, { created: NOW - DAY_MS });
    expect(await draw()).toEqual([]);
  });
});
