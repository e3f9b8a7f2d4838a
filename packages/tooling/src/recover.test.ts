import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { messageSchema } from "@lambda/testing/message-databases";
import { ROOT } from "@lambda/testing/site";
import { expect, it } from "vitest";
import {
  allowSweepOrder,
  countLostQuery,
  ID_STEP,
  NEWEST_MESSAGE_QUERY,
  RAISE_IDS,
  RECOPY_CONVERSATIONS,
  restoreTrashOrder,
} from "./backup/orders.ts";

it("raises the ids of all tables after a restore, and can be repeated", () => {
  const database = new DatabaseSync(":memory:");
  database.exec(readFileSync(`${ROOT}schema.sql`, "utf8"));
  // Simulates a restore: clients may remember ids above 500.
  const write = (columns: string, values: string) =>
    database.exec(
      `insert into contact_message (kind, brand, name, message, ts_created${columns}) values ('contact', 'ember', '', '', 1${values})`,
    );
  write(", id", ", 500");
  for (let run = 0; run < 2; run += 1) database.exec(RAISE_IDS);
  write("", "");
  expect(database.prepare("select max(id) as id from contact_message").get()).toEqual({ id: 500 + 2 * ID_STEP + 1 });
  const notRaised = database.prepare(
    `select name from sqlite_master m where sql like '%AUTOINCREMENT%' and type = 'table'
      and coalesce((select seq from sqlite_sequence q where q.name = m.name), 0) < ?`,
  );
  expect(notRaised.all(ID_STEP)).toEqual([]);
});

it("gives a restored message database newer versions than any copy, and counts lost conversations", () => {
  const schema = readFileSync(`${ROOT}schema.sql`, "utf8");
  const main = new DatabaseSync(":memory:");
  main.exec(schema);
  const messages = new DatabaseSync(":memory:");
  messages.exec(messageSchema(schema));
  messages.exec("INSERT INTO message_pair (low_id, high_id, version, synced_version) VALUES (1, 2, 5, 5)");
  const id = 2 ** 45 + 3;
  messages.exec(`INSERT INTO message (id, sender_id, recipient_id, low_id, high_id, client_id, brand, ts_created)
    VALUES (${id}, 1, 2, 1, 2, 'a', 'ember', 1)`);
  // The main database knows a later message, one of another database, and one of its own.
  main.exec(
    `INSERT INTO conversation VALUES (1, 2, ${id + 64}, 0), (2, 1, ${id}, 0), (1, 3, ${id + 65}, 0), (3, 1, 7, 0)`,
  );
  const newest = Number(messages.prepare(NEWEST_MESSAGE_QUERY).get()?.newest);
  expect(main.prepare(countLostQuery(3, newest)).get()).toEqual({ lost: 1 });
  messages.exec(RECOPY_CONVERSATIONS);
  expect(
    messages
      .prepare("SELECT count(*) AS n FROM message_pair WHERE version > 1000000 AND version > synced_version")
      .get(),
  ).toEqual({
    n: 1,
  });
});

it("validates the day of a trash order, and limits the allowance of a sweep", () => {
  expect(() => restoreTrashOrder("yesterday", "")).toThrow("no day");
  expect(JSON.parse(restoreTrashOrder("2026-11-20", "pictures/").body)).toEqual({
    since: "2026-11-20",
    prefix: "pictures/",
  });
  expect(JSON.parse(allowSweepOrder(0).body)).toEqual({ until: 2 * 86_400_000 });
});
