import { expect, it } from "vitest";
import { niceTop } from "./bar-chart.tsx";

it.each([
  [0, 0],
  [1, 4],
  [3, 4],
  [5, 8],
  [12, 20],
  [100, 100],
  [1204, 2000],
  [9999, 10_000],
])("the scale for %d ends at %d", (highest, top) => {
  expect(niceTop(highest)).toBe(top);
});

it("never ends below the highest bar and always has whole quarters", () => {
  for (let highest = 1; highest < 3000; highest += 1) {
    expect(niceTop(highest)).toBeGreaterThanOrEqual(highest);
    expect(niceTop(highest) % 4).toBe(0);
  }
});
