import { DatabaseSync } from "node:sqlite";
import { createSqliteD1 } from "@lambda/testing/d1";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { meterDatabase } from "../metering/meter-database.ts";
import { openDatabase } from "./database.ts";

function open() {
  const cost = { trips: 0, rowsRead: 0, rowsWritten: 0 };
  const db = openDatabase(meterDatabase(createSqliteD1(new DatabaseSync(":memory:")), cost));
  const read = async (number: number) => (await sql<{ n: number }>`select ${number} as n`.execute(db)).rows[0]?.n;
  return { db, cost, read };
}

it("sends concurrent reads in one round trip and returns each its own result", async () => {
  const { cost, read } = open();
  // As after a middleware that resolves immediately.
  const later = async (number: number) => {
    await null;
    return read(number);
  };
  expect(await Promise.all([read(1), later(2), later(3)])).toEqual([1, 2, 3]);
  expect(cost.trips).toBe(1);
});

it("uses another round trip for a read after a result", async () => {
  const { cost, read } = open();
  await read(1);
  await read(2);
  expect(cost.trips).toBe(2);
});

it("sends each write immediately and separately from reads", async () => {
  const { db, cost, read } = open();
  await sql`create table kept (n)`.execute(db);
  const writes = Promise.all([1, 2].map((n) => sql`insert into kept values (${n})`.execute(db)));
  const reads = Promise.all([read(3), read(4)]);
  await Promise.all([writes, reads]);
  expect(cost.trips).toBe(1 + 2 + 1);
});

it("fails only the faulty one of several reads", async () => {
  const { db, read } = open();
  const [broken, whole] = await Promise.allSettled([sql`select 1 from nowhere`.execute(db), read(5)]);
  expect(broken.status).toBe("rejected");
  expect(whole).toEqual({ status: "fulfilled", value: 5 });
});

it("writes a limit into the statement, as SQLite would compile it anew at each call if it were bound", () => {
  const { sql: text, parameters } = open().db.selectFrom("account").select("id").limit(20).compile();
  expect([text, parameters]).toEqual(['select "id" from "account" limit 20', []]);
});
