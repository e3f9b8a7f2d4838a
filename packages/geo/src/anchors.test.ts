import { describe, expect, it } from "vitest";
import {
  type Anchor,
  type AnchorState,
  applyFix,
  chooseAnchoredCell,
  isAnchor,
  NO_ANCHORS,
  type OwnCells,
  syncAnchors,
} from "./anchors.ts";
import { distanceMeters, METERS_PER_DEGREE, type Point } from "./distance.ts";
import { type Cell, PRECISIONS, type Precision } from "./grid.ts";
import {
  cellAt,
  cellBounds,
  cellCenter,
  chooseCell,
  latticeOf,
  RESTING_CELLS_MAX,
  RESTING_CLAIM_METERS,
  RESTING_MS,
  type RestingCell,
} from "./lattice.ts";
import { DAY_MS } from "./time.ts";

const MINUTE = 60_000;
const START = 20_000 * DAY_MS;
const LATTICE = latticeOf(0.3, 0.6);
const TOWN = { lat: 33.45, lon: -112.07 };
/** Browsers report as accuracy the radius that contains 95 % of fixes, in standard deviations. */
const ACCURACY = 2.45;

/** A fixed low-discrepancy sequence in [0, 1). */
const fraction = (index: number, step: number) => (index * step) % 1;

const offset = ({ lat, lon }: Point, east: number, north: number): Point => ({
  lat: lat + north / METERS_PER_DEGREE,
  lon: lon + east / (METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180)),
});

/** A device with GPS, and a server that remembers nothing by default. */
class Device {
  kept: AnchorState = NO_ANCHORS;
  own: OwnCells = { lattice: LATTICE, remembered: [] };
  now = START;
  cell: Cell | null = null;
  #drawn = 0;

  /** A fix with Gaussian noise: the standard deviation in meters on both axes. */
  fix(at: Point, noise = 0, precision: Precision = "street", accuracyMeters = ACCURACY * noise): Cell {
    const point = offset(at, this.#gaussian() * noise, this.#gaussian() * noise);
    const { cell, ...kept } = applyFix(
      this.own,
      this.kept,
      { ...point, accuracyMeters },
      precision,
      this.cell,
      this.now,
    );
    this.kept = kept;
    this.cell = cell;
    return cell;
  }

  /** Stays at a point for some minutes, with a fix every `every` minutes; returns all cells shown. */
  rest(at: Point, minutes: number, { noise = 0, every = 5, precision = "street" as Precision } = {}): Set<number> {
    const seen = new Set<number>();
    for (let minute = 0; minute <= minutes; minute += every) {
      seen.add(this.fix(at, noise, precision));
      this.now += every * MINUTE;
    }
    return seen;
  }

  #gaussian(): number {
    this.#drawn += 2;
    const u = 1 - fraction(this.#drawn, 0.618_033_988_749_895);
    return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * fraction(this.#drawn + 1, 0.754_877_666_246_693));
  }
}

const remember = (...cells: Cell[]): RestingCell[] => cells.map((cell) => ({ cell, days: 1, lastDay: 20_000 }));

describe("an anchor", () => {
  it.each([15, 40, 60])("shows one cell for thirty nights at %d m of noise, wherever in the cell it lies", (noise) => {
    for (let index = 1; index <= 25; index += 1) {
      const home = offset(TOWN, fraction(index, 0.618) * 1200, fraction(index, 0.755) * 1200);
      const bar = offset(home, Math.cos(index) * (300 + 20 * index), Math.sin(index) * (300 + 20 * index));
      const device = new Device();
      device.rest(bar, 40, { noise });
      device.own = { ...device.own, remembered: remember(device.cell!) };
      device.rest(home, 60, { noise });
      const [first, seen] = [device.cell!, new Set<number>()];
      device.own = { ...device.own, remembered: [...device.own.remembered, ...remember(first)] };
      for (let night = 0; night < 30; night += 1) {
        device.now += 18 * 60 * MINUTE;
        if (night % 2 === 0) device.rest(bar, 40, { noise });
        for (const cell of device.rest(home, 5 * 60, { noise, every: 20 })) seen.add(cell);
      }
      expect([...seen]).toEqual([first]);
    }
  });

  it("keeps its cell, even if the server later remembers a neighboring one", () => {
    const device = new Device();
    const { latMax, lonMin, lonMax } = cellBounds(LATTICE, cellAt(LATTICE, TOWN, "street"));
    const home = offset({ lat: latMax, lon: (lonMin + lonMax) / 2 }, 0, -20);
    device.rest(home, 60);
    const other = cellAt(LATTICE, offset(home, 0, 40), "street");
    device.own = { lattice: LATTICE, remembered: [{ cell: other, days: 14, lastDay: 20_000 }] };
    expect(chooseCell(LATTICE, device.own.remembered, home, "street")).toBe(other);
    expect(device.fix(home)).toBe(cellAt(LATTICE, home, "street"));
  });

  it("is not created while passing by, nor by a stay shorter than a rest", () => {
    const device = new Device();
    for (let meters = 0; meters < 3000; meters += 75) {
      device.fix(offset(TOWN, meters, 0), 10);
      device.now += MINUTE;
    }
    device.now += MINUTE;
    device.rest(offset(TOWN, 5000, 0), RESTING_MS / MINUTE - 5);
    expect(device.kept.anchors).toEqual([]);
  });

  it("lies where the member rested, not where they came from", () => {
    for (const every of [1, 20]) {
      const device = new Device();
      for (let meters = 600; meters > 0; meters -= 75) {
        device.fix(offset(TOWN, meters, 0), 10);
        device.now += MINUTE;
      }
      device.rest(TOWN, 120, { noise: 10, every });
      expect(device.kept.anchors).toHaveLength(1);
      expect(distanceMeters(device.kept.anchors[0]!, TOWN)).toBeLessThan(30);
    }
  });

  it("takes the cell of a neighboring anchor that GPS cannot distinguish", () => {
    const device = new Device();
    const { latMax, lonMin, lonMax } = cellBounds(LATTICE, cellAt(LATTICE, TOWN, "street"));
    const home = offset({ lat: latMax, lon: (lonMin + lonMax) / 2 }, 0, -150);
    device.rest(home, 60);
    device.rest(offset(home, 0, RESTING_CLAIM_METERS + 20), 60, { noise: 15 });
    expect(new Set(device.kept.anchors.map(({ cells }) => cells[0]!.cell))).toEqual(
      new Set([cellAt(LATTICE, home, "street")]),
    );
  });

  it("works across the date line", () => {
    const device = new Device();
    const seen = device.rest({ lat: 10, lon: 179.9999 }, 300, { noise: 40 });
    expect(seen.size).toBe(1);
    expect(device.kept.anchors).toHaveLength(1);
    expect(distanceMeters(device.kept.anchors[0]!, { lat: 10, lon: 179.9999 })).toBeLessThan(60);
  });

  it("has one cell per precision, chosen once at its own point, and none at exact precision", () => {
    const device = new Device();
    for (const precision of ["street", "district", "city"] as const) {
      device.rest(TOWN, 60, { precision });
      expect(device.cell).toBe(cellAt(LATTICE, TOWN, precision));
    }
    device.rest(TOWN, 60, { precision: "exact" });
    const [anchor, ...others] = device.kept.anchors;
    expect(others).toEqual([]);
    expect(anchor?.cells.map(({ cell }) => cell)).toEqual(
      (["street", "district", "city"] as const).map((precision) => cellAt(LATTICE, TOWN, precision)),
    );
    const near = offset(TOWN, 30, 0);
    expect(chooseAnchoredCell(device.own, device.kept.anchors, { ...near, accuracyMeters: 0 }, "exact")).toBe(
      cellAt(LATTICE, near, "exact"),
    );
  });

  it("is the most used one when the fix is very inaccurate", () => {
    const device = new Device();
    const office = offset(TOWN, 2000, 0);
    for (let day = 0; day < 3; day += 1) {
      device.rest(TOWN, 60);
      device.now += DAY_MS;
    }
    device.rest(office, 60);
    const known = device.kept;
    expect(device.fix(office, 0, "street", 3000)).toBe(cellAt(LATTICE, TOWN, "street"));
    expect(device.kept).toEqual(known);
  });

  it("gets a new cell when the member's grid has moved", () => {
    const device = new Device();
    device.rest(TOWN, 60);
    device.own = { lattice: latticeOf(0.8, 0.1), remembered: [] };
    device.rest(TOWN, 60);
    expect(device.cell).toBe(cellAt(device.own.lattice, TOWN, "street"));
    expect(device.kept.anchors).toMatchObject([{ cells: [{ cell: device.cell }] }]);
  });

  it("maps to the same cell on the server, from the reported center and whatever the server remembers", () => {
    for (let index = 1; index <= 400; index += 1) {
      const lattice = latticeOf(fraction(index, 0.5698), fraction(index, 0.7549));
      const place = { lat: 160 * fraction(index, 0.618) - 80, lon: 360 * fraction(index, 0.2887) - 180 };
      for (const precision of PRECISIONS) {
        const near = Array.from({ length: 8 }, (_, angle) =>
          cellAt(lattice, offset(place, Math.cos(angle) * 700, Math.sin(angle) * 700), precision),
        );
        const device = new Device();
        device.own = { lattice, remembered: [] };
        device.rest(place, 60, { noise: 40, precision });
        device.own = { lattice, remembered: remember(...near) };
        const cell = device.fix(place, 40, precision);
        for (const last of [null, ...near])
          expect(chooseCell(lattice, device.own.remembered, cellCenter(lattice, cell), precision, 0, last)).toBe(cell);
      }
    }
  });
});

describe("the device's anchors", () => {
  it("number at most sixteen, keep the most used, and expire when unused", () => {
    const device = new Device();
    for (let day = 0; day < 30; day += 1) {
      device.now = START + day * DAY_MS;
      device.rest(TOWN, 60);
      device.rest(offset(TOWN, 2000 * (day + 1), 0), 60);
    }
    expect(device.kept.anchors).toHaveLength(RESTING_CELLS_MAX);
    expect(device.kept.anchors[0]).toMatchObject({ days: 14, lastDay: 20_029 });
    device.now = START + 90 * DAY_MS;
    device.rest(TOWN, 60);
    expect(device.kept.anchors).toHaveLength(1);
  });

  it("change rarely, because each change is a write to storage", () => {
    const device = new Device();
    const lists = new Set<unknown>();
    for (let night = 0; night < 10; night += 1) {
      for (let second = 0; second < 4 * 3600; second += 5) {
        device.fix(TOWN, 40);
        lists.add(device.kept.anchors);
        device.now += 5000;
      }
      device.now += 20 * 3_600_000;
    }
    expect(lists.size).toBeLessThan(30);
  });

  it("are dropped when the server stops listing their cells, and all at once when its list is empty", () => {
    const device = new Device();
    device.rest(TOWN, 60);
    device.rest(offset(TOWN, 3000, 0), 60);
    const { anchors } = device.kept;
    const [home, bar] = anchors.map(({ cells }) => cells[0]!.cell) as [Cell, Cell];
    expect(syncAnchors(anchors, [])).toBe(anchors);
    const listed = syncAnchors(anchors, remember(home));
    expect(listed.map(({ cells }) => cells[0]!.remembered)).toEqual([true, false]);
    expect(syncAnchors(listed, remember(home))).toBe(listed);
    const both = syncAnchors(listed, remember(home, bar));
    expect(syncAnchors(both, remember(bar))).toEqual([both[1]]);
    expect(syncAnchors(listed, [])).toEqual([]);
  });

  it("reject stored values that are malformed", () => {
    const device = new Device();
    device.rest(TOWN, 60);
    const [anchor] = device.kept.anchors as [Anchor];
    expect(isAnchor(JSON.parse(JSON.stringify(anchor)))).toBe(true);
    for (const broken of [
      null,
      7,
      {},
      { ...anchor, lat: "1" },
      { ...anchor, cells: [{ cell: -1, remembered: true }] },
      { ...anchor, cells: [null] },
    ])
      expect(isAnchor(broken)).toBe(false);
  });
});
