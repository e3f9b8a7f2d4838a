import { expect, test } from "vitest";
import { formatDistance, roundDistance } from "./distance.ts";

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
