import type { PlaceIndex } from "@lambda/contract/map-archives";
import { describe, expect, test } from "vitest";
import { knownPlace, matchPlaces, readPlaceIndex } from "./place-matches.ts";

const index: PlaceIndex = {
  DE: {
    names: "Cologne\tColonia\tKöln\nMunich\tMúnich",
    lats: [5094, 4814],
    lons: [696, 1158],
    sizes: "20 20",
    quarters: [],
  },
  ES: { names: "San Fernando\nSitges", lats: [3646, 4124], lons: [-620, 181], sizes: "17 15", quarters: [] },
  PL: { names: "Łódź", lats: [5177], lons: [1946], sizes: "20", quarters: [] },
  US: {
    names: "Mission\nNew York City\tNueva York\nSan Francisco\nWest San Antonio Heights",
    lats: [2622, 4071, 3777, 3416],
    lons: [-9833, -7401, -12242, -11766],
    sizes: "16 23 20 13",
    quarters: [],
  },
};
const CASTRO = { lat: 37.76, lon: -122.435 };
const near = [
  knownPlace(["Mission District"], { lat: 37.76, lon: -122.42, kind: "quarter", population: 0 }),
  knownPlace(["San Francisco"], { lat: 37.775, lon: -122.42, kind: "city", population: 860_000 }),
];
const names = (text: string, locale = "en") =>
  matchPlaces(text, CASTRO, [readPlaceIndex(index, locale), near]).map(({ name }) => name);

describe("a search for a place", () => {
  test.each([
    ["munic", ["Munich"]],
    ["MÚNICH", ["Munich"]],
    ["köln", ["Cologne"]],
    ["colonia", ["Cologne"]],
    ["lodz", ["Łódź"]],
    ["New York, NY", ["New York City"]],
    ["york", ["New York City"]],
    ["nowhere", []],
    ["s", []],
    ["  ", []],
  ])("%s finds %j", (text, expected) => expect(names(text)).toEqual(expected));

  test("gives names in Spanish to who reads it, and finds the English ones too", () => {
    expect(names("new york", "es")).toEqual(["Nueva York"]);
    expect(names("cologne", "es")).toEqual(["Colonia"]);
  });

  test("puts what is near first, then what begins with the text, then what is large, and each place once", () => {
    expect(names("san")).toEqual(["San Francisco", "San Fernando", "West San Antonio Heights"]);
    expect(names("mission")).toEqual(["Mission District", "Mission"]);
  });

  test("keeps to hundredths of a degree", () => {
    const [found] = matchPlaces("sitges", CASTRO, [readPlaceIndex(index, "en")]);
    expect(found).toMatchObject({ lat: 41.24, lon: 1.81, kind: "city", country: "ES" });
  });
});
