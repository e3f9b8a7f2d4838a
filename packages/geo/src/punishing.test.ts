import { expect, it } from "vitest";
import { punishingCountryIn } from "./punishing.ts";

const CELL = 0.025;
const countryAt = (lat: number, lon: number) =>
  punishingCountryIn({ latMin: lat - CELL, latMax: lat + CELL, lonMin: lon - CELL, lonMax: lon + CELL });

it.each([
  ["Kampala", 0.3476, 32.5825, "UG"],
  ["Beirut", 33.89, 35.5, "LB"],
  ["Dubai", 25.2, 55.27, "AE"],
  ["Malé", 4.17, 73.5, "MV"],
  ["Funafuti", -8.52, 179.2, "TV"],
  ["Apia", -13.83, -171.77, "WS"],
  ["Banda Aceh", 5.55, 95.32, "ID"],
  ["Vladivostok", 43.1, 131.9, "RU"],
  // Laws differ within what many maps show as one country.
  ["Gaza", 31.5, 34.46, "PS"],
  ["Ramallah", 31.9, 35.2, null],
  ["Jakarta", -6.2, 106.8, null],
  // Neighbours.
  ["Singapore", 1.29, 103.85, null],
  ["Tel Aviv", 32.08, 34.78, null],
  ["Gibraltar", 36.14, -5.35, null],
  ["Tallinn", 59.43, 24.75, null],
  ["San Francisco", 37.77, -122.42, null],
])("%s", (_, lat, lon, country) => expect(countryAt(lat, lon)).toBe(country));

it("errs on the safe side near a border, and at sea near a coast", () => {
  // Woodlands, a kilometre from Johor Bahru; Narva across the bridge from Ivangorod; a boat off Stone Town.
  expect(countryAt(1.44, 103.79)).toBe("MY");
  expect(countryAt(59.37, 28.2)).toBe("RU");
  expect(countryAt(-6.15, 39.12)).toBe("TZ");
});

it("handles bounds across the date line and at the poles", () => {
  expect(punishingCountryIn({ latMin: 65, latMax: 66, lonMin: 179.9, lonMax: -179.9 })).toBe("RU");
  expect(punishingCountryIn({ latMin: 89.9, latMax: 90, lonMin: -180, lonMax: 180 })).toBeNull();
  expect(punishingCountryIn({ latMin: -90, latMax: -89.9, lonMin: -180, lonMax: 180 })).toBeNull();
});
