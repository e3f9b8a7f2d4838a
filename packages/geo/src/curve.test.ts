import { describe, expect, it } from "vitest";
import {
  boxesShape,
  coverShape,
  discArea,
  discRadius,
  isWithinBounds,
  type KeyRange,
  limitRanges,
  metersToBox,
  ringShape,
  subtractRanges,
  unitBoxesOfBounds,
} from "./cover.ts";
import {
  KEYS_PER_SECTOR,
  keyOfPoint,
  keyOfUnits,
  keysOfSquare,
  pointOfKey,
  UNITS_PER_DEGREE,
  unitsOfKey,
  X_END,
  Y_END,
} from "./curve.ts";
import { distanceMeters } from "./distance.ts";

/** A fixed, evenly spread sequence of points on the sphere. */
const points = Array.from({ length: 4000 }, (_, index) => ({
  lat: (Math.asin(2 * ((index * 0.618_033_988_75) % 1) - 1) * 180) / Math.PI,
  lon: ((index * 0.754_877_666_25) % 1) * 360 - 180,
}));

const contains = (ranges: readonly KeyRange[], key: number) => ranges.some(({ lo, hi }) => key >= lo && key < hi);

describe("the curve", () => {
  it("is a bijection, and consecutive keys are neighbors", () => {
    let last = unitsOfKey(12_345_678_901);
    for (let key = 12_345_678_902; key < 12_345_680_902; key += 1) {
      const next = unitsOfKey(key);
      expect(keyOfUnits(next.x, next.y)).toBe(key);
      expect(Math.abs(next.x - last.x) + Math.abs(next.y - last.y)).toBe(1);
      last = next;
    }
  });

  it("decodes a key to within one unit of the encoded point", () => {
    for (const point of points) {
      const shown = pointOfKey(keyOfPoint(point));
      expect(Math.abs(shown.lat - point.lat)).toBeLessThan(0.6 / UNITS_PER_DEGREE);
      expect(Math.abs(shown.lon - point.lon)).toBeLessThan(0.6 / UNITS_PER_DEGREE);
      expect(keyOfPoint(shown)).toBe(keyOfPoint(point));
    }
  });

  it("maps every square degree to one key range", () => {
    const { lo, hi } = keysOfSquare(68 * UNITS_PER_DEGREE, 123 * UNITS_PER_DEGREE, 17);
    expect(hi - lo).toBe(KEYS_PER_SECTOR);
    expect(contains([{ lo, hi }], keyOfPoint({ lat: 33, lon: -112 }))).toBe(true);
    expect(contains([{ lo, hi }], keyOfPoint({ lat: 33.999_99, lon: -111.000_01 }))).toBe(true);
    expect(contains([{ lo, hi }], keyOfPoint({ lat: 33.5, lon: -110.999_99 }))).toBe(false);
  });

  it("has the poles and the date line at its edges", () => {
    expect(unitsOfKey(keyOfPoint({ lat: 90, lon: 180 }))).toEqual({ x: X_END - 1, y: Y_END - 1 });
    expect(unitsOfKey(keyOfPoint({ lat: -90, lon: -180 }))).toEqual({ x: 0, y: 0 });
  });
});

describe("covers", () => {
  it("include every point of a disc or ring, also at the poles and the date line", () => {
    const centers = [
      { lat: 33.4, lon: -112 },
      { lat: 0, lon: 179.9 },
      { lat: 89.5, lon: 10 },
      { lat: -89.99, lon: -179.9 },
      { lat: -60, lon: 0 },
    ];
    for (const center of centers) {
      for (const [inner, outer] of [
        [0, 1_000_000],
        [800_000, 3_000_000],
        [9_000_000, 20_015_086],
      ] as const) {
        const ranges = limitRanges(coverShape(ringShape(center, inner, outer), 17), 60);
        let inside = 0;
        for (const point of points) {
          const shown = pointOfKey(keyOfPoint(point));
          const meters = distanceMeters(center, shown);
          if (meters < inner || meters > outer) continue;
          inside += 1;
          expect(contains(ranges, keyOfPoint(point))).toBe(true);
        }
        expect(inside).toBeGreaterThan(5);
      }
    }
  });

  it("measure the distance to the nearest point of a box", () => {
    const box = [10, 12, 20, 23] as const;
    for (const point of points.slice(0, 500)) {
      let shortest = Number.POSITIVE_INFINITY;
      for (let i = 0; i <= 40; i += 1) {
        for (const [u, v] of [
          [i / 40, 0],
          [i / 40, 1],
          [0, i / 40],
          [1, i / 40],
        ] as const) {
          shortest = Math.min(shortest, distanceMeters(point, { lat: 10 + 2 * u, lon: 20 + 3 * v }));
        }
      }
      const inside = point.lat >= 10 && point.lat <= 12 && point.lon >= 20 && point.lon <= 23;
      const meters = metersToBox(point, ...box);
      expect(meters).toBeLessThanOrEqual(shortest + 1e-3);
      if (inside) expect(meters).toBe(0);
      else expect(meters).toBeGreaterThan(shortest - 8000);
    }
  });

  it("include every point of the bounds, also across the date line", () => {
    for (const bounds of [
      { latMin: 10, latMax: 40, lonMin: -20, lonMax: 30 },
      { latMin: -60, latMax: 10, lonMin: 150, lonMax: -140 },
      { latMin: -90, latMax: 90, lonMin: -180, lonMax: 180 },
    ]) {
      const ranges = limitRanges(coverShape(boxesShape(unitBoxesOfBounds(bounds)), 20), 20);
      const inside = points.filter((point) => isWithinBounds(pointOfKey(keyOfPoint(point)), bounds));
      expect(inside.length).toBeGreaterThan(100);
      for (const point of inside) expect(contains(ranges, keyOfPoint(point))).toBe(true);
    }
  });

  it("subtract ranges and keep the largest gaps", () => {
    const parts = [
      { lo: 0, hi: 10 },
      { lo: 12, hi: 20 },
      { lo: 90, hi: 100 },
    ];
    expect(subtractRanges(parts, [{ lo: 5, hi: 15 }])).toEqual([
      { lo: 0, hi: 5 },
      { lo: 15, hi: 20 },
      { lo: 90, hi: 100 },
    ]);
    expect(limitRanges(parts, 2)).toEqual([
      { lo: 0, hi: 20 },
      { lo: 90, hi: 100 },
    ]);
    expect(discRadius(discArea(12_345))).toBeCloseTo(12_345, 1);
  });
});
