import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { parse } from "smol-toml";
import { expect, it } from "vitest";
import { listMessageDatabases, messageSchema, withMessageDatabases } from "./message-databases.ts";
import { ROOT } from "./site.ts";
import { startWorker } from "./worker.ts";

const SCHEMA = readFileSync(`${ROOT}schema.sql`, "utf8");

it("the schema of a message database refers to no other tables", () => {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(messageSchema(SCHEMA));
  const tables = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  const names = tables.map(({ name }) => String(name)).filter((name) => !name.startsWith("sqlite_"));
  expect(names).toEqual(["conversation", "message", "message_pair", "protective_act"]);
  for (const name of names)
    expect(sqlite.prepare(`SELECT * FROM pragma_foreign_key_list('${name}')`).all()).toEqual([]);
  // SQLite compiles a trigger's statements only when it fires.
  sqlite.exec(`INSERT INTO message (sender_id, recipient_id, low_id, high_id, client_id, brand, ts_created)
    VALUES (1, 2, 1, 2, 'a', 'ember', 1);
    UPDATE message SET ts_unsent = 2, body_text = '', picture_ids = '[]', attachment = NULL;
    DELETE FROM message; DELETE FROM message_pair; DELETE FROM conversation;`);
});

it("wrangler.toml can have any number of message databases", () => {
  const text = readFileSync(`${ROOT}wrangler.toml`, "utf8");
  const boundNumbers = (count: number) =>
    listMessageDatabases(
      (
        parse(withMessageDatabases(text, count)) as unknown as {
          d1_databases: Parameters<typeof listMessageDatabases>[0];
        }
      ).d1_databases,
    ).map(({ number }) => number);
  expect([boundNumbers(0), boundNumbers(1), boundNumbers(3)]).toEqual([[], [1], [1, 2, 3]]);
});

it("a test worker starts with the given number of empty message databases, and runs each statement on the right one", {
  timeout: 120_000,
}, async () => {
  const pairRow = (low: number, database: number) => ({
    query: `insert into message_pair (low_id, high_id) values (${low}, 9)`,
    database,
  });
  const count = (database: number) => ({ query: "select count(*) as n from message_pair", database });
  for (const _ of [1, 2]) {
    const { run, env } = await startWorker({ messageDatabases: 3 });
    expect([env.MESSAGES_3, env.MESSAGES_4].map((d1) => d1 !== undefined)).toEqual([true, false]);
    await run(pairRow(1, 3), pairRow(2, 1), pairRow(3, 3));
    const results = await run(count(1), count(2), count(3));
    expect(results.map(([row]) => row?.n)).toEqual([1, 0, 2]);
  }
  const { run, env } = await startWorker();
  expect(env.MESSAGES_1).toBeUndefined();
  await expect(run(count(1))).rejects.toThrow("no database 1");
});
