import { expect, test } from "vitest";
import { formatDistance, glanceDistance, roundDistance } from "./distance.ts";

test("distances are feet below a mile, then miles; metres below a kilometre, then kilometres", () => {
  expect(formatDistance(100, "miles")).toBe("328 ft");
  expect(formatDistance(1609.344, "miles")).toBe("1.00 mi");
  expect(formatDistance(999, "kilometres")).toBe("999 m");
  expect(formatDistance(2500, "kilometres", 1)).toBe("2.5 km");
});

test("a chosen distance is called what was chosen, although it is kept in whole metres", () => {
  expect(roundDistance(1609, "miles")).toBe("1 mi");
  expect(roundDistance(3219, "miles")).toBe("2 mi");
  expect(roundDistance(1609, "kilometres")).toBe("1.6 km");
  expect(roundDistance(100_000, "kilometres")).toBe("100 km");
});

test("where one glances, a distance is no finer than the cells that members are shown in", () => {
  const feet = [0, 60, 100, 328, 1500].map((meters) => glanceDistance(meters, "miles"));
  expect(feet).toEqual(["< 500 ft", "< 500 ft", "500 ft", "1,000 ft", "5,000 ft"]);
  const miles = [1700, 2500, 15_900, 16_093, 402_336].map((meters) => glanceDistance(meters, "miles"));
  expect(miles).toEqual(["1.1 mi", "1.6 mi", "9.9 mi", "10 mi", "250 mi"]);
  const metric = [30, 170, 950, 1000, 9990].map((meters) => glanceDistance(meters, "kilometres"));
  expect(metric).toEqual(["< 100 m", "200 m", "1,000 m", "1.0 km", "10 km"]);
});
