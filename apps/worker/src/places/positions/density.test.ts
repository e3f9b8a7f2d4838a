import type { NearbyBrief } from "@lambda/contract/positions";
import { isWithinBounds } from "@lambda/geo/cover";
import { type CurveKey, KEY_END, keyOfPoint, pointOfKey } from "@lambda/geo/curve";
import { Density } from "@lambda/geo/density";
import type { Bounds } from "@lambda/geo/distance";
import { createMember, type TestMember } from "@lambda/testing/member";
import { PHOENIX, placeMembers } from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../platform/db/database.ts";
import { EVERY_MINUTE, HOURLY } from "../../schedule.ts";
import { readDensity, runDensityRebuild } from "./density.ts";

let worker: TestWorker;
let viewer: TestMember;
let firstId: number;
beforeEach(async () => {
  worker = await startWorker();
  viewer = await createMember(worker);
  firstId = viewer.id + 1;
});

const place = (keys: readonly number[], from = firstId) =>
  placeMembers(
    worker,
    keys.map((key, index) => [from + index, key]),
  );

/** A fixed town: dense in the middle, thin outside. */
const town = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const angle = index * 2.399_963;
    const radius = (0.15 * index) / count;
    return keyOfPoint({ lat: PHOENIX.lat + radius * Math.sin(angle), lon: PHOENIX.lon + radius * Math.cos(angle) });
  });

const boxAround = (north: number, east: number, height: number): Bounds => ({
  latMin: PHOENIX.lat + north - height / 2,
  latMax: PHOENIX.lat + north + height / 2,
  lonMin: PHOENIX.lon + east - height,
  lonMax: PHOENIX.lon + east + height,
});

const BOXES = [
  boxAround(0, 0, 0.004),
  boxAround(0.01, 0.02, 0.02),
  boxAround(-0.05, 0.03, 0.1),
  boxAround(0.1, 0.1, 0.1),
  boxAround(0, 0, 0.5),
  boxAround(0, 0, 20),
];

interface Results {
  readonly ids: number[];
  readonly next: string | null;
  readonly rowsRead: number;
}

async function searchBox(box: Bounds, more = ""): Promise<Results> {
  const query = new URLSearchParams(Object.entries(box).map(([name, value]) => [name, String(value)]));
  const response = await viewer.fetch(`/api/profile-briefs/by-bounds?${query}${more}`);
  const ids = ((await response.json()) as NearbyBrief[]).map(({ profileId }) => profileId);
  return {
    ids: ids.sort((a, b) => a - b),
    next: response.headers.get("x-next-cursor"),
    rowsRead: Number(response.headers.get("x-d1-rows-read")),
  };
}

/** Rows that reading the session takes. */
const SESSION_ROWS = 3;

const idsInside = (keys: readonly CurveKey[], box: Bounds) =>
  keys.flatMap((key, index) => (isWithinBounds(pointOfKey(key), box) ? [firstId + index] : []));

it("does not change the results of a box, even when outdated, and saves reading other rows", async () => {
  const keys = town(450);
  await place(keys);
  for (const box of BOXES) expect((await searchBox(box)).ids).toEqual(idsInside(keys, box));
  await worker.runCron(HOURLY);
  for (const box of BOXES) {
    const { ids, rowsRead } = await searchBox(box);
    expect(ids).toEqual(idsInside(keys, box));
    expect(rowsRead - SESSION_ROWS).toBeLessThanOrEqual(1.1 * ids.length + 20);
  }
  // Everybody moves: the prediction is wrong now, and the results are not.
  const moved = keys.map((key) => keyOfPoint({ lat: pointOfKey(key).lat + 0.06, lon: pointOfKey(key).lon - 0.05 }));
  const pairs = JSON.stringify(moved.map((key, index) => [firstId + index, key]));
  await worker.env.DB.prepare(
    "update position set key = j.value ->> 1 from json_each(?) j where profile_id = j.value ->> 0",
  )
    .bind(pairs)
    .run();
  for (const box of BOXES) expect((await searchBox(box)).ids).toEqual(idsInside(moved, box));
});

it("lets a page stop reading where it is full, and the next one continue there", async () => {
  const keys = town(450);
  await place(keys);
  await worker.runCron(HOURLY);
  const box = boxAround(0, 0, 0.2);
  const found: number[] = [];
  let next: string | null = "";
  while (next !== null) {
    const response: Results = await searchBox(box, `&size=100${next && `&cursor=${next}`}`);
    expect(response.rowsRead - SESSION_ROWS).toBeLessThanOrEqual(1.1 * response.ids.length + 20);
    found.push(...response.ids);
    next = response.next;
  }
  expect(found.sort((a, b) => a - b)).toEqual(idsInside(keys, box));
});

it("covers the whole curve with rows of 8,000 members, stores only squares, and drops members who left", async () => {
  const { DB } = worker.env;
  const keys = town(9000).map((key, index) => key + (index % 7));
  for (let from = 0; from < keys.length; from += 3000) await place(keys.slice(from, from + 3000), firstId + from);
  await worker.runCron(HOURLY);
  const densityRows = async () =>
    (
      await DB.prepare("select key, key_end, squares from presence_density where brand = 1 order by key").all<{
        key: number;
        key_end: number;
        squares: string;
      }>()
    ).results;
  const [first, second, ...more] = await densityRows();
  expect(more).toEqual([]);
  expect([first?.key, first?.key_end, second?.key_end]).toEqual([0, second?.key, KEY_END]);
  const everything = { lo: 0, hi: KEY_END };
  const density = await readDensity(openDatabase(DB), { brandBit: 1, now: Date.now() }, [everything], 0);
  expect(density.expectedIn(everything)).toBe(9000);
  // The center of a square of 128 units, or 109 m.
  expect([...density.membersIn(everything)].every((middle) => middle % 2 ** 14 === 2 ** 13)).toBe(true);
  const sorted = [...keys].sort((a, b) => a - b);
  expect([...density.membersIn(everything)].map((middle) => Math.floor(middle / 2 ** 14))).toEqual(
    sorted.map((key) => Math.floor(key / 2 ** 14)),
  );

  await DB.prepare("update profile set hidden = 1").run();
  await worker.runCron(HOURLY);
  expect(await densityRows()).toEqual([{ key: 0, key_end: KEY_END, squares: "" }]);
});

it("expects the given density where nothing is known", () => {
  const density = new Density([{ lo: 100, hi: 200 }], Float64Array.of(110, 150, 150), 0.5);
  expect(density.expectedIn({ lo: 100, hi: 200 })).toBe(3);
  expect(density.expectedIn({ lo: 140, hi: 150 })).toBe(0);
  expect(density.expectedIn({ lo: 190, hi: 220 })).toBe(10);
  expect(density.expectedIn({ lo: 0, hi: 300 })).toBe(103);
});

it("is rebuilt in slices if one run is not enough, and later cron runs continue", async () => {
  await place(town(450));
  const rows = () =>
    worker.env.DB.prepare("select brand, key, key_end from presence_density order by brand, key").all();
  await worker.runCron(HOURLY);
  const whole = (await rows()).results;
  expect(whole.length).toBeGreaterThan(1);
  await worker.env.DB.exec("delete from presence_density");
  const statements = { count: 0 };
  const counted = Object.assign(Object.create(worker.env), {
    DB: Object.assign(Object.create(worker.env.DB), {
      batch: (...list: Parameters<D1Database["batch"]>) => {
        statements.count += list[0].length;
        return worker.env.DB.batch(...list);
      },
    }),
  });
  await runDensityRebuild(counted, "start", 1);
  expect(statements.count).toBeLessThanOrEqual(3);
  expect((await rows()).results).toEqual(whole.slice(0, 1));
  await worker.runCron(EVERY_MINUTE);
  expect((await rows()).results).toEqual(whole);
  // Nothing is left to continue.
  await worker.env.DB.exec("delete from presence_density");
  await worker.runCron(EVERY_MINUTE);
  expect((await rows()).results).toEqual([]);
});
