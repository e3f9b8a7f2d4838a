import { describe, expect, it } from "vitest";
import { distanceMeters } from "./distance.ts";
import {
  type Cell,
  cellPrecision,
  columnsOfRow,
  gridCellBounds,
  gridCellCenter,
  isCell,
  PRECISIONS,
  type Precision,
  ROWS_PER_DEGREE,
  snapToGrid,
  toCell,
  wrapLongitude,
} from "./grid.ts";

/** A fixed sequence of points all over the globe, including the poles and the date line. */
function* points(count: number): Generator<[number, number]> {
  yield* [
    [90, 0],
    [-90, 0],
    [90, 180],
    [0, 180],
    [0, -180],
    [0, 179.999_999],
    [-89.999, -179.999],
    [0, 0],
  ] as [number, number][];
  for (let index = 0; index < count; index += 1) {
    const u = (index * 0.618_033_988_75) % 1;
    const v = (index * 0.754_877_666_25) % 1;
    yield [(Math.asin(2 * u - 1) * 180) / Math.PI, v * 360 - 180];
  }
}

describe("the grid", () => {
  it("snaps each point to a cell that contains it, and the cell's center to the same cell", () => {
    for (const precision of PRECISIONS) {
      for (const [lat, lon] of points(2000)) {
        const cell = snapToGrid(lat, lon, precision);
        expect(isCell(cell)).toBe(true);
        expect(cellPrecision(cell)).toBe(precision);
        const bounds = gridCellBounds(cell);
        expect(lat).toBeGreaterThanOrEqual(bounds.latMin - 1e-9);
        expect(lat).toBeLessThanOrEqual(bounds.latMax + 1e-9);
        expect(wrapLongitude(lon)).toBeGreaterThanOrEqual(bounds.lonMin - 1e-9);
        expect(wrapLongitude(lon)).toBeLessThanOrEqual(bounds.lonMax + 1e-9);
        const center = gridCellCenter(cell);
        expect(snapToGrid(center.lat, center.lon, precision)).toBe(cell);
      }
    }
  });

  it("has cells that are about square, and whole columns in every row", () => {
    for (const precision of PRECISIONS) {
      const rows = 180 * ROWS_PER_DEGREE[precision];
      for (let step = 0; step < 200; step += 1) {
        const row = Math.floor((rows * step) / 200);
        const columns = columnsOfRow(precision, row);
        expect(Number.isInteger(columns) && columns >= 1).toBe(true);
        const middle = (row + 0.5) / ROWS_PER_DEGREE[precision] - 90;
        if (Math.abs(middle) > 85) continue;
        const aspect = ((360 / columns) * Math.cos((middle * Math.PI) / 180)) / (1 / ROWS_PER_DEGREE[precision]);
        expect(aspect).toBeGreaterThan(0.99);
        expect(aspect).toBeLessThan(1.01);
      }
      expect(columnsOfRow(precision, 0)).toBe((3 * ROWS_PER_DEGREE[precision]) / ROWS_PER_DEGREE.city);
    }
  });

  it("treats equivalent longitudes as the same cell", () => {
    expect(snapToGrid(10, 180, "street")).toBe(snapToGrid(10, -180, "street"));
    expect(snapToGrid(10, 190, "street")).toBe(snapToGrid(10, -170, "street"));
    expect(snapToGrid(10, 179.9999, "street")).not.toBe(snapToGrid(10, -179.9999, "street"));
  });

  it("fits in a safe integer and rejects invalid cells", () => {
    expect(snapToGrid(89.9999, 179.9999, "exact")).toBeLessThan(2 ** 53);
    for (const invalid of [-1, 0.5, Number.NaN, 2 ** 52, 4 * 2 ** 43]) expect(isCell(invalid)).toBe(false);
    expect(() => toCell(-1)).toThrow(RangeError);
    expect(() => snapToGrid(Number.NaN, 0, "street")).toThrow(RangeError);
  });

  it("nests: the coarser cell of a point encloses its finer cell", () => {
    const enclosing = (cell: Cell, precision: Precision) => {
      const { lat, lon } = gridCellCenter(cell);
      return snapToGrid(lat, lon, precision);
    };
    for (const [lat, lon] of points(3000)) {
      const street = snapToGrid(lat, lon, "street");
      const exact = snapToGrid(lat, lon, "exact");
      expect(enclosing(exact, "street")).toBe(street);
      expect(enclosing(street, "district")).toBe(snapToGrid(lat, lon, "district"));
      expect(enclosing(street, "city")).toBe(snapToGrid(lat, lon, "city"));
    }
  });
});

describe("distance", () => {
  it("is correct for a degree, across the date line and for antipodes", () => {
    expect(distanceMeters({ lat: 0, lon: 0 }, { lat: 1, lon: 0 })).toBeCloseTo(111_194.93, 1);
    expect(distanceMeters({ lat: 0, lon: 179.5 }, { lat: 0, lon: -179.5 })).toBeCloseTo(111_194.93, 1);
    expect(distanceMeters({ lat: 90, lon: 0 }, { lat: -90, lon: 0 })).toBeCloseTo(20_015_086.8, 0);
    expect(distanceMeters({ lat: 5, lon: 5 }, { lat: 5, lon: 5 })).toBe(0);
  });
});
