import { expect, it } from "vitest";
import { limitedTo, newest, ofDatabase, partOf, reaches } from "./bookmarks.ts";

it("a state of one database is its own bookmark, and of several the newest of each", () => {
  expect(newest("10", "9")).toBe("9");
  expect(newest(null, "10")).toBe("10");
  expect(newest("", "10")).toBe("10");
  expect(newest("10 1=aa 3=cc", "11 1=ab 2=b")).toBe("11 1=ab 2=b 3=cc");
  expect(newest(" 1=aa", "10")).toBe("10 1=aa");
});

it("says of each database what it knows", () => {
  expect([0, 1, 2].map((database) => partOf("10 1=aa", database))).toEqual(["10", "aa", null]);
  expect([partOf(" 2=b", 0), partOf("", 0), partOf(null, 1)]).toEqual([null, null, null]);
  expect([ofDatabase("10", 0), ofDatabase("aa", 12), ofDatabase(null, 1)]).toEqual(["10", " 12=aa", null]);
});

it("is reached by what is as new in each of its databases", () => {
  expect(reaches("10 1=ab", "10 1=aa")).toBe(true);
  expect(reaches("10 1=ab", "09")).toBe(true);
  expect(reaches("10 1=aa", "09 1=ab")).toBe(false);
  expect(reaches("10", " 1=aa")).toBe(false);
});

it("can be limited to what another knows of", () => {
  expect(limitedTo("10 1=aa 2=b", "09 2=a")).toBe("10 2=b");
  expect(limitedTo(" 1=aa", "09")).toBeNull();
  expect(limitedTo("10", null)).toBe("10");
});
