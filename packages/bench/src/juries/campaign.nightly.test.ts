import { expect, it } from "vitest";
import { playCell } from "../packed-juries.ts";

/** A small part; `npm run bench -- packed-juries` runs the whole table. */
it.each([
  [300, 50],
  [1000, 100],
])("juries drawn from %i honest members and %i hostile accounts reach the right verdict", (pool, hostile) => {
  const cell = playCell(pool, hostile, 150);
  expect(cell.sanctioned).toBeLessThanOrEqual(0.01);
  expect(cell.shielded).toBeLessThanOrEqual(0.05);
  expect(cell.staffGuilty).toBeLessThan(1);
});

it("reaches the right outcome without hostile accounts, and not by leaving everything to staff", () => {
  const cell = playCell(1000, 0, 150);
  expect(cell.holds).toBe(true);
  expect(cell.staffGuilty).toBeLessThan(0.5);
});

it("detects that accounts grown over years win, three for each honest member", () => {
  const cell = playCell(300, 900, 50, true);
  expect(cell.sanctioned).toBeGreaterThan(0.5);
  expect(cell.shielded).toBeGreaterThan(0.5);
});
