import { ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { expect, it } from "vitest";
import { countShortPages, sortOnlineFirst } from "./found-pages.ts";

const man = (profileId: number, distanceMeters: number | null, seenAgoMs: number) =>
  ({ profileId, distanceMeters, tsUpdated: new Date(Date.now() - seenAgoMs).toISOString() }) as NearbyBrief;

it("puts those online first within a band of distance, and nobody before a nearer band", () => {
  const away = 2 * ONLINE_WITHIN_MS;
  const page = [
    man(1, 0, away),
    man(2, 300, 0),
    man(3, 800, 0),
    man(4, 801, away),
    man(5, 1600, 0),
    man(6, 1601, 0),
    man(7, null, 0),
  ];
  expect(sortOnlineFirst(page).map(({ profileId }) => profileId)).toEqual([2, 3, 1, 5, 4, 6, 7]);
});

it("leaves those already shown where they are when their presence changes, until a search starts", () => {
  const away = 2 * ONLINE_WITHIN_MS;
  let search = {};
  const idsOf = (page: NearbyBrief[]) => sortOnlineFirst(page, search).map(({ profileId }) => profileId);
  expect(idsOf([man(1, 100, away), man(2, 200, 0)])).toEqual([2, 1]);
  const later = [man(1, 100, 0), man(2, 200, away), man(3, 300, 0)];
  expect(idsOf(later)).toEqual([2, 3, 1]);
  search = {};
  expect(idsOf(later)).toEqual([1, 3, 2]);
});

it("counts the short pages at the end", () => {
  const page = (count: number) => ({ items: Array.from({ length: count }) });
  expect(countShortPages([], 2)).toBe(0);
  expect(countShortPages([page(2)], 2)).toBe(0);
  expect(countShortPages([page(0), page(2), page(1), page(0)], 2)).toBe(2);
  expect(countShortPages([page(1)], 2)).toBe(1);
});
