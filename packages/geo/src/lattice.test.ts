import { describe, expect, it } from "vitest";
import { METERS_PER_DEGREE, type Point } from "./distance.ts";
import type { Cell } from "./grid.ts";
import { cellAtPrecision, PRECISIONS } from "./grid.ts";
import {
  boundsOfCell,
  cellAt,
  centreOfCell,
  chooseCell,
  DAY_MS,
  latticeOf,
  MOVING_HOLD_METERS,
  metersOutside,
  publishedPoint,
  RESTING_CELLS_MAX,
  RESTING_CLAIM_METERS,
  RESTING_MS,
  type RestingCell,
  rememberRest,
  type ShownCell,
} from "./lattice.ts";

/** Numbers in [0, 1) by a fixed sequence. */
const part = (index: number, step: number) => (index * step) % 1;

/** Lattices and points all over the globe, the poles and the date line among them. */
function* scenes(count: number) {
  const ends: Point[] = [
    { lat: 90, lon: 0 },
    { lat: -90, lon: 0 },
    { lat: 89.999, lon: 179.999 },
    { lat: -89.999, lon: -179.999 },
    { lat: 0, lon: 180 },
    { lat: 0, lon: -180 },
    { lat: 33.45, lon: 179.999_999 },
  ];
  for (let index = 1; index <= count; index += 1) {
    const lattice = latticeOf(part(index, 0.569_840_290_998), part(index, 0.754_877_666_247));
    const shown = latticeOf(part(index, 0.324_717_957_245), part(index, 0.819_172_513_396));
    const u = part(index, 0.618_033_988_75);
    const point = ends[index % 9] ?? {
      lat: (Math.asin(2 * u - 1) * 180) / Math.PI,
      lon: part(index, 0.2887) * 360 - 180,
    };
    yield { lattice, shown, point };
  }
}

const beside = ({ lat, lon }: Point, east: number, north: number): Point => ({
  lat: lat + north / METERS_PER_DEGREE,
  lon: lon + east / (METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180)),
});

/** A cell that was shown for a while on a day. */
const rest = (remembered: readonly RestingCell[], cell: Cell, day: number) =>
  rememberRest(remembered, restedIn(cell, day), day * DAY_MS + RESTING_MS);
const restedIn = (cell: Cell, day: number): ShownCell => ({ cell, pendingCell: null, tsPublished: day * DAY_MS });

describe("a member's cells", () => {
  it("hold the points they are found by, and are found again by their centres", () => {
    for (const { lattice, point } of scenes(3000)) {
      for (const precision of PRECISIONS) {
        const cell = cellAt(lattice, point, precision);
        expect(cellAt(lattice, centreOfCell(lattice, cell), precision)).toBe(cell);
        if (Math.abs(point.lat) < 89.9) expect(metersOutside(lattice, cell, point)).toBeLessThan(0.01);
      }
    }
  });

  it("nest, so that another precision tells no more than the finer cell", () => {
    for (const { lattice, point } of scenes(2000)) {
      const street = cellAt(lattice, point, "street");
      for (const precision of ["district", "city"] as const)
        expect(cellAt(lattice, point, precision)).toBe(cellAtPrecision(street, precision));
    }
  });

  it("lie where their bounds say, across the date line too", () => {
    for (const { lattice, point } of scenes(500)) {
      if (Math.abs(point.lat) > 89) continue;
      const cell = cellAt(lattice, point, "street");
      const { latMin, latMax, lonMin, lonMax } = boundsOfCell(lattice, cell);
      const width = (lonMax - lonMin + 360) % 360;
      const inside = (lon: number) => (lon - lonMin + 720) % 360 <= width + 1e-9;
      expect(point.lat >= latMin - 1e-9 && point.lat <= latMax + 1e-9 && inside(point.lon)).toBe(true);
    }
  });

  it("have other borders than the next member's", () => {
    const point = { lat: 33.45, lon: -112.07 };
    const borders = [...scenes(200)].map(
      ({ lattice }) => boundsOfCell(lattice, cellAt(lattice, point, "street")).latMin,
    );
    expect(new Set(borders.map((latMin) => latMin.toFixed(6))).size).toBeGreaterThan(195);
  });
});

describe("the published point", () => {
  it("is one for a cell, wherever in it the member is, and lies in it", () => {
    for (const { lattice, shown, point } of scenes(2000)) {
      for (const precision of PRECISIONS) {
        const cell = cellAt(lattice, point, precision);
        const published = publishedPoint(lattice, shown, cell);
        // Where a band of latitude ends, columns shift: by a hair the point may lie beyond the edge.
        if (Math.abs(point.lat) < 80) expect(metersOutside(lattice, cell, published)).toBeLessThan(1);
        expect(publishedPoint(lattice, shown, cellAt(lattice, centreOfCell(lattice, cell), precision))).toEqual(
          published,
        );
      }
    }
  });

  it("lies anywhere in the cell for whoever knows neither lattice", () => {
    const point = { lat: 33.45, lon: -112.07 };
    const places = [...scenes(4000)].map(({ lattice, shown }) => {
      const cell = cellAt(lattice, point, "street");
      const { latMin, latMax } = boundsOfCell(lattice, cell);
      return (publishedPoint(lattice, shown, cell).lat - latMin) / (latMax - latMin);
    });
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const share = places.filter((at) => at >= tenth / 10 && at < (tenth + 1) / 10).length / places.length;
      expect(share).toBeGreaterThan(0.07);
      expect(share).toBeLessThan(0.13);
    }
  });
});

describe("the cell that stands for a place", () => {
  const lattice = latticeOf(0.3, 0.6);
  const home = { lat: 33.45, lon: -112.07 };

  it("is found again by its centre, whatever is remembered: the server repeats what the device chose", () => {
    for (const { lattice: own, point } of scenes(1500)) {
      for (const precision of PRECISIONS) {
        const remembered: RestingCell[] = [];
        for (let index = 0; index < 8; index += 1) {
          const near = beside(point, Math.cos(index) * 700, Math.sin(index) * 700);
          if (Math.abs(near.lat) > 89) continue;
          remembered.push({ cell: cellAt(own, near, precision), days: 1 + index, lastDay: 20_000 });
        }
        const chosen = chooseCell(own, remembered, point, precision);
        expect(chooseCell(own, remembered, centreOfCell(own, chosen), precision)).toBe(chosen);
      }
    }
  });

  it("never flips after the first day, with 60 m of noise, wherever in a cell the member lives", () => {
    for (let where = 1; where <= 60; where += 1) {
      const place = beside(home, part(where, 0.618) * 1200, part(where, 0.755) * 1200);
      const first = cellAt(lattice, place, "street");
      const remembered = rest([], first, 20_000);
      for (let fix = 1; fix <= 300; fix += 1) {
        const wild = beside(place, Math.sin(fix * 12.9) * 180, Math.sin(fix * 78.2) * 180);
        expect(chooseCell(lattice, remembered, wild, "street")).toBe(first);
      }
    }
  });

  it("is the most used place, where a device hardly knows where it is", () => {
    const first = cellAt(lattice, home, "street");
    const remembered = rest([], first, 20_000);
    const far = beside(home, 1500, 0);
    expect(chooseCell(lattice, remembered, far, "street", 2000)).toBe(first);
    expect(chooseCell(lattice, remembered, far, "street", 100)).toBe(cellAt(lattice, far, "street"));
  });

  it("is the very cell at 11 m, where nothing is remembered", () => {
    const first = cellAt(lattice, home, "exact");
    expect(rest([], first, 20_000)).toEqual([]);
    const near = beside(home, 30, 0);
    expect(chooseCell(lattice, [{ cell: first, days: 9, lastDay: 20_000 }], near, "exact")).toBe(
      cellAt(lattice, near, "exact"),
    );
  });

  it("changes on the move a little past the border, so that a street along it does not flip", () => {
    const first = cellAt(lattice, home, "street");
    const { latMax, lonMin, lonMax } = boundsOfCell(lattice, first);
    const edge = { lat: latMax, lon: (lonMin + lonMax) / 2 };
    const at = (north: number) => chooseCell(lattice, [], beside(edge, 0, north), "street", 0, first);
    expect(at(MOVING_HOLD_METERS - 1)).toBe(first);
    expect(at(MOVING_HOLD_METERS + 1)).not.toBe(first);
    expect(chooseCell(lattice, [], beside(edge, 0, 1), "district", 0, first)).toBe(cellAt(lattice, edge, "district"));
  });

  it("reaches no farther than it claims", () => {
    const first = cellAt(lattice, home, "street");
    const { latMax, lonMin, lonMax } = boundsOfCell(lattice, first);
    const edge = { lat: latMax, lon: (lonMin + lonMax) / 2 };
    const remembered = rest([], first, 20_000);
    const at = (north: number) => chooseCell(lattice, remembered, beside(edge, 0, north), "street");
    expect(at(RESTING_CLAIM_METERS - 1)).toBe(first);
    expect(at(RESTING_CLAIM_METERS + 1)).not.toBe(first);
  });
});

describe("what is remembered", () => {
  const cells = Array.from({ length: 40 }, (_, index) =>
    cellAt(latticeOf(0.1, 0.2), { lat: index, lon: index }, "street"),
  );

  it("is at most sixteen cells, and what is used stays", () => {
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

  it("is where the member stayed, and not what they passed on the way, nor what was never shown", () => {
    const shown = restedIn(cells[0]!, 20_000);
    expect(rememberRest([], shown, shown.tsPublished + RESTING_MS - 1)).toEqual([]);
    expect(rememberRest([], { ...shown, pendingCell: cells[1]! }, shown.tsPublished + DAY_MS)).toEqual([]);
    expect(rememberRest([], shown, shown.tsPublished + RESTING_MS)).toMatchObject([{ cell: cells[0], days: 1 }]);
  });

  it("is the same list again within a day, and ends with disuse", () => {
    const once = rest([], cells[0]!, 20_000);
    expect(rest(once, cells[0]!, 20_000)).toBe(once);
    expect(rest(once, cells[1]!, 20_031)).toHaveLength(2);
    expect(rest(once, cells[1]!, 20_032)).toHaveLength(1);
    const twice = rest(once, cells[0]!, 20_001);
    expect(rest(twice, cells[1]!, 20_184)).toHaveLength(2);
    expect(rest(twice, cells[1]!, 20_185)).toHaveLength(1);
  });
});
