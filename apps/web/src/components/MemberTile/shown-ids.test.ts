import { MEMBERS_ASKED_MAX } from "@lambda/contract/limits";
import { describe, expect, it } from "vitest";
import { groupsOf } from "./shown-ids.ts";

const ids = Array.from({ length: 70 }, (_, index) => index + 1);

describe("groups of shown members", () => {
  it("are the same wherever the window stands, and cover it", () => {
    const all = groupsOf(ids, 0, 70);
    expect(all.flat()).toEqual(ids);
    expect(all.every((group) => group.length <= MEMBERS_ASKED_MAX)).toBe(true);
    expect(groupsOf(ids, 30, 40)).toEqual([all[1]]);
    expect(groupsOf(ids, 27, 29)).toEqual([all[0], all[1]]);
  });

  it("hold nobody twice, and end with the list", () => {
    expect(groupsOf([7, 7, 8], 0, 30)).toEqual([[7, 8]]);
    expect(groupsOf([], 0, 30)).toEqual([]);
    expect(groupsOf(ids, 10, 10)).toEqual([]);
  });
});
