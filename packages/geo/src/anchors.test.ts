import { describe, expect, it } from "vitest";
import {
  type Anchor,
  chooseAnchoredCell,
  type DevicePlaces,
  isAnchor,
  matchRemembered,
  NO_ANCHORS,
  type OwnCells,
  takeFix,
} from "./anchors.ts";
import { distanceMeters, METERS_PER_DEGREE, type Point } from "./distance.ts";
import type { Cell } from "./grid.ts";
import { PRECISIONS, type Precision } from "./grid.ts";
import {
  boundsOfCell,
  cellAt,
  centreOfCell,
  chooseCell,
  DAY_MS,
  latticeOf,
  RESTING_CELLS_MAX,
  RESTING_CLAIM_METERS,
  RESTING_MS,
  type RestingCell,
} from "./lattice.ts";

const MINUTE = 60_000;
const START = 20_000 * DAY_MS;
const LATTICE = latticeOf(0.3, 0.6);
const TOWN = { lat: 33.45, lon: -112.07 };
/** The radius that holds 95 % of fixes: what browsers call accuracy. */
const ACCURACY = 2.45;

/** Numbers in [0, 1) by a fixed sequence. */
const part = (index: number, step: number) => (index * step) % 1;

const beside = ({ lat, lon }: Point, east: number, north: number): Point => ({
  lat: lat + north / METERS_PER_DEGREE,
  lon: lon + east / (METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180)),
});

/** A device with its GPS, and a server that remembers nothing unless told to. */
class Device {
  kept: DevicePlaces = NO_ANCHORS;
  own: OwnCells = { lattice: LATTICE, remembered: [] };
  now = START;
  cell: Cell | null = null;
  #drawn = 0;

  /** A fix that is off by a standard deviation of so many metres on both axes. */
  fix(at: Point, noise = 0, precision: Precision = "street", accuracyMeters = ACCURACY * noise): Cell {
    const point = beside(at, this.#gaussian() * noise, this.#gaussian() * noise);
    const { cell, ...kept } = takeFix(
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

  /** Every cell that is shown in so many minutes, with a fix every few of them. */
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
    const u = 1 - part(this.#drawn, 0.618_033_988_749_895);
    return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * part(this.#drawn + 1, 0.754_877_666_246_693));
  }
}

const remember = (...cells: Cell[]): RestingCell[] => cells.map((cell) => ({ cell, days: 1, lastDay: 20_000 }));

describe("a place that the device knows", () => {
  it.each([15, 40, 60])("shows one cell for thirty nights with %d m of noise, wherever it lies in a cell", (noise) => {
    for (let where = 1; where <= 25; where += 1) {
      const home = beside(TOWN, part(where, 0.618) * 1200, part(where, 0.755) * 1200);
      const bar = beside(home, Math.cos(where) * (300 + 20 * where), Math.sin(where) * (300 + 20 * where));
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

  it("shows what was chosen for it, whatever the server remembers beside it later", () => {
    const device = new Device();
    const { latMax, lonMin, lonMax } = boundsOfCell(LATTICE, cellAt(LATTICE, TOWN, "street"));
    const home = beside({ lat: latMax, lon: (lonMin + lonMax) / 2 }, 0, -20);
    device.rest(home, 60);
    const other = cellAt(LATTICE, beside(home, 0, 40), "street");
    device.own = { lattice: LATTICE, remembered: [{ cell: other, days: 14, lastDay: 20_000 }] };
    expect(chooseCell(LATTICE, device.own.remembered, home, "street")).toBe(other);
    expect(device.fix(home)).toBe(cellAt(LATTICE, home, "street"));
  });

  it("is nobody's on the way: who passes, or stays for less than a rest, leaves none", () => {
    const device = new Device();
    for (let meters = 0; meters < 3000; meters += 75) {
      device.fix(beside(TOWN, meters, 0), 10);
      device.now += MINUTE;
    }
    device.now += MINUTE;
    device.rest(beside(TOWN, 5000, 0), RESTING_MS / MINUTE - 5);
    expect(device.kept.anchors).toEqual([]);
  });

  it("lies where the member rested, and not where they came from", () => {
    for (const every of [1, 20]) {
      const device = new Device();
      for (let meters = 600; meters > 0; meters -= 75) {
        device.fix(beside(TOWN, meters, 0), 10);
        device.now += MINUTE;
      }
      device.rest(TOWN, 120, { noise: 10, every });
      expect(device.kept.anchors).toHaveLength(1);
      expect(distanceMeters(device.kept.anchors[0]!, TOWN)).toBeLessThan(30);
    }
  });

  it("takes the cell of the one beside it, where a GPS could not tell them apart", () => {
    const device = new Device();
    const { latMax, lonMin, lonMax } = boundsOfCell(LATTICE, cellAt(LATTICE, TOWN, "street"));
    const home = beside({ lat: latMax, lon: (lonMin + lonMax) / 2 }, 0, -150);
    device.rest(home, 60);
    device.rest(beside(home, 0, RESTING_CLAIM_METERS + 20), 60, { noise: 15 });
    expect(new Set(device.kept.anchors.map(({ cells }) => cells[0]!.cell))).toEqual(
      new Set([cellAt(LATTICE, home, "street")]),
    );
  });

  it("is across the date line what it is elsewhere", () => {
    const device = new Device();
    const seen = device.rest({ lat: 10, lon: 179.9999 }, 300, { noise: 40 });
    expect(seen.size).toBe(1);
    expect(device.kept.anchors).toHaveLength(1);
    expect(distanceMeters(device.kept.anchors[0]!, { lat: 10, lon: 179.9999 })).toBeLessThan(60);
  });

  it("has one cell for each precision, chosen once at its own point, and none at 11 m", () => {
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
    const near = beside(TOWN, 30, 0);
    expect(chooseAnchoredCell(device.own, device.kept.anchors, { ...near, accuracyMeters: 0 }, "exact")).toBe(
      cellAt(LATTICE, near, "exact"),
    );
  });

  it("is the most used one, where a device hardly knows where it is", () => {
    const device = new Device();
    const office = beside(TOWN, 2000, 0);
    for (let day = 0; day < 3; day += 1) {
      device.rest(TOWN, 60);
      device.now += DAY_MS;
    }
    device.rest(office, 60);
    const known = device.kept;
    expect(device.fix(office, 0, "street", 3000)).toBe(cellAt(LATTICE, TOWN, "street"));
    expect(device.kept).toEqual(known);
  });

  it("is chosen anew when the member's grid has moved", () => {
    const device = new Device();
    device.rest(TOWN, 60);
    device.own = { lattice: latticeOf(0.8, 0.1), remembered: [] };
    device.rest(TOWN, 60);
    expect(device.cell).toBe(cellAt(device.own.lattice, TOWN, "street"));
    expect(device.kept.anchors).toMatchObject([{ cells: [{ cell: device.cell }] }]);
  });

  it("is found again by the server from the centre that is reported, whatever that remembers", () => {
    for (let scene = 1; scene <= 400; scene += 1) {
      const lattice = latticeOf(part(scene, 0.5698), part(scene, 0.7549));
      const place = { lat: 160 * part(scene, 0.618) - 80, lon: 360 * part(scene, 0.2887) - 180 };
      for (const precision of PRECISIONS) {
        const near = Array.from({ length: 8 }, (_, turn) =>
          cellAt(lattice, beside(place, Math.cos(turn) * 700, Math.sin(turn) * 700), precision),
        );
        const device = new Device();
        device.own = { lattice, remembered: [] };
        device.rest(place, 60, { noise: 40, precision });
        device.own = { lattice, remembered: remember(...near) };
        const cell = device.fix(place, 40, precision);
        for (const last of [null, ...near])
          expect(chooseCell(lattice, device.own.remembered, centreOfCell(lattice, cell), precision, 0, last)).toBe(
            cell,
          );
      }
    }
  });
});

describe("what the device keeps", () => {
  it("is at most sixteen places, those that are used among them, and ends with disuse", () => {
    const device = new Device();
    for (let day = 0; day < 30; day += 1) {
      device.now = START + day * DAY_MS;
      device.rest(TOWN, 60);
      device.rest(beside(TOWN, 2000 * (day + 1), 0), 60);
    }
    expect(device.kept.anchors).toHaveLength(RESTING_CELLS_MAX);
    expect(device.kept.anchors[0]).toMatchObject({ days: 14, lastDay: 20_029 });
    device.now = START + 90 * DAY_MS;
    device.rest(TOWN, 60);
    expect(device.kept.anchors).toHaveLength(1);
  });

  it("changes seldom: each change is a write", () => {
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

  it("goes where the server's list has lost it, and all of it with the whole list", () => {
    const device = new Device();
    device.rest(TOWN, 60);
    device.rest(beside(TOWN, 3000, 0), 60);
    const { anchors } = device.kept;
    const [home, bar] = anchors.map(({ cells }) => cells[0]!.cell) as [Cell, Cell];
    expect(matchRemembered(anchors, [])).toBe(anchors);
    const told = matchRemembered(anchors, remember(home));
    expect(told.map(({ cells }) => cells[0]!.remembered)).toEqual([true, false]);
    expect(matchRemembered(told, remember(home))).toBe(told);
    const both = matchRemembered(told, remember(home, bar));
    expect(matchRemembered(both, remember(bar))).toEqual([both[1]]);
    expect(matchRemembered(told, [])).toEqual([]);
  });

  it("is taken for nothing when it is not of its own making", () => {
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
