import { as } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
  // A community large enough that draws go by random places.
  const admin = await as(worker, { adminBrand: "ember" });
  for (let index = 0; index < 3; index += 1) await admin.send("POST", "/api/admin/testUsersCreate/1000");
  await worker.env.DB.batch([
    worker.env.DB.prepare(
      `insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated)
       select id, 'public', 800, 1000, 1, 1, 1 from profile`,
    ),
    worker.env.DB.prepare(
      "update profile set pics_public = (select json_group_array(id) from picture where profile_id = profile.id)",
    ),
  ]);
});

/** Trips and rows of one call. A draw is a pack of ten: it looks at 14 random places, each some ids wide. */
const BUDGETS: readonly [method: "GET" | "POST", path: string, trips: number, rows: number][] = [
  ["GET", "/api/games/rating/record", 3, 20],
  ["GET", "/api/credits", 3, 20],
  ["GET", "/api/arbitration", 3, 20],
  ["GET", "/api/standing", 5, 40],
  ["GET", "/api/games/cooties", 3, 40],
  ["GET", "/api/games/photocrop", 3, 20],
  ["GET", "/api/reports/mine", 3, 20],
  ["POST", "/api/games/ratinggame/draw", 5, 360],
  ["POST", "/api/games/gptbuster/draw", 5, 540],
  ["POST", "/api/games/hotornot/draw", 5, 160],
  ["POST", "/api/games/identify/start", 7, 220],
];

it.each(BUDGETS)("%s %s stays within %i trips and %i rows", async (method, path, trips, rows) => {
  const member = await as(worker);
  const answer = method === "GET" ? await member.fetch(path) : await member.send("POST", path, {});
  expect(answer.status).toBe(200);
  const cost = {
    trips: Number(answer.headers.get("x-d1-trips")),
    rows: Number(answer.headers.get("x-d1-rows-read")),
  };
  expect(cost.trips, JSON.stringify(cost)).toBeLessThanOrEqual(trips);
  expect(cost.rows, JSON.stringify(cost)).toBeLessThanOrEqual(rows);
});
