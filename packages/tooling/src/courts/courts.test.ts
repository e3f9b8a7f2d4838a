import { expect, it } from "vitest";
import { BEFORE, OURS } from "./courts.ts";
import { playCell } from "./table.ts";

/** A short slice; `npm run bench -- packed-juries` plays the whole table. */
it.each([
  [300, 50],
  [1000, 100],
])("of %i honest members and %i hostile accounts a jury is not bought", (pool, hostile) => {
  const cell = playCell(OURS, pool, hostile, 150);
  expect(cell.sanctioned).toBeLessThanOrEqual(0.01);
  expect(cell.shielded).toBeLessThanOrEqual(0.05);
  expect(cell.staffGuilty).toBeLessThan(1);
});

it("comes to the right outcome where nobody is hostile, and not by leaving all to staff", () => {
  const cell = playCell(OURS, 1000, 0, 150);
  expect(cell.holds).toBe(true);
  expect(cell.staffGuilty).toBeLessThan(0.5);
});

it("fails the rules of before, so that it can fail", () => {
  const cell = playCell(BEFORE, 300, 10, 50);
  expect(cell.sanctioned).toBeGreaterThan(0.9);
  expect(cell.shielded).toBeGreaterThan(0.9);
});
