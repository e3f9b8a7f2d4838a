import { describe, expect, it } from "vitest";
import { countFilters, findIgnored, formatFilters, parseFilters } from "./filters.ts";
import { withoutFilter } from "./without-filter.ts";

describe("filters in the URL", () => {
  it("survive formatting and parsing", () => {
    const address =
      "?characteristics=bear%2Ccoffee&ageMin=25&ageMax=40&maxDistanceMeters=8047&hasPicture=1&iLikedProfile=1";
    const filters = parseFilters(address);
    expect(filters).toEqual({
      characteristics: ["bear", "coffee"],
      ageMin: 25,
      ageMax: 40,
      maxDistanceMeters: 8047,
      hasPicture: true,
      iLikedProfile: true,
    });
    expect(formatFilters(filters)).toBe(address);
    expect(countFilters(filters)).toBe(6);
  });

  it("ignore invalid values", () => {
    expect(parseFilters("?characteristics=Bear,unknown,bear&ageMin=3&ageMax=abc&hasPicture=yes")).toEqual({
      characteristics: ["bear"],
    });
    expect(parseFilters("?ageMin=40&ageMax=30")).toEqual({ ageMin: 40 });
    expect(formatFilters({})).toBe("");
  });

  it("name those that are ignored", () => {
    const address = "?characteristics=Bear,unknown&ageMin=3&ageMax=200&maxDistanceMeters=-1&hasPicture=yes&onlineNow=1";
    expect(findIgnored(address)).toEqual(["characteristics", "ageMin", "ageMax", "maxDistanceMeters", "hasPicture"]);
    expect(findIgnored("?characteristics=bear&ageMin=25&ageMax=40&hasPicture=1&other=1")).toEqual([]);
  });

  it("can be removed one by one", () => {
    const filters = parseFilters("?characteristics=bear,coffee&ageMin=25&onlineNow=1");
    expect(withoutFilter(filters, "characteristics", "bear")).toEqual({
      characteristics: ["coffee"],
      ageMin: 25,
      onlineNow: true,
    });
    expect(withoutFilter(withoutFilter(filters, "age"), "onlineNow")).toEqual({ characteristics: ["bear", "coffee"] });
  });
});
