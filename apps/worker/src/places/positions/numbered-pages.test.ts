import { characteristicsToBits } from "@lambda/contract/characteristics";
import type { NearbyBrief } from "@lambda/contract/positions";
import { keyOfPoint } from "@lambda/geo/curve";
import type { OpenApi } from "@lambda/testing/fuzz";
import type { TestMember } from "@lambda/testing/member";
import { createMemberAt, placeMembers, readCost } from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { HOURLY } from "../../schedule.ts";

const CENTER = { lat: 33.5, lon: -112.5 };
const MEMBERS = 420;
const LISTS = [
  "nearest?",
  "nearest?characteristics=leather&",
  "nearest?onlineNow=true&",
  "nearest?hasPicture=true&",
  "nearest?ageMin=50&",
  "nearest?unjudged=true&",
  "nearest?likedMyProfile=true&",
  "nearest?maxDistanceMeters=30000&ageMax=40&",
  "by-bounds?latMin=33&latMax=34&lonMin=-113&lonMax=-112&",
  "by-sector/33:-113?",
];

let worker: TestWorker;
let viewer: TestMember;
beforeEach(async () => {
  worker = await startWorker();
  viewer = await createMemberAt(worker, CENTER);
  await placeMembers(
    worker,
    Array.from({ length: MEMBERS }, (_, index) => {
      const angle = index * 2.399_963;
      const radius = 0.4 * Math.sqrt((index + 1) / MEMBERS);
      const point = { lat: CENTER.lat + radius * Math.sin(angle), lon: CENTER.lon + radius * Math.cos(angle) };
      return [viewer.id + 1 + index, keyOfPoint(point)] as const;
    }),
  );
  const update = (set: string, ...values: unknown[]) =>
    worker.env.DB.prepare(`update profile set ${set}`)
      .bind(viewer.id, ...values)
      .run();
  // Few, all of them far away, as on a site where the nearest hundreds match nothing.
  await update("characteristics = ?2 where id > ?1 + 250 and (id - ?1) % 12 = 0", characteristicsToBits(["leather"]));
  await update("ts_seen = ?2 where id > ?1 and (id - ?1) % 10 = 0", Date.now());
  await update("ts_seen = 0 where id > ?1 and (id - ?1) % 10 > 0");
  await update("pics_public = '[5]' where id > ?1 + 400");
  await update("birthdate = '1960-01-01' where id > ?1 and (id - ?1) % 2 = 0");
  await worker.runCron(HOURLY);
});

async function readPage(path: string) {
  const response = await viewer.fetch(`/api/profile-briefs/${path}`);
  expect(response.status).toBe(200);
  const ids = ((await response.json()) as NearbyBrief[]).map(({ profileId }) => profileId - viewer.id);
  return { ids, rows: readCost(response, "rows-read"), cursor: response.headers.get("x-next-cursor") };
}

/** Reads until a page is empty, as a client does that knows numbers only. */
async function readNumbered(list: string, size: number, between: () => Promise<unknown> = async () => {}) {
  const found: number[] = [];
  for (let page = 0; ; page += 1) {
    const { ids } = await readPage(`${list}size=${size}&page=${page}`);
    if (ids.length === 0) return found;
    found.push(...ids);
    await between();
  }
}

async function readByCursor(list: string, size: number) {
  const found: number[] = [];
  for (let next = ""; ; ) {
    const { ids, cursor } = await readPage(`${list}size=${size}${next}`);
    found.push(...ids);
    if (!cursor) return found;
    next = `&cursor=${cursor}`;
  }
}

/** Moves a member as a report of another isolate would. */
const move = (id: number, lat: number) =>
  worker.env.DB.prepare("update position set key = ? where profile_id = ?")
    .bind(keyOfPoint({ lat, lon: CENTER.lon }), viewer.id + id)
    .run();

describe("numbered pages", () => {
  it.each(LISTS)("hold everybody whom cursors find, each once: %s", async (list) => {
    const all = await readByCursor(list, 100);
    expect(new Set(all).size).toBe(all.length);
    if (list.includes("likedMyProfile")) expect(all).toEqual([]);
    else expect(all.length).toBeGreaterThanOrEqual(14);
    for (const size of [10, 30, 100]) expect(await readNumbered(list, size), `size ${size}`).toEqual(all);
    expect(await readByCursor(list, 10)).toEqual(all);
  });

  it.each(["nearest?", "nearest?ageMin=50&", "by-sector/33:-113?"])(
    "lose and repeat nobody who stays while others move: %s",
    async (list) => {
      const movers = [390, 400, 410, 420, 380, 370];
      const left = [...movers];
      const stayed = (await readByCursor(list, 100)).filter((id) => !movers.includes(id));
      // Each comes to the beginning of the list, which pushes everybody behind across the end of a page.
      const found = await readNumbered(list, 30, async () => {
        const id = left.pop();
        if (id !== undefined) await move(id, list.startsWith("by-sector") ? 33.000_1 : CENTER.lat);
      });
      expect(found.filter((id) => !movers.includes(id))).toEqual(stayed);
    },
  );

  it("cost what the same page costs by cursor", async () => {
    // An isolate's first search of an area also reads the density.
    await readPage("nearest?size=30");
    const numbered: number[] = [];
    for (let page = 0; page < 12; page += 1) numbered.push((await readPage(`nearest?size=30&page=${page}`)).rows);
    const byCursor: number[] = [];
    let next = "";
    for (let page = 0; page < 12; page += 1) {
      const { rows, cursor } = await readPage(`nearest?size=30${next}`);
      byCursor.push(rows);
      next = `&cursor=${cursor}`;
    }
    for (const [page, rows] of numbered.entries())
      expect(rows, JSON.stringify({ numbered, byCursor })).toBeLessThanOrEqual(1.1 * byCursor[page]!);
  });

  it("name the header of the cursor in the API's description", async () => {
    const { paths } = (await (await viewer.fetch("/api/openapi.json")).json()) as OpenApi;
    for (const path of ["nearest", "by-bounds", "by-sector/{lat}:{lon}"]) {
      const { responses } = paths[`/api/profile-briefs/${path}`]!.get as unknown as {
        responses: Record<string, { headers?: object }>;
      };
      expect(Object.keys(responses["200"]?.headers ?? {}), path).toEqual(["X-Next-Cursor"]);
    }
  });
});
