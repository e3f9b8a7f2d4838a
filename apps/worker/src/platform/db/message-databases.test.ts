import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import type { Env } from "../env.ts";
import { openDatabase } from "./database.ts";
import {
  databaseNumberOf,
  firstIdAt,
  isTimestampId,
  messageDatabases,
  nextMessageId,
  openMessageDatabases,
} from "./message-databases.ts";

const NOW = Date.UTC(2026, 10, 23);
const kysely = openDatabase({} as D1Database);

function databaseOf(number: number) {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec("create table message (id integer primary key)");
  return (now: number): number => {
    const { sql, parameters } = nextMessageId(number, now).compile(kysely);
    const insert = sqlite.prepare(`insert into message (id) select ${sql} returning id`);
    return (insert.get(...(parameters as number[])) as { id: number }).id;
  };
}

it("creates increasing ids from the time and the database", () => {
  for (const number of [0, 1, 63]) {
    const next = databaseOf(number);
    const ids = [next(NOW), next(NOW), next(NOW - 5000), next(NOW + 1), next(NOW + 60_000)];
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.map(databaseNumberOf)).toEqual(ids.map(() => number));
    expect(ids[0]).toBe(firstIdAt(NOW) + number);
    expect(ids[4]).toBe(firstIdAt(NOW + 60_000) + number);
  }
});

it("maps ids assigned by SQLite to the main database", () => {
  expect([1, 77, 1_000_000].map((id) => [databaseNumberOf(id), isTimestampId(id)])).toEqual(Array(3).fill([0, false]));
  expect(isTimestampId(firstIdAt(NOW))).toBe(true);
  expect(Number.isSafeInteger(firstIdAt(Date.UTC(2089, 0)))).toBe(true);
});

it("opens only bound message databases", async () => {
  const env = { DB: { name: "main" }, MESSAGES_1: { name: "one" }, MESSAGES_7: { name: "seven" } } as unknown as Env;
  expect([...messageDatabases(env).keys()]).toEqual([1, 7]);
  const opened = openMessageDatabases(env);
  expect(opened.numbers).toEqual([1, 7]);
  expect(opened.open(7).d1).toBe(env.MESSAGES_7);
  expect(() => opened.open(2)).toThrow("no message database 2");
});
