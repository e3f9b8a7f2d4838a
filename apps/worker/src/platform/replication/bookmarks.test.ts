import { expect, it } from "vitest";
import { bookmarkPart, isAtLeast, newest, restrictTo, toBookmark } from "./bookmarks.ts";

it("combines two states into the newest of each database", () => {
  expect(newest("10", "9")).toBe("9");
  expect(newest(null, "10")).toBe("10");
  expect(newest("", "10")).toBe("10");
  expect(newest("10 1=aa 3=cc", "11 1=ab 2=b")).toBe("11 1=ab 2=b 3=cc");
  expect(newest(" 1=aa", "10")).toBe("10 1=aa");
});

it("extracts and creates the part of one database", () => {
  expect([0, 1, 2].map((database) => bookmarkPart("10 1=aa", database))).toEqual(["10", "aa", null]);
  expect([bookmarkPart(" 2=b", 0), bookmarkPart("", 0), bookmarkPart(null, 1)]).toEqual([null, null, null]);
  expect([toBookmark("10", 0), toBookmark("aa", 12), toBookmark(null, 1)]).toEqual(["10", " 12=aa", null]);
});

it("compares only the databases that the other state specifies", () => {
  expect(isAtLeast("10 1=ab", "10 1=aa")).toBe(true);
  expect(isAtLeast("10 1=ab", "09")).toBe(true);
  expect(isAtLeast("10 1=aa", "09 1=ab")).toBe(false);
  expect(isAtLeast("10", " 1=aa")).toBe(false);
});

it("can be restricted to the databases of another state", () => {
  expect(restrictTo("10 1=aa 2=b", "09 2=a")).toBe("10 2=b");
  expect(restrictTo(" 1=aa", "09")).toBeNull();
  expect(restrictTo("10", null)).toBe("10");
});
