import { readFileSync } from "node:fs";
import { dollarsOf, GB, LIMITS, PRICES } from "@lambda/contract/prices";
import { ROOT } from "@lambda/testing/site";
import { describe, expect, it } from "vitest";
import { measureActions } from "./actions.ts";
import { LOCAL_DAY, TIMES_AN_HOUR } from "./habits.ts";
import { type ActionCost, type Measured, simulateYear } from "./simulate.ts";
import { measureStored } from "./stored.ts";
import { drawTown } from "./town.ts";

const COST: ActionCost = { requests: 1, trips: 2, rowsRead: 10, rowsWritten: 1, bytes: 1000 };
const kept = (bytes: number, daysKept?: number) => ({ bytes, daysKept });
const MEASURED: Measured = {
  actions: Object.fromEntries(Object.keys(TIMES_AN_HOUR).map((name) => [name, COST])) as Measured["actions"],
  map: { rowsPerMember: 1, pageMax: 1500 },
  stored: {
    account: kept(900),
    message: kept(270),
    like: kept(80),
    notification: kept(120, 90),
    picture: kept(100),
  },
};
const TOWN = {
  busiestHourShare: 0.07,
  membersInSquare: (members: number, most: number) => Math.min(most, members / 1000),
};
const yearOf = (members: number) => simulateYear(members, MEASURED, TOWN);

describe("a simulated year", () => {
  it("is deterministic and scales with the number of members", () => {
    expect(yearOf(100_000)).toEqual(yearOf(100_000));
    const [small, large] = [yearOf(10_000), yearOf(100_000)];
    expect(large.tripsPerSecond).toBeCloseTo(small.tripsPerSecond * 10, 5);
    expect(large.dollarsAMonth).toBeGreaterThan(small.dollarsAMonth);
  });

  it("reports the day on which the database is full, if any", () => {
    const full = (members: number) =>
      yearOf(members).bottlenecks.find(({ name }) => name === "bytes of the database, were messages in it")?.day;
    expect(full(1000)).toBeUndefined();
    const day = full(100_000) ?? 0;
    const messagesADay = 100_000 * 0.35 * 0.75 * TIMES_AN_HOUR["send a message"];
    expect(day).toBeLessThan(LIMITS.databaseBytes / (messagesADay * 270));
    expect(full(1_000_000)).toBeLessThan(day);
  });

  it("reports how long the main database lasts without messages", () => {
    const lasting = (members: number) =>
      yearOf(members).bottlenecks.find(({ name }) => name === "bytes of the main database");
    const { message: _, ...others } = yearOf(100_000).bytes;
    expect(lasting(100_000)).toMatchObject({
      load: Object.values(others).reduce((sum, bytes) => sum + bytes, 0) / LIMITS.databaseBytes,
      day: undefined,
    });
    expect(lasting(1_000_000)?.day).toBeGreaterThan(0);
  });

  it("reports the bytes of messages by month", () => {
    const { messageBytes, bytes } = yearOf(100_000);
    expect(messageBytes.map(({ month }) => month)).toEqual([1, 3, 6, 12]);
    expect(messageBytes[0]!.bytes * 3).toBeCloseTo(messageBytes[1]!.bytes, 0);
    expect(messageBytes[3]!.bytes * 365).toBeCloseTo(bytes.message * 360, -3);
  });

  it("limits notifications to their retention", () => {
    const { bytes } = yearOf(10_000);
    expect(bytes.notification).toBeCloseTo(10_000 * 0.35 * 0.75 * TIMES_AN_HOUR.like * 90 * 120, 0);
  });

  it("charges nothing for included amounts, and the shares of a day add up", () => {
    const included = Object.fromEntries(Object.entries(PRICES).map(([name, price]) => [name, price.included]));
    expect(Object.values(dollarsOf(included as never))).toEqual(Object.values(PRICES).map(() => 0));
    expect(dollarsOf({ ...included, "D1 bytes": 6 * GB } as never)["D1 bytes"]).toBeCloseTo(0.75);
    expect(LOCAL_DAY.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  });
});

describe("what a month costs, as the documents say it", () => {
  const read = (name: string) => readFileSync(`${ROOT}docs/${name}`, "utf8");
  const cellsOf = (row: RegExp) =>
    (row.exec(read("SCALE.md"))?.[1] ?? "").split("|").map((cell) => Number(cell.split(";")[0]?.replaceAll(",", "")));

  it("is what actions cost that are measured now, at today's prices", { timeout: 600_000 }, async () => {
    const measured: Measured = { ...(await measureActions()), stored: measureStored() };
    const town = drawTown();
    const sizes = cellsOf(/^\| members a month \|(.*)\|$/m);
    const dollars = cellsOf(/^\| dollars a month; per 1,000 members \|(.*)\|$/m);
    expect(sizes.slice(0, 3)).toEqual([100, 1_000, 10_000]);
    expect(dollars).toHaveLength(sizes.length);
    for (const [index, size] of sizes.entries()) {
      const { dollarsAMonth } = simulateYear(size, measured, town);
      expect.soft(Math.abs(dollarsAMonth / dollars[index]! - 1), `${size}: ${dollarsAMonth}`).toBeLessThan(0.05);
    }
    expect(read("OPERATIONS.md")).toContain(`1,000 members a month cost $${dollars[1]}, 10,000 $${dollars[2]}`);
  });

  it("is made of the prices that docs/OPERATIONS.md names", () => {
    const [, table = ""] = read("OPERATIONS.md").split("## What has to be paid");
    for (const [name, { dollars }] of Object.entries(PRICES))
      expect.soft(table, name).toContain(`$${dollars.toFixed(3).replace(/0$/, "")} `);
  });
});
