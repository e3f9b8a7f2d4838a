/** Simulates what others see of a member's GPS fixes, by the product's rule and by the previous one. */
import { POSITION_PUBLISH_MIN_MS } from "@lambda/contract/limits";
import { type AnchorState, applyFix, NO_ANCHORS, syncAnchors } from "@lambda/geo/anchors";
import { METERS_PER_DEGREE, type Point } from "@lambda/geo/distance";
import type { Cell } from "@lambda/geo/grid";
import {
  cellPrecision,
  gridCellBounds,
  gridCellCenter,
  type Precision,
  snapToGrid,
  wrapLongitude,
} from "@lambda/geo/grid";
import { cellCenter, chooseCell, publishedPoint, type RestingCell, rememberRestingCell } from "@lambda/geo/lattice";
import { nextState, type PositionState } from "@lambda/worker/position-rules";
import { type Account, EQUATOR, type Spot, spotOf } from "./world.ts";

export interface Fix {
  readonly point: Point;
  readonly precision: Precision;
  readonly now: number;
  /** As reported by the device. */
  readonly accuracyMeters: number;
}

/** A simulated account. */
export interface Subject {
  /** Simulates a new login, which clears the device's own data. */
  forget(): void;
  /** Switches to another of the member's devices, by index. */
  switchDevice(device: number): void;
  fix(fix: Fix): void;
  /** The marker that an attacker sees now. */
  observe(now: number): Spot;
}

export interface Rule {
  readonly name: string;
  /** Whether anybody can compute the borders of a marker's cell. */
  readonly publicGrid: boolean;
  readonly subject: (account: Account, center?: Point) => Subject;
}

/** The server's part: publishes at most one change in 15 minutes; a cron job publishes pending ones. */
abstract class ReportingSubject implements Subject {
  state: PositionState | undefined;
  readonly #spots = new Map<number, Spot>();
  readonly #center: Point;

  constructor(center: Point) {
    this.#center = center;
  }

  protected abstract published(cell: Cell): Point;
  abstract forget(): void;
  abstract switchDevice(device: number): void;
  abstract fix(fix: Fix): void;

  protected report(cell: Cell, now: number): void {
    const sent = { use: "DEVICE_GPS", tsEffectiveUntil: null } as const;
    this.state = nextState(this.state, sent, cell, cellPrecision(cell), now) ?? this.state;
  }

  protected settle(now: number): void {
    const { state } = this;
    if (state?.pendingCell == null || now - state.tsPublished < POSITION_PUBLISH_MIN_MS) return;
    this.state = { ...state, cell: state.pendingCell, pendingCell: null, tsPublished: now };
  }

  observe(now: number): Spot {
    this.settle(now);
    const { cell } = this.state!;
    let spot = this.#spots.get(cell);
    if (!spot) {
      spot = spotOf(this.published(cell), this.#center);
      this.#spots.set(cell, spot);
    }
    return spot;
  }
}

class ProductSubject extends ReportingSubject {
  #remembered: readonly RestingCell[] = [];
  /** The anchors on each of the member's devices. */
  readonly #devices: AnchorState[] = [];
  #device = 0;
  readonly #account: Account;

  constructor(account: Account, center: Point) {
    super(center);
    this.#account = account;
  }

  protected published(cell: Cell): Point {
    return publishedPoint(this.#account.own, this.#account.shown, cell);
  }

  /** Only clears the device; the server still remembers. */
  forget(): void {
    this.#devices[this.#device] = NO_ANCHORS;
  }

  switchDevice(device: number): void {
    this.#device = device;
  }

  fix({ point, precision, now, accuracyMeters }: Fix): void {
    this.settle(now);
    const { own } = this.#account;
    const previous = this.state;
    const last = previous ? (previous.pendingCell ?? previous.cell) : null;
    const known = this.#devices[this.#device] ?? NO_ANCHORS;
    const cells = { lattice: own, remembered: this.#remembered };
    const { cell, anchors, stay } = applyFix(cells, known, { ...point, accuracyMeters }, precision, last, now);
    if (previous) this.#remembered = rememberRestingCell(this.#remembered, previous, now);
    this.#devices[this.#device] = { anchors: syncAnchors(anchors, this.#remembered), stay };
    // The server chooses again from the reported center.
    this.report(chooseCell(own, this.#remembered, cellCenter(own, cell), precision, 0, last), now);
  }
}

/** The previous rule: the global grid, and a cell is kept until the fix is certainly a quarter of a cell outside it. */
class HysteresisSubject extends ReportingSubject {
  /** The last cell reported by each of the member's devices. */
  readonly #cells: Cell[] = [];
  #device = 0;

  /** The grid is public, so an attacker can compute the center of the marker's cell. */
  protected published(cell: Cell): Point {
    return gridCellCenter(cell);
  }

  forget(): void {
    delete this.#cells[this.#device];
  }

  switchDevice(device: number): void {
    this.#device = device;
  }

  /** The previous throttling: a change was published immediately if the last one was 15 minutes old. */
  protected override report(cell: Cell, now: number): void {
    const { state } = this;
    const precision = cellPrecision(cell);
    const kept = { use: "DEVICE_GPS", precision, tsEffectiveUntil: Number.POSITIVE_INFINITY } as const;
    const due = !state || state.precision !== precision || now - state.tsPublished >= POSITION_PUBLISH_MIN_MS;
    if (!state || (due && cell !== state.cell)) this.state = { ...kept, cell, pendingCell: null, tsPublished: now };
    else this.state = { ...state, pendingCell: cell === state.cell ? null : cell };
  }

  fix({ point, precision, now, accuracyMeters }: Fix): void {
    this.settle(now);
    const before = this.#cells[this.#device] ?? null;
    const cell = nextCell(before, point, precision, Math.max(GPS_ACCURACY_MIN_METERS, accuracyMeters));
    this.#cells[this.#device] = cell;
    this.report(cell, now);
  }
}

const HYSTERESIS_CELLS = 0.25;
/** Lower accuracy values were treated as this. */
const GPS_ACCURACY_MIN_METERS = 75;

function nextCell(current: Cell | null, { lat, lon }: Point, precision: Precision, accuracyMeters: number): Cell {
  const snapped = snapToGrid(lat, lon, precision);
  if (current === null || current === snapped || cellPrecision(current) !== precision) return snapped;
  const { latMin, latMax, lonMin, lonMax } = gridCellBounds(current);
  const height = latMax - latMin;
  const width = lonMax - lonMin;
  const rowsAway = Math.max(latMin - lat, lat - latMax, 0) / height;
  const eastward = Math.abs(wrapLongitude(lon - (lonMin + lonMax) / 2));
  const columnsAway = Math.max(eastward - width / 2, 0) / width;
  const tolerance = accuracyMeters / (height * METERS_PER_DEGREE);
  return Math.max(rowsAway, columnsAway) > HYSTERESIS_CELLS + tolerance ? snapped : current;
}

export const PRODUCT_RULE: Rule = {
  name: "product",
  publicGrid: false,
  subject: (account, center = EQUATOR) => new ProductSubject(account, center),
};

export const HYSTERESIS_RULE: Rule = {
  name: "control: public grid, hysteresis",
  publicGrid: true,
  subject: (_account, center = EQUATOR) => new HysteresisSubject(center),
};
