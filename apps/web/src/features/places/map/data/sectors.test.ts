import { describe, expect, test } from "vitest";
import { countSectors, isInView, sectorsIn, toWireBounds, widenBounds } from "./sectors.ts";

const PHOENIX = { west: -112.5, south: 33.2, east: -111.6, north: 34.1 };
const FIJI = { west: 179.2, south: -18.5, east: 181.4, north: -17.2 };

describe("sectors", () => {
  test("are listed once each for a view", () => {
    expect(sectorsIn(PHOENIX)).toEqual([
      { lat: 33, lon: -113 },
      { lat: 33, lon: -112 },
      { lat: 34, lon: -113 },
      { lat: 34, lon: -112 },
    ]);
  });

  test("continue across the date line in both directions", () => {
    const columns = (bounds: typeof FIJI) => [...new Set(sectorsIn(bounds).map(({ lon }) => lon))];
    expect(columns(FIJI)).toEqual([179, -180, -179]);
    expect(columns({ ...FIJI, west: -180.8, east: -178.6 })).toEqual([179, -180, -179]);
  });

  test("end at the poles and cover the globe once at most", () => {
    expect(sectorsIn({ west: 0, south: 89.5, east: 0.5, north: 95 })).toEqual([{ lat: 89, lon: 0 }]);
    expect(countSectors({ west: -400, south: 0, east: 400, north: 0.5 })).toBe(360);
  });

  test("have a count that matches their list", () => {
    for (const bounds of [PHOENIX, FIJI]) expect(countSectors(bounds)).toBe(sectorsIn(bounds).length);
  });
});

test("a point across the date line is in view under both of its longitudes", () => {
  expect(isInView({ lat: -18, lon: -179.5 }, FIJI)).toBe(true);
  expect(isInView({ lat: -18, lon: 180.5 }, FIJI)).toBe(true);
  expect(isInView({ lat: -18, lon: -178 }, FIJI)).toBe(false);
  expect(isInView({ lat: -18, lon: 178 }, FIJI)).toBe(false);
  expect(isInView({ lat: 10, lon: 20 }, { west: -400, east: 400, south: 0, north: 20 })).toBe(true);
});

test("wire bounds stay in range and have lonMin above lonMax across the date line", () => {
  const { lonMin, lonMax } = toWireBounds(FIJI);
  expect(lonMin).toBeCloseTo(179.2);
  expect(lonMax).toBeCloseTo(-178.6);
  expect(toWireBounds({ west: -300, east: 300, south: -95, north: 95 })).toEqual({
    latMin: -90,
    latMax: 90,
    lonMin: -180,
    lonMax: 180,
  });
});

test("widened bounds contain the view and stay the same while it moves a little", () => {
  const wide = widenBounds(PHOENIX);
  expect(wide.west).toBeLessThanOrEqual(PHOENIX.west);
  expect(wide.north).toBeGreaterThanOrEqual(PHOENIX.north);
  expect(widenBounds({ ...PHOENIX, west: -112.45, east: -111.55 })).toEqual(wide);
});
