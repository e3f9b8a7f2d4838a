import { expect, it } from "vitest";
import { albumsOf, moveBefore, moveByOne } from "./order.ts";

const albums = { public: [1, 2, 3], private: [4, 5] };
const all = new Set([1, 2, 3, 4, 5]);

it("moves a picture before another one or to the end, in either album", () => {
  expect(moveBefore(albums, 3, "public", 1)).toEqual({ public: [3, 1, 2], private: [4, 5] });
  expect(moveBefore(albums, 1, "private", 5)).toEqual({ public: [2, 3], private: [4, 1, 5] });
  expect(moveBefore(albums, 4, "public")).toEqual({ public: [1, 2, 3, 4], private: [5] });
  expect(moveBefore(albums, 2, "public", 2)).toBe(albums);
});

it("moves by one position and stops at the ends", () => {
  expect(moveByOne(albums, 2, -1, all).public).toEqual([2, 1, 3]);
  expect(moveByOne(albums, 2, 1, all).public).toEqual([1, 3, 2]);
  expect(moveByOne(albums, 1, -1, all)).toEqual(albums);
  expect(moveByOne(albums, 5, 1, all)).toEqual(albums);
});

it("skips hidden pictures", () => {
  expect(moveByOne(albums, 3, -1, new Set([1, 3])).public).toEqual([3, 1, 2]);
  expect(moveByOne(albums, 1, 1, new Set([1, 3])).public).toEqual([2, 3, 1]);
});

it("leaves out pictures that staff hid", () => {
  const picture = (id: number, audience: string, hiddenByStaff = false) => ({ id, audience, hiddenByStaff });
  expect(albumsOf([picture(1, "public"), picture(2, "public", true), picture(3, "private")])).toEqual({
    public: [1],
    private: [3],
  });
});
