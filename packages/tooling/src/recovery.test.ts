import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it } from "vitest";
import { allowSweep, ID_STEP, LIFT_IDS, orderTrashBack } from "./recovery.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

it("no id is given out twice after a restore, in whatever table, and a second lift does no harm", async () => {
  const insert = "insert into known_picture_probe default values returning id";
  const { DB } = worker.env;
  await DB.exec("create table known_picture_probe (id integer primary key autoincrement, n integer)");
  await DB.exec("create table empty_probe (id integer primary key autoincrement, n integer)");
  await DB.exec(`insert into known_picture_probe (id) values (500)`);
  // The restored moment: what came after 500 is forgotten, and members remember 501 to 600.
  for (const _twice of [1, 2]) for (const statement of LIFT_IDS.split(";\n")) await DB.prepare(statement).run();
  expect(await DB.prepare(insert).first("id")).toBe(500 + 2 * ID_STEP + 1);
  const after = await DB.prepare("insert into empty_probe default values returning id").first<number>("id");
  expect(after).toBeGreaterThan(ID_STEP);
  const { results } = await DB.prepare(
    `select m.name from sqlite_master m where m.sql like '%AUTOINCREMENT%' and m.type = 'table'
      and coalesce((select seq from sqlite_sequence q where q.name = m.name), 0) < ?`,
  )
    .bind(ID_STEP)
    .all();
  expect(results).toEqual([]);
});

it("orders name a day, and an allowance ends", () => {
  expect(() => orderTrashBack("yesterday", "")).toThrow("no day");
  expect(JSON.parse(orderTrashBack("2026-11-20", "pictures/").body)).toEqual({
    since: "2026-11-20",
    prefix: "pictures/",
  });
  expect(JSON.parse(allowSweep(0).body)).toEqual({ until: 2 * 86_400_000 });
});
