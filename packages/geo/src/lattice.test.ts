import { describe, expect, it } from "vitest";
import { METERS_PER_DEGREE, type Point } from "./distance.ts";
import { type Cell, gridCellCenter, PRECISIONS, snapToGrid } from "./grid.ts";
import {
  cellAt,
  cellBounds,
  cellCenter,
  chooseCell,
  latticeOf,
  MOVING_HOLD_METERS,
  metersOutsideCell,
  publishedPoint,
  RESTING_CELLS_MAX,
  RESTING_CLAIM_METERS,
  RESTING_MS,
  type RestingCell,
  rememberRestingCell,
  type ShownCell,
} from "./lattice.ts";
import { DAY_MS } from "./time.ts";

/** A fixed low-discrepancy sequence in [0, 1). */
const fraction = (index: number, step: number) => (index * step) % 1;

/** A fixed sequence of lattices and points all over the globe, including the poles and the date line. */
function* scenes(count: number) {
  const edgeCases: Point[] = [
    { lat: 90, lon: 0 },
    { lat: -90, lon: 0 },
    { lat: 89.999, lon: 179.999 },
    { lat: -89.999, lon: -179.999 },
    { lat: 0, lon: 180 },
    { lat: 0, lon: -180 },
    { lat: 33.45, lon: 179.999_999 },
  ];
  for (let index = 1; index <= count; index += 1) {
    const lattice = latticeOf(fraction(index, 0.569_840_290_998), fraction(index, 0.754_877_666_247));
    const shown = latticeOf(fraction(index, 0.324_717_957_245), fraction(index, 0.819_172_513_396));
    const u = fraction(index, 0.618_033_988_75);
    const point = edgeCases[index % 9] ?? {
      lat: (Math.asin(2 * u - 1) * 180) / Math.PI,
      lon: fraction(index, 0.2887) * 360 - 180,
    };
    yield { lattice, shown, point };
  }
}

const offset = ({ lat, lon }: Point, east: number, north: number): Point => ({
  lat: lat + north / METERS_PER_DEGREE,
  lon: lon + east / (METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180)),
});

/** Remembers a cell that was shown long enough on a day. */
const rest = (remembered: readonly RestingCell[], cell: Cell, day: number) =>
  rememberRestingCell(remembered, restedIn(cell, day), day * DAY_MS + RESTING_MS);
const restedIn = (cell: Cell, day: number): ShownCell => ({ cell, pendingCell: null, tsPublished: day * DAY_MS });

describe("a member's cells", () => {
  it("contain the points they were chosen for, and map to themselves by their centers", () => {
    for (const { lattice, point } of scenes(3000)) {
      for (const precision of PRECISIONS) {
        const cell = cellAt(lattice, point, precision);
        expect(cellAt(lattice, cellCenter(lattice, cell), precision)).toBe(cell);
        if (Math.abs(point.lat) < 89.9) expect(metersOutsideCell(lattice, cell, point)).toBeLessThan(0.01);
      }
    }
  });

  it("nest, so that another precision reveals no more than the finer cell", () => {
    for (const { lattice, point } of scenes(2000)) {
      const { lat, lon } = gridCellCenter(cellAt(lattice, point, "street"));
      for (const precision of ["district", "city"] as const)
        expect(cellAt(lattice, point, precision)).toBe(snapToGrid(lat, lon, precision));
    }
  });

  it("lie within their bounds, also across the date line", () => {
    for (const { lattice, point } of scenes(500)) {
      if (Math.abs(point.lat) > 89) continue;
      const cell = cellAt(lattice, point, "street");
      const { latMin, latMax, lonMin, lonMax } = cellBounds(lattice, cell);
      const width = (lonMax - lonMin + 360) % 360;
      const inside = (lon: number) => (lon - lonMin + 720) % 360 <= width + 1e-9;
      expect(point.lat >= latMin - 1e-9 && point.lat <= latMax + 1e-9 && inside(point.lon)).toBe(true);
    }
  });

  it("have different borders for each member", () => {
    const point = { lat: 33.45, lon: -112.07 };
    const borders = [...scenes(200)].map(({ lattice }) => cellBounds(lattice, cellAt(lattice, point, "street")).latMin);
    expect(new Set(borders.map((latMin) => latMin.toFixed(6))).size).toBeGreaterThan(195);
  });
});

describe("the published point", () => {
  it("is the same wherever in the cell the member is, and lies in that cell", () => {
    for (const { lattice, shown, point } of scenes(2000)) {
      for (const precision of PRECISIONS) {
        const cell = cellAt(lattice, point, precision);
        const published = publishedPoint(lattice, shown, cell);
        // Columns shift at the edge of a latitude band, so the point may lie slightly beyond the border.
        if (Math.abs(point.lat) < 80) expect(metersOutsideCell(lattice, cell, published)).toBeLessThan(1);
        expect(publishedPoint(lattice, shown, cellAt(lattice, cellCenter(lattice, cell), precision))).toEqual(
          published,
        );
      }
    }
  });

  it("is uniformly distributed over the cell for observers who know neither lattice", () => {
    const point = { lat: 33.45, lon: -112.07 };
    const places = [...scenes(4000)].map(({ lattice, shown }) => {
      const cell = cellAt(lattice, point, "street");
      const { latMin, latMax } = cellBounds(lattice, cell);
      return (publishedPoint(lattice, shown, cell).lat - latMin) / (latMax - latMin);
    });
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const share = places.filter((at) => at >= tenth / 10 && at < (tenth + 1) / 10).length / places.length;
      expect(share).toBeGreaterThan(0.07);
      expect(share).toBeLessThan(0.13);
    }
  });
});

describe("the chosen cell", () => {
  const lattice = latticeOf(0.3, 0.6);
  const home = { lat: 33.45, lon: -112.07 };

  it("maps to itself by its center, whatever is remembered, so that the server agrees with the device", () => {
    for (const { lattice: own, point } of scenes(1500)) {
      for (const precision of PRECISIONS) {
        const remembered: RestingCell[] = [];
        for (let index = 0; index < 8; index += 1) {
          const near = offset(point, Math.cos(index) * 700, Math.sin(index) * 700);
          if (Math.abs(near.lat) > 89) continue;
          remembered.push({ cell: cellAt(own, near, precision), days: 1 + index, lastDay: 20_000 });
        }
        const chosen = chooseCell(own, remembered, point, precision);
        expect(chooseCell(own, remembered, cellCenter(own, chosen), precision)).toBe(chosen);
      }
    }
  });

  it("never flips after the first day at 60 m of noise, wherever in the cell the member lives", () => {
    for (let index = 1; index <= 60; index += 1) {
      const place = offset(home, fraction(index, 0.618) * 1200, fraction(index, 0.755) * 1200);
      const first = cellAt(lattice, place, "street");
      const remembered = rest([], first, 20_000);
      for (let fix = 1; fix <= 300; fix += 1) {
        const noisy = offset(place, Math.sin(fix * 12.9) * 180, Math.sin(fix * 78.2) * 180);
        expect(chooseCell(lattice, remembered, noisy, "street")).toBe(first);
      }
    }
  });

  it("is that of the most used place when the point is very inaccurate", () => {
    const first = cellAt(lattice, home, "street");
    const remembered = rest([], first, 20_000);
    const far = offset(home, 1500, 0);
    expect(chooseCell(lattice, remembered, far, "street", 2000)).toBe(first);
    expect(chooseCell(lattice, remembered, far, "street", 100)).toBe(cellAt(lattice, far, "street"));
  });

  it("is the cell of the point itself at exact precision, where nothing is remembered", () => {
    const first = cellAt(lattice, home, "exact");
    expect(rest([], first, 20_000)).toEqual([]);
    const near = offset(home, 30, 0);
    expect(chooseCell(lattice, [{ cell: first, days: 9, lastDay: 20_000 }], near, "exact")).toBe(
      cellAt(lattice, near, "exact"),
    );
  });

  it("changes only a little past the border while moving, so that a street along it does not flip", () => {
    const first = cellAt(lattice, home, "street");
    const { latMax, lonMin, lonMax } = cellBounds(lattice, first);
    const edge = { lat: latMax, lon: (lonMin + lonMax) / 2 };
    const at = (north: number) => chooseCell(lattice, [], offset(edge, 0, north), "street", 0, first);
    expect(at(MOVING_HOLD_METERS - 1)).toBe(first);
    expect(at(MOVING_HOLD_METERS + 1)).not.toBe(first);
    expect(chooseCell(lattice, [], offset(edge, 0, 1), "district", 0, first)).toBe(cellAt(lattice, edge, "district"));
  });

  it("covers points only within its claim distance", () => {
    const first = cellAt(lattice, home, "street");
    const { latMax, lonMin, lonMax } = cellBounds(lattice, first);
    const edge = { lat: latMax, lon: (lonMin + lonMax) / 2 };
    const remembered = rest([], first, 20_000);
    const at = (north: number) => chooseCell(lattice, remembered, offset(edge, 0, north), "street");
    expect(at(RESTING_CLAIM_METERS - 1)).toBe(first);
    expect(at(RESTING_CLAIM_METERS + 1)).not.toBe(first);
  });
});

describe("the remembered cells", () => {
  const cells = Array.from({ length: 40 }, (_, index) =>
    cellAt(latticeOf(0.1, 0.2), { lat: index, lon: index }, "street"),
  );

  it("number at most sixteen, and the most used stay", () => {
    let remembered: readonly RestingCell[] = [];
    for (let day = 0; day < 40; day += 1) {
      remembered = rest(remembered, cells[0]!, 20_000 + day);
      remembered = rest(remembered, cells[day]!, 20_000 + day);
      expect(remembered.length).toBeLessThanOrEqual(RESTING_CELLS_MAX);
      expect(remembered[0]?.cell).toBe(cells[0]);
    }
    expect(remembered).toHaveLength(RESTING_CELLS_MAX);
    expect(remembered[0]).toEqual({ cell: cells[0], days: 14, lastDay: 20_039 });
  });

  it("are those where the member stayed, not those passed on the way or never shown", () => {
    const shown = restedIn(cells[0]!, 20_000);
    expect(rememberRestingCell([], shown, shown.tsPublished + RESTING_MS - 1)).toEqual([]);
    expect(rememberRestingCell([], { ...shown, pendingCell: cells[1]! }, shown.tsPublished + DAY_MS)).toEqual([]);
    expect(rememberRestingCell([], shown, shown.tsPublished + RESTING_MS)).toMatchObject([{ cell: cells[0], days: 1 }]);
  });

  it("do not change again within a day, and expire when unused", () => {
    const usedOnce = rest([], cells[0]!, 20_000);
    expect(rest(usedOnce, cells[0]!, 20_000)).toBe(usedOnce);
    expect(rest(usedOnce, cells[1]!, 20_031)).toHaveLength(2);
    expect(rest(usedOnce, cells[1]!, 20_032)).toHaveLength(1);
    const usedTwice = rest(usedOnce, cells[0]!, 20_001);
    expect(rest(usedTwice, cells[1]!, 20_184)).toHaveLength(2);
    expect(rest(usedTwice, cells[1]!, 20_185)).toHaveLength(1);
  });
});
