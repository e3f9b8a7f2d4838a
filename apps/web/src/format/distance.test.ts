import { expect, test } from "vitest";
import { formatCoarseDistance, formatDistance, formatRadius } from "./distance.ts";

test("formats feet below a mile, then miles; meters below a kilometer, then kilometers", () => {
  expect(formatDistance(100, "miles")).toBe("328 ft");
  expect(formatDistance(1609.344, "miles")).toBe("1.00 mi");
  expect(formatDistance(999, "kilometres")).toBe("999 m");
  expect(formatDistance(2500, "kilometres", 1)).toBe("2.5 km");
});

test("formats a radius as it was chosen, although it is stored in whole meters", () => {
  expect(formatRadius(1609, "miles")).toBe("1 mi");
  expect(formatRadius(3219, "miles")).toBe("2 mi");
  expect(formatRadius(1609, "kilometres")).toBe("1.6 km");
  expect(formatRadius(100_000, "kilometres")).toBe("100 km");
});

test("formats coarse distances no finer than the cells that members are shown in", () => {
  const feet = [0, 60, 100, 328, 1500].map((meters) => formatCoarseDistance(meters, "miles"));
  expect(feet).toEqual(["< 500 ft", "< 500 ft", "500 ft", "1,000 ft", "5,000 ft"]);
  const miles = [1700, 2500, 15_900, 16_093, 402_336].map((meters) => formatCoarseDistance(meters, "miles"));
  expect(miles).toEqual(["1.1 mi", "1.6 mi", "9.9 mi", "10 mi", "250 mi"]);
  const metric = [30, 170, 950, 1000, 9990].map((meters) => formatCoarseDistance(meters, "kilometres"));
  expect(metric).toEqual(["< 100 m", "200 m", "1,000 m", "1.0 km", "10 km"]);
});
