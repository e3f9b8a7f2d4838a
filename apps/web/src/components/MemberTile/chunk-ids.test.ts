import { PROFILE_IDS_PER_CALL_MAX } from "@lambda/contract/limits";
import { describe, expect, it } from "vitest";
import { chunkIds } from "./chunk-ids.ts";

const ids = Array.from({ length: 70 }, (_, index) => index + 1);

describe("chunkIds", () => {
  it("returns the same chunks for every range, and covers the range", () => {
    const all = chunkIds(ids, 0, 70);
    expect(all.flat()).toEqual(ids);
    expect(all.every((chunk) => chunk.length <= PROFILE_IDS_PER_CALL_MAX)).toBe(true);
    expect(chunkIds(ids, 30, 40)).toEqual([all[1]]);
    expect(chunkIds(ids, 27, 29)).toEqual([all[0], all[1]]);
  });

  it("removes duplicates and ends with the list", () => {
    expect(chunkIds([7, 7, 8], 0, 30)).toEqual([[7, 8]]);
    expect(chunkIds([], 0, 30)).toEqual([]);
    expect(chunkIds(ids, 10, 10)).toEqual([]);
  });
});
