import type { PositionAggregate } from "@lambda/contract/positions";
import { expect, test } from "vitest";
import { bubbleSize, countMembers, isAreaAround, mergeAreas, metersToArea } from "./areas.ts";

import type { MapMember } from "./map-types.ts";

const area = (centerLat: number, centerLon: number, count: number): PositionAggregate => ({
  centerLat,
  centerLon,
  count,
  deltaLat: 0.5,
  deltaLon: 0.5,
  tsUpdated: "2026-11-20T12:00:00.000Z",
});
const AREAS = [area(33.5, -112.5, 20), area(33.5, -111.5, 170), area(34.5, -111.5, 5), area(41.5, -87.5, 60)];

test("overlapping bubbles are merged where most of their members are", () => {
  expect(mergeAreas(AREAS, 4)).toMatchObject([
    { centerLat: 33.5, centerLon: -111.5, count: 195, deltaLon: 1.5, deltaLat: 1.5 },
    { centerLat: 41.5, count: 60 },
  ]);
});

test("more than ten areas are merged with their neighbors; ten are left alone", () => {
  const row = (count: number) => Array.from({ length: count }, (_, i) => area(10, i * 12, 100 - i));
  expect(mergeAreas(row(10), 4)).toEqual(row(10));
  const grouped = mergeAreas(row(25), 4);
  expect(grouped.length).toBeLessThanOrEqual(10);
  expect(grouped.length).toBeGreaterThan(3);
  expect(grouped.reduce((sum, { count }) => sum + count, 0)).toBe(row(25).reduce((sum, { count }) => sum + count, 0));
});

test("merging keeps the total count at any zoom, and merges nothing close up", () => {
  for (let zoom = 1; zoom <= 9; zoom += 1) {
    expect(mergeAreas(AREAS, zoom).reduce((sum, { count }) => sum + count, 0)).toBe(255);
  }
  expect(mergeAreas(AREAS, 9)).toHaveLength(4);
});

test("bubbles are large enough for a thumb and small enough for a screen", () => {
  expect(bubbleSize(1)).toBe(44);
  expect(bubbleSize(1_000_000)).toBe(88);
});

test("too many members to show are counted where they are", () => {
  const members = Array.from({ length: 900 }, (_, i) => ({
    profileId: i,
    lat: 33.4 + (i % 30) * 0.01,
    lon: -112 - Math.floor(i / 30) * 0.01,
    tsUpdated: "",
  })) as unknown as MapMember[];
  const counts = countMembers(members, 10);
  expect(counts.length).toBeGreaterThan(1);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(900);
});

test("too many members to show are counted in at most ten areas", () => {
  const towns = Array.from({ length: 30 }, (_, town) => ({
    lat: 33 + (town % 6) * 0.4,
    lon: -112 - Math.floor(town / 6) * 0.4,
  }));
  const members = Array.from({ length: 900 }, (_, i) => ({ profileId: i, ...towns[i % 30]!, tsUpdated: "" }));
  const counts = countMembers(members as unknown as MapMember[], 10);
  expect(counts.length).toBeLessThanOrEqual(10);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(900);
});

test("an area merged across an ocean does not contain a place on the other side", () => {
  const [phoenix, honolulu] = [
    { lat: 33.45, lon: -112.07 },
    { lat: 21.3, lon: -157.9 },
  ];
  expect(isAreaAround(area(33.5, -112.5, 20), phoenix)).toBe(true);
  const merged = { ...area(21.5, -157.5, 3), deltaLat: 13, deltaLon: 46 };
  expect(isAreaAround(merged, phoenix)).toBe(false);
  expect(isAreaAround(merged, honolulu)).toBe(true);
  expect(metersToArea(area(33.5, -112.5, 20), phoenix)).toBeLessThan(60_000);
});
