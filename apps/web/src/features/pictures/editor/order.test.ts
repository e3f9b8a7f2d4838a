import { expect, it } from "vitest";
import { albumsOf, moveBefore, step } from "./order.ts";

const albums = { public: [1, 2, 3], private: [4, 5] };
const all = new Set([1, 2, 3, 4, 5]);

it("puts a picture before another, in either album, or at the end", () => {
  expect(moveBefore(albums, 3, "public", 1)).toEqual({ public: [3, 1, 2], private: [4, 5] });
  expect(moveBefore(albums, 1, "private", 5)).toEqual({ public: [2, 3], private: [4, 1, 5] });
  expect(moveBefore(albums, 4, "public")).toEqual({ public: [1, 2, 3, 4], private: [5] });
  expect(moveBefore(albums, 2, "public", 2)).toBe(albums);
});

it("goes one step and stops at the ends", () => {
  expect(step(albums, 2, -1, all).public).toEqual([2, 1, 3]);
  expect(step(albums, 2, 1, all).public).toEqual([1, 3, 2]);
  expect(step(albums, 1, -1, all)).toEqual(albums);
  expect(step(albums, 5, 1, all)).toEqual(albums);
});

it("steps over what is out of sight", () => {
  expect(step(albums, 3, -1, new Set([1, 3])).public).toEqual([3, 1, 2]);
  expect(step(albums, 1, 1, new Set([1, 3])).public).toEqual([2, 3, 1]);
});

it("leaves out what staff hid", () => {
  const picture = (id: number, audience: string, hiddenByStaff = false) => ({ id, audience, hiddenByStaff });
  expect(albumsOf([picture(1, "public"), picture(2, "public", true), picture(3, "private")])).toEqual({
    public: [1],
    private: [3],
  });
});
