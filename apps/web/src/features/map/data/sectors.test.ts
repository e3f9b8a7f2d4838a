import { describe, expect, test } from "vitest";
import { countSectors, isInView, sectorsOf, widenBounds, wireBounds } from "./sectors.ts";

const PHOENIX = { west: -112.5, south: 33.2, east: -111.6, north: 34.1 };
const FIJI = { west: 179.2, south: -18.5, east: 181.4, north: -17.2 };

describe("sectors", () => {
  test("every square degree that the view touches, once", () => {
    expect(sectorsOf(PHOENIX)).toEqual([
      { lat: 33, lon: -113 },
      { lat: 33, lon: -112 },
      { lat: 34, lon: -113 },
      { lat: 34, lon: -112 },
    ]);
  });

  test("go on beyond the date line, from both of its sides", () => {
    const columns = (bounds: typeof FIJI) => [...new Set(sectorsOf(bounds).map(({ lon }) => lon))];
    expect(columns(FIJI)).toEqual([179, -180, -179]);
    expect(columns({ ...FIJI, west: -180.8, east: -178.6 })).toEqual([179, -180, -179]);
  });

  test("end at the poles and go round the globe once", () => {
    expect(sectorsOf({ west: 0, south: 89.5, east: 0.5, north: 95 })).toEqual([{ lat: 89, lon: 0 }]);
    expect(countSectors({ west: -400, south: 0, east: 400, north: 0.5 })).toBe(360);
  });

  test("are counted without being listed", () => {
    for (const bounds of [PHOENIX, FIJI]) expect(countSectors(bounds)).toBe(sectorsOf(bounds).length);
  });
});

test("a point beyond the date line is in view under either of its longitudes", () => {
  expect(isInView({ lat: -18, lon: -179.5 }, FIJI)).toBe(true);
  expect(isInView({ lat: -18, lon: 180.5 }, FIJI)).toBe(true);
  expect(isInView({ lat: -18, lon: -178 }, FIJI)).toBe(false);
  expect(isInView({ lat: -18, lon: 178 }, FIJI)).toBe(false);
  expect(isInView({ lat: 10, lon: 20 }, { west: -400, east: 400, south: 0, north: 20 })).toBe(true);
});

test("bounds for the server stay in range and cross the date line by their order", () => {
  const { lonMin, lonMax } = wireBounds(FIJI);
  expect(lonMin).toBeCloseTo(179.2);
  expect(lonMax).toBeCloseTo(-178.6);
  expect(wireBounds({ west: -300, east: 300, south: -95, north: 95 })).toEqual({
    latMin: -90,
    latMax: 90,
    lonMin: -180,
    lonMax: 180,
  });
});

test("widened bounds hold the view and stay the same while it moves a little", () => {
  const wide = widenBounds(PHOENIX);
  expect(wide.west).toBeLessThanOrEqual(PHOENIX.west);
  expect(wide.north).toBeGreaterThanOrEqual(PHOENIX.north);
  expect(widenBounds({ ...PHOENIX, west: -112.45, east: -111.55 })).toEqual(wide);
});
