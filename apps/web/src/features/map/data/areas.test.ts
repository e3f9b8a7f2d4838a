import type { PositionAggregate } from "@lambda/contract/positions";
import { expect, test } from "vitest";
import { bubbleSize, countMembers, isAround, mergeAreas, metersTo } from "./areas.ts";

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

test("bubbles that would cover each other become one, where most members are", () => {
  expect(mergeAreas(AREAS, 4)).toMatchObject([
    { centerLat: 33.5, centerLon: -111.5, count: 195, deltaLon: 1.5, deltaLat: 1.5 },
    { centerLat: 41.5, count: 60 },
  ]);
});

test("more than ten areas are grouped with their neighbours, ten are left alone", () => {
  const row = (count: number) => Array.from({ length: count }, (_, i) => area(10, i * 12, 100 - i));
  expect(mergeAreas(row(10), 4)).toEqual(row(10));
  const grouped = mergeAreas(row(25), 4);
  expect(grouped.length).toBeLessThanOrEqual(10);
  expect(grouped.length).toBeGreaterThan(3);
  expect(grouped.reduce((sum, { count }) => sum + count, 0)).toBe(row(25).reduce((sum, { count }) => sum + count, 0));
});

test("nobody is lost at any zoom, and close up nothing is joined", () => {
  for (let zoom = 1; zoom <= 9; zoom += 1) {
    expect(mergeAreas(AREAS, zoom).reduce((sum, { count }) => sum + count, 0)).toBe(255);
  }
  expect(mergeAreas(AREAS, 9)).toHaveLength(4);
});

test("bubbles have a size that a thumb can hit and a screen can hold", () => {
  expect(bubbleSize(1)).toBe(44);
  expect(bubbleSize(1_000_000)).toBe(88);
});

test("members who are too many to show are counted where they are", () => {
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

test("members who are too many to show are counted in ten areas at most", () => {
  const towns = Array.from({ length: 30 }, (_, town) => ({
    lat: 33 + (town % 6) * 0.4,
    lon: -112 - Math.floor(town / 6) * 0.4,
  }));
  const members = Array.from({ length: 900 }, (_, i) => ({ profileId: i, ...towns[i % 30]!, tsUpdated: "" }));
  const counts = countMembers(members as unknown as MapMember[], 10);
  expect(counts.length).toBeLessThanOrEqual(10);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(900);
});

test("only the area around a place is around it, not one that was merged across an ocean", () => {
  const [phoenix, honolulu] = [
    { lat: 33.45, lon: -112.07 },
    { lat: 21.3, lon: -157.9 },
  ];
  expect(isAround(area(33.5, -112.5, 20), phoenix)).toBe(true);
  const merged = { ...area(21.5, -157.5, 3), deltaLat: 13, deltaLon: 46 };
  expect(isAround(merged, phoenix)).toBe(false);
  expect(isAround(merged, honolulu)).toBe(true);
  expect(metersTo(area(33.5, -112.5, 20), phoenix)).toBeLessThan(60_000);
});
