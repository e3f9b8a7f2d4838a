import type { MapRegion } from "@lambda/contract/map-archives";
import { describe, expect, test } from "vitest";
import { regionAt, regionOfTile, streetsMaxZoom } from "./regions.ts";

const region = (name: string, west: number, south: number, east: number, north: number, maxZoom = 14): MapRegion => ({
  name,
  bounds: { west, south, east, north },
  maxZoom,
  bytes: 1,
  tsInstalled: 0,
});
const city = region("city", -122.52, 37.7, -122.35, 37.83);
const neighbour = region("neighbour", -122.35, 37.7, -122.2, 37.9, 15);

/** The tile of zoom z that holds a point. */
function tileAt(z: number, lat: number, lon: number) {
  const side = 2 ** z;
  const sine = Math.sin((lat * Math.PI) / 180);
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * side);
  return { z, x: Math.floor(((lon + 180) / 360) * side), y };
}

describe("the region of a tile", () => {
  test("is the one that covers it", () => {
    expect(regionOfTile([neighbour, city], tileAt(14, 37.76, -122.44))).toBe(city);
    expect(regionOfTile([city, neighbour], tileAt(14, 37.8, -122.27))).toBe(neighbour);
  });

  test("is the one that covers most of it where several do", () => {
    expect(regionOfTile([city, neighbour], tileAt(7, 37.76, -122.44))).toBe(neighbour);
  });

  test("is none far away, and none closer than its tiles go", () => {
    expect(regionOfTile([city], tileAt(12, 34, -118))).toBeUndefined();
    expect(regionOfTile([city], tileAt(15, 37.76, -122.44))).toBeUndefined();
    expect(regionOfTile([], tileAt(9, 37.76, -122.44))).toBeUndefined();
  });
});

test("the region of a point is the one whose box holds it", () => {
  expect(regionAt([city, neighbour], 37.76, -122.44)).toBe(city);
  expect(regionAt([city, neighbour], 37.76, -122.3)).toBe(neighbour);
  expect(regionAt([city, neighbour], 40, -122.3)).toBeUndefined();
});

test("all regions are drawn up to the zoom that all of them have", () => {
  expect(streetsMaxZoom([city, neighbour])).toBe(14);
});
