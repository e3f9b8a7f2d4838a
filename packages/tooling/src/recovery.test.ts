import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { messageSchema } from "@lambda/testing/message-databases";
import { ROOT } from "@lambda/testing/site";
import { expect, it } from "vitest";
import { allowSweep, COPY_AGAIN, countLost, ID_STEP, LIFT_IDS, NEWEST_MESSAGE, orderTrashBack } from "./recovery.ts";

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

it("a database for messages that was brought back has newer versions than any copy, and what it lost is counted", () => {
  const schema = readFileSync(`${ROOT}schema.sql`, "utf8");
  const main = new DatabaseSync(":memory:");
  main.exec(schema);
  const messages = new DatabaseSync(":memory:");
  messages.exec(messageSchema(schema));
  messages.exec("INSERT INTO talk (low_id, high_id, version, told) VALUES (1, 2, 5, 5)");
  const id = 2 ** 45 + 3;
  messages.exec(`INSERT INTO message (id, sender_id, recipient_id, low_id, high_id, client_id, brand, ts_created)
    VALUES (${id}, 1, 2, 1, 2, 'a', 'ember', 1)`);
  // The main one heard of a later message, of one of another database, and of one of its own.
  main.exec(
    `INSERT INTO conversation VALUES (1, 2, ${id + 64}, 0), (2, 1, ${id}, 0), (1, 3, ${id + 65}, 0), (3, 1, 7, 0)`,
  );
  const newest = Number(messages.prepare(NEWEST_MESSAGE).get()?.newest);
  expect(main.prepare(countLost(3, newest)).get()).toEqual({ lost: 1 });
  messages.exec(COPY_AGAIN);
  expect(messages.prepare("SELECT count(*) AS n FROM talk WHERE version > 1000000 AND version > told").get()).toEqual({
    n: 1,
  });
});

it("orders name a day, and an allowance ends", () => {
  expect(() => orderTrashBack("yesterday", "")).toThrow("no day");
  expect(JSON.parse(orderTrashBack("2026-11-20", "pictures/").body)).toEqual({
    since: "2026-11-20",
    prefix: "pictures/",
  });
  expect(JSON.parse(allowSweep(0).body)).toEqual({ until: 2 * 86_400_000 });
});
