import type { MapRegion } from "@lambda/contract/map-archives";
import { describe, expect, test } from "vitest";
import { findRegionAt, findRegionForTile, lacksStreets, streetsMaxZoom } from "./regions.ts";

const region = (name: string, west: number, south: number, east: number, north: number, maxZoom = 14): MapRegion => ({
  name,
  bounds: { west, south, east, north },
  maxZoom,
  bytes: 1,
  tsInstalled: 0,
});
const city = region("city", -122.52, 37.7, -122.35, 37.83);
const neighbor = region("neighbor", -122.35, 37.7, -122.2, 37.9, 15);

/** The tile at zoom z that contains a point. */
function tileAt(z: number, lat: number, lon: number) {
  const side = 2 ** z;
  const sine = Math.sin((lat * Math.PI) / 180);
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * side);
  return { z, x: Math.floor(((lon + 180) / 360) * side), y };
}

describe("findRegionForTile", () => {
  test("finds the region that covers the tile", () => {
    expect(findRegionForTile([neighbor, city], tileAt(14, 37.76, -122.44))).toBe(city);
    expect(findRegionForTile([city, neighbor], tileAt(14, 37.8, -122.27))).toBe(neighbor);
  });

  test("prefers the region that covers most of the tile", () => {
    expect(findRegionForTile([city, neighbor], tileAt(7, 37.76, -122.44))).toBe(neighbor);
  });

  test("finds none far away or beyond the region's highest zoom", () => {
    expect(findRegionForTile([city], tileAt(12, 34, -118))).toBeUndefined();
    expect(findRegionForTile([city], tileAt(15, 37.76, -122.44))).toBeUndefined();
    expect(findRegionForTile([], tileAt(9, 37.76, -122.44))).toBeUndefined();
  });
});

test("findRegionAt finds the region whose bounds contain the point", () => {
  expect(findRegionAt([city, neighbor], 37.76, -122.44)).toBe(city);
  expect(findRegionAt([city, neighbor], 37.76, -122.3)).toBe(neighbor);
  expect(findRegionAt([city, neighbor], 40, -122.3)).toBeUndefined();
});

test("streetsMaxZoom is the highest zoom that all regions have", () => {
  expect(streetsMaxZoom([city, neighbor])).toBe(14);
});

test("misses streets only where the map is close, outside of every region, and the regions are known", () => {
  const [inside, outside] = [
    { lat: 37.76, lon: -122.43 },
    { lat: 33.45, lon: -112.07 },
  ];
  expect(lacksStreets([city], { ...outside, zoom: 14 })).toBe(true);
  expect(lacksStreets([], { ...inside, zoom: 14 })).toBe(true);
  expect(lacksStreets([city], { ...inside, zoom: 14 })).toBe(false);
  expect(lacksStreets([city], { ...outside, zoom: 9 })).toBe(false);
  expect(lacksStreets(undefined, { ...outside, zoom: 14 })).toBe(false);
});
