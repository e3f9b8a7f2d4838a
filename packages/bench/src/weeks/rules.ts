/** What others see of a member whose devices send fixes: by the product's rule, and by the one that it replaced. */
import { POSITION_PUBLISH_MIN_MS } from "@lambda/contract/limits";
import { type DevicePlaces, matchRemembered, NO_ANCHORS, takeFix } from "@lambda/geo/anchors";
import { METERS_PER_DEGREE, type Point } from "@lambda/geo/distance";
import type { Cell } from "@lambda/geo/grid";
import { cellBounds, cellCentre, cellPrecision, type Precision, snap, wrapLongitude } from "@lambda/geo/grid";
import {
  centreOfCell,
  chooseCell,
  publishedPoint,
  RESTING_CLAIM_METERS,
  type RestingCell,
  rememberRest,
} from "@lambda/geo/lattice";
import { nextState, type PositionState } from "@lambda/worker/position-rules";
import { ACCURACY, type Account, cellMeters, EQUATOR, type Spot, scaleOf, spotOf } from "./world.ts";

export interface Fix {
  readonly point: Point;
  readonly precision: Precision;
  readonly now: number;
  /** How far off the device says it may be. */
  readonly accuracyMeters: number;
}

/** One account on the wire. */
export interface Subject {
  /** A new login: what the device knew by itself is gone. */
  forget(): void;
  /** From now on another of the member's devices reports; the first is number 0. */
  takeUp(device: number): void;
  fix(fix: Fix): void;
  /** What an attacker sees now. */
  look(now: number): Spot;
}

export interface Rule {
  readonly name: string;
  /** Whether anybody can compute where the cell of a marker lies. */
  readonly publicGrid: boolean;
  /** How far outside of a cell it may go on to be shown. */
  readonly reachMeters: (precision: Precision, noise: number) => number;
  readonly subject: (account: Account, centre?: Point) => Subject;
}

/** The server's part: at most one change in 15 minutes, and what waits is shown by the schedule. */
abstract class Reported implements Subject {
  state: PositionState | undefined;
  readonly #spots = new Map<number, Spot>();
  readonly #centre: Point;

  constructor(centre: Point) {
    this.#centre = centre;
  }

  protected abstract published(cell: Cell): Point;
  abstract forget(): void;
  abstract takeUp(device: number): void;
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

  look(now: number): Spot {
    this.settle(now);
    const { cell } = this.state!;
    let spot = this.#spots.get(cell);
    if (!spot) {
      spot = spotOf(this.published(cell), this.#centre);
      this.#spots.set(cell, spot);
    }
    return spot;
  }
}

class ProductSubject extends Reported {
  #remembered: readonly RestingCell[] = [];
  /** What each of the member's devices keeps. */
  readonly #devices: DevicePlaces[] = [];
  #device = 0;
  readonly #account: Account;

  constructor(account: Account, centre: Point) {
    super(centre);
    this.#account = account;
  }

  protected published(cell: Cell): Point {
    return publishedPoint(this.#account.own, this.#account.shown, cell);
  }

  /** The server goes on remembering, and tells each device what was reported last. */
  forget(): void {
    this.#devices[this.#device] = NO_ANCHORS;
  }

  takeUp(device: number): void {
    this.#device = device;
  }

  fix({ point, precision, now, accuracyMeters }: Fix): void {
    this.settle(now);
    const { own } = this.#account;
    const before = this.state;
    const last = before ? (before.pendingCell ?? before.cell) : null;
    const known = this.#devices[this.#device] ?? NO_ANCHORS;
    const cells = { lattice: own, remembered: this.#remembered };
    const { cell, anchors, stay } = takeFix(cells, known, { ...point, accuracyMeters }, precision, last, now);
    if (before) this.#remembered = rememberRest(this.#remembered, before, now);
    this.#devices[this.#device] = { anchors: matchRemembered(anchors, this.#remembered), stay };
    // The server chooses again, by the centre that it was sent.
    this.report(chooseCell(own, this.#remembered, centreOfCell(own, cell), precision, 0, last), now);
  }
}

/** The rule before: the global grid, and the cell before is kept until the fix is surely a quarter of a cell outside of it. */
class HysteresisSubject extends Reported {
  /** The cell that each of the member's devices reported last. */
  readonly #cells: Cell[] = [];
  #device = 0;

  /** An attacker snaps the marker and takes the centre of its cell. */
  protected published(cell: Cell): Point {
    return cellCentre(cell);
  }

  forget(): void {
    delete this.#cells[this.#device];
  }

  takeUp(device: number): void {
    this.#device = device;
  }

  /** The brake before: a change showed at once when the last one was 15 minutes old, on the move too. */
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
/** No fix was taken to be surer. */
const GPS_ACCURACY_MIN_METERS = 75;

function nextCell(current: Cell | null, { lat, lon }: Point, precision: Precision, accuracyMeters: number): Cell {
  const snapped = snap(lat, lon, precision);
  if (current === null || current === snapped || cellPrecision(current) !== precision) return snapped;
  const { latMin, latMax, lonMin, lonMax } = cellBounds(current);
  const height = latMax - latMin;
  const width = lonMax - lonMin;
  const rowsAway = Math.max(latMin - lat, lat - latMax, 0) / height;
  const eastward = Math.abs(wrapLongitude(lon - (lonMin + lonMax) / 2));
  const columnsAway = Math.max(eastward - width / 2, 0) / width;
  const doubt = accuracyMeters / (height * METERS_PER_DEGREE);
  return Math.max(rowsAway, columnsAway) > HYSTERESIS_CELLS + doubt ? snapped : current;
}

export const PRODUCT_RULE: Rule = {
  name: "product",
  publicGrid: false,
  reachMeters: (precision) => scaleOf(precision) * RESTING_CLAIM_METERS,
  subject: (account, centre = EQUATOR) => new ProductSubject(account, centre),
};

/** The product's rule before an attacker who has the member's own displacement, by whatever leak: the worst case. */
export const LEAKED_RULE: Rule = {
  ...PRODUCT_RULE,
  name: "product, displacement known",
  publicGrid: true,
  subject: ({ own }, centre = EQUATOR) => new ProductSubject({ own, shown: own }, centre),
};

export const HYSTERESIS_RULE: Rule = {
  name: "control: public grid, hysteresis",
  publicGrid: true,
  reachMeters: (precision, noise) =>
    HYSTERESIS_CELLS * cellMeters(precision) + Math.max(GPS_ACCURACY_MIN_METERS, ACCURACY * noise),
  subject: (_account, centre = EQUATOR) => new HysteresisSubject(centre),
};
