import { expect, it } from "vitest";
import { roundUpScale } from "./bar-chart.tsx";

it.each([
  [0, 0],
  [1, 4],
  [3, 4],
  [5, 8],
  [12, 20],
  [100, 100],
  [1204, 2000],
  [9999, 10_000],
])("ends the scale for %d at %d", (highest, top) => {
  expect(roundUpScale(highest)).toBe(top);
});

it("never ends the scale below the highest bar and is always divisible by four", () => {
  for (let highest = 1; highest < 3000; highest += 1) {
    expect(roundUpScale(highest)).toBeGreaterThanOrEqual(highest);
    expect(roundUpScale(highest) % 4).toBe(0);
  }
});
