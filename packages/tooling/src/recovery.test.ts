import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { ROOT } from "@lambda/testing/site";
import { expect, it } from "vitest";
import { allowSweep, ID_STEP, LIFT_IDS, orderTrashBack } from "./recovery.ts";

it("no id is given out twice after a restore, in whatever table, and a second lift does no harm", () => {
  const database = new DatabaseSync(":memory:");
  database.exec(readFileSync(`${ROOT}schema.sql`, "utf8"));
  // The restored moment: clients remember what came after 500.
  const write = (columns: string, values: string) =>
    database.exec(
      `insert into contact_message (kind, brand, name, message, ts_created${columns}) values ('contact', 'ember', '', '', 1${values})`,
    );
  write(", id", ", 500");
  for (const _twice of [1, 2]) database.exec(LIFT_IDS);
  write("", "");
  expect(database.prepare("select max(id) as id from contact_message").get()).toEqual({ id: 500 + 2 * ID_STEP + 1 });
  const left = database.prepare(
    `select name from sqlite_master m where sql like '%AUTOINCREMENT%' and type = 'table'
      and coalesce((select seq from sqlite_sequence q where q.name = m.name), 0) < ?`,
  );
  expect(left.all(ID_STEP)).toEqual([]);
});

it("orders name a day, and an allowance ends", () => {
  expect(() => orderTrashBack("yesterday", "")).toThrow("no day");
  expect(JSON.parse(orderTrashBack("2026-11-20", "pictures/").body)).toEqual({
    since: "2026-11-20",
    prefix: "pictures/",
  });
  expect(JSON.parse(allowSweep(0).body)).toEqual({ until: 2 * 86_400_000 });
});
