import { DatabaseSync } from "node:sqlite";
import { d1OverSqlite } from "@lambda/testing/d1";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { openDatabase } from "./database.ts";
import { meterDatabase } from "./meter.ts";

function open() {
  const cost = { trips: 0, rowsRead: 0, rowsWritten: 0 };
  const db = openDatabase(meterDatabase(d1OverSqlite(new DatabaseSync(":memory:")), cost));
  const answer = async (number: number) => (await sql<{ n: number }>`select ${number} as n`.execute(db)).rows[0]?.n;
  return { db, cost, answer };
}

it("reads that are asked side by side share a round trip, and each has its own answer", async () => {
  const { cost, answer } = open();
  // As behind a middleware that waits for nothing.
  const later = async (number: number) => {
    await null;
    return answer(number);
  };
  expect(await Promise.all([answer(1), later(2), later(3)])).toEqual([1, 2, 3]);
  expect(cost.trips).toBe(1);
});

it("what is asked after an answer takes a round trip of its own", async () => {
  const { cost, answer } = open();
  await answer(1);
  await answer(2);
  expect(cost.trips).toBe(2);
});

it("writes are sent at once, each alone, and not with the reads", async () => {
  const { db, cost, answer } = open();
  await sql`create table kept (n)`.execute(db);
  const written = Promise.all([1, 2].map((n) => sql`insert into kept values (${n})`.execute(db)));
  const read = Promise.all([answer(3), answer(4)]);
  await Promise.all([written, read]);
  expect(cost.trips).toBe(1 + 2 + 1);
});

it("the fault of one is not the others'", async () => {
  const { db, answer } = open();
  const [broken, whole] = await Promise.allSettled([sql`select 1 from nowhere`.execute(db), answer(5)]);
  expect(broken.status).toBe("rejected");
  expect(whole).toEqual({ status: "fulfilled", value: 5 });
});
