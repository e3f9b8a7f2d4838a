import { expect, test } from "vitest";
import { formatDistance, formatRadius, regionalUnits } from "./distance.ts";

test("formats a radius as it was chosen, although it is stored in whole meters", () => {
  expect(formatRadius(1609, "miles")).toBe("1 mi");
  expect(formatRadius(3219, "miles")).toBe("2 mi");
  expect(formatRadius(1609, "kilometres")).toBe("1.6 km");
  expect(formatRadius(100_000, "kilometres")).toBe("100 km");
});

test("rounds distances to members to tenths of a mile or 100 m, and never finer, and shows feet below a mile", () => {
  const miles = [0, 60, 100, 328, 1500, 1700, 2500, 15_900, 16_093, 402_336].map((it) => formatDistance(it, "miles"));
  const shown = [
    "< 500 ft",
    "< 500 ft",
    "500 ft",
    "1,100 ft",
    "4,800 ft",
    "1.1 mi",
    "1.6 mi",
    "9.9 mi",
    "10 mi",
    "250 mi",
  ];
  expect(miles).toEqual(shown);
  const metric = [30, 170, 949, 950, 1000, 9990].map((meters) => formatDistance(meters, "kilometres"));
  expect(metric).toEqual(["< 100 m", "200 m", "900 m", "1.0 km", "1.0 km", "10 km"]);
});

test("counts in miles only in the United States and Great Britain", () => {
  expect(["en-US", "en", "en-GB", "es-US"].map(regionalUnits)).toEqual(["miles", "miles", "miles", "miles"]);
  expect(["es", "es-ES", "de", "en-AU", "es-MX", "es-419"].map(regionalUnits)).toEqual(Array(6).fill("kilometres"));
});

test("counts in the usual units where the browser's language is no language tag, or there is none", () => {
  expect(["en-US@posix", "en_US", "en-Latn-US"].map(regionalUnits)).toEqual(Array(3).fill("miles"));
  expect(["", undefined, "C", "es_ES", "i-default"].map(regionalUnits)).toEqual(Array(5).fill("kilometres"));
});
