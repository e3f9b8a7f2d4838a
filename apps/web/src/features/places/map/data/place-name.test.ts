import { expect, test } from "vitest";
import { type NamedPlace, nextTowns, placeName } from "./place-name.ts";

const places: NamedPlace[] = [
  { kind: "city", name: "Phoenix", lat: 33.4484, lon: -112.074, population: 1_608_139 },
  { kind: "city", name: "Mesa", lat: 33.4223, lon: -111.8226, population: 504_258 },
  { kind: "city", name: "Guadalupe", lat: 33.3709, lon: -111.9629, population: 6500 },
  { kind: "quarter", name: "Alhambra", lat: 33.4984, lon: -112.1343, population: 0 },
];

test.each([
  ["the middle of the city", 33.4484, -112.074, "Phoenix"],
  ["a quarter of it", 33.5, -112.13, "Alhambra, Phoenix"],
  ["the sister city", 33.42, -111.83, "Mesa"],
  ["a village within", 33.371, -111.963, "Guadalupe, Phoenix"],
  ["the desert", 33.4, -113.4, null],
])("%s is named after the nearest places", (_where, lat, lon, name) => {
  expect(placeName({ lat, lon }, places, true)).toBe(name);
});

test("quarters are left out when zoomed out, and a quarter with its city's name is named once", () => {
  expect(placeName({ lat: 33.5, lon: -112.13 }, places, false)).toBe("Phoenix");
  const center: NamedPlace = { kind: "quarter", name: "Phoenix", lat: 33.45, lon: -112.07, population: 0 };
  expect(placeName({ lat: 33.45, lon: -112.07 }, [...places, center], true)).toBe("Phoenix");
});

test("names the next towns of a point, nearest first", () => {
  const towns = nextTowns({ lat: 33.42, lon: -111.83 }, places);
  expect(towns.map(({ name, meters }) => [name, Math.round(meters / 1000)])).toEqual([
    ["Mesa", 1],
    ["Guadalupe", 13],
  ]);
});
