import { startWorker } from "@lambda/testing/worker";
import { describe, expect, it, vi } from "vitest";
import { EVERY_MINUTE } from "../../schedule.ts";
import { chooseMessageDatabase, pickEmptiest } from "./choose-message-database.ts";
import { openDatabase } from "./database.ts";

const NOW = Date.UTC(2026, 10, 23);
const row = (number: number, bytes: number, minutesAgo = 0) => ({
  number,
  bytes,
  ts_measured: NOW - minutesAgo * 60_000,
});
/** All databases that may be chosen, over a range of random numbers. */
const choices = (numbers: readonly number[], ...rows: ReturnType<typeof row>[]) =>
  [...new Set([0, 0.2, 0.4, 0.6, 0.8, 0.99].map((share) => pickEmptiest(numbers, rows, NOW, () => share)))].toSorted();

describe("the database for a new pair", () => {
  it("is the main database if no other is bound, and the emptiest otherwise", () => {
    expect(choices([])).toEqual([0]);
    expect(choices([1, 2, 3], row(1, 3e9), row(2, 1e9), row(3, 2e9))).toEqual([2]);
  });

  it("is any of those about as empty as the emptiest, or any new one", () => {
    expect(choices([1, 2, 3], row(1, 1e9), row(2, 1.01e9), row(3, 2e9))).toEqual([1, 2]);
    expect(choices([1, 2, 3], row(1, 1e9))).toEqual([2, 3]);
  });

  it("is one below 4 GB, or the least full message database if there is none", () => {
    expect(choices([1, 2], row(1, 4.02e9), row(2, 3.99e9))).toEqual([2]);
    expect(choices([1, 2], row(1, 9e9), row(2, 5e9))).toEqual([2]);
  });

  it("is neither one without a recent measurement nor one that is no longer bound", () => {
    expect(choices([1, 2], row(1, 1e9, 11), row(2, 3e9))).toEqual([2]);
    expect(choices([1, 2], row(1, 1e9, 11), row(2, 3e9, 11))).toEqual([1]);
    expect(choices([2], row(1, 1e6), row(2, 3e9))).toEqual([2]);
  });
});

it("uses the sizes that the schedule measured", async () => {
  vi.stubGlobal("__DEVELOPMENT__", true);
  const worker = await startWorker({ messageDatabases: 3 });
  await worker.runCron(EVERY_MINUTE, NOW);
  const [rows] = await worker.run({ query: "select number, bytes, ts_measured from message_database" });
  expect(rows?.map(({ number, ts_measured }) => [number, ts_measured])).toEqual([1, 2, 3].map((n) => [n, NOW]));
  for (const { bytes } of rows ?? []) expect(Number(bytes)).toBeGreaterThan(10_000);
  await worker.run({ query: "update message_database set bytes = 1e9 where number <> 2" });
  expect(await chooseMessageDatabase(openDatabase(worker.env.DB), [1, 2, 3], NOW)).toBe(2);
  vi.unstubAllGlobals();
});
