/**
 * A member's own cells: the global grid displaced by a constant that only the server and the member's device know. Nobody
 * else can tell where the borders of these cells run, so a change of cell tells nothing about a place.
 *
 * What others see of a cell is one point of a second, independent displacement of the grid. Both sides run this file.
 */
import { METERS_PER_DEGREE, type Point } from "./distance.ts";
import {
  type Cell,
  type CellBounds,
  cellBounds,
  cellCentre,
  cellPrecision,
  type Precision,
  ROWS_PER_DEGREE,
  snap,
  wrapLongitude,
} from "./grid.ts";

export const DAY_MS = 86_400_000;

/** Degrees by which a member's grid is displaced: 0 <= lat < LATTICE_LAT_SPAN, 0 <= lon < 360. */
export interface Lattice {
  readonly lat: number;
  readonly lon: number;
}

/** The height of the coarsest cell (city): one displacement serves all precisions, so that cells go on to nest. */
export const LATTICE_LAT_SPAN = 0.05;

/** The displacement that two numbers in [0, 1) stand for. */
export function latticeOf(u: number, v: number): Lattice {
  return { lat: u * LATTICE_LAT_SPAN, lon: v * 360 };
}

/** Rows whose displaced centre would lie beyond the pole are left out: they count as the last one before it. */
const LAT_MAX = 90 - LATTICE_LAT_SPAN - 1e-9;

/** The member's cell that holds a point. */
export function cellAt(lattice: Lattice, { lat, lon }: Point, precision: Precision): Cell {
  return snap(Math.min(LAT_MAX, lat - lattice.lat), wrapLongitude(lon - lattice.lon), precision);
}

/** The point that stands for a member's cell on the wire: what the device sends instead of where it is. */
export function centreOfCell(lattice: Lattice, cell: Cell): Point {
  const { lat, lon } = cellCentre(cell);
  return { lat: lat + lattice.lat, lon: wrapLongitude(lon + lattice.lon) };
}

/** Where a member's cell lies. lonMin is above lonMax where it crosses the date line. */
export function boundsOfCell(lattice: Lattice, cell: Cell): CellBounds {
  const { latMin, latMax, lonMin, lonMax } = cellBounds(cell);
  return {
    latMin: latMin + lattice.lat,
    latMax: latMax + lattice.lat,
    lonMin: wrapLongitude(lonMin + lattice.lon),
    lonMax: wrapLongitude(lonMax + lattice.lon),
  };
}

/**
 * What others see of a member's cell: the centre of the cell of the other lattice that holds this cell's centre. It lies in
 * the member's cell, and where it can lie depends on `shown` alone.
 */
export function publishedPoint(own: Lattice, shown: Lattice, cell: Cell): Point {
  return centreOfCell(shown, cellAt(shown, centreOfCell(own, cell), cellPrecision(cell)));
}

/** How many metres a point is outside of a member's cell; 0 inside. */
export function metersOutside(lattice: Lattice, cell: Cell, { lat, lon }: Point): number {
  const { latMin, latMax, lonMin, lonMax } = cellBounds(cell);
  const latOff = lat - lattice.lat - (latMin + latMax) / 2;
  const lonOff = wrapLongitude(lon - lattice.lon - (lonMin + lonMax) / 2);
  const north = Math.max(0, Math.abs(latOff) - (latMax - latMin) / 2) * METERS_PER_DEGREE;
  const east = Math.max(0, Math.abs(lonOff) - (lonMax - lonMin) / 2) * METERS_PER_DEGREE;
  return Math.max(north, east * Math.cos((lat * Math.PI) / 180));
}

/** A cell in which the member rested, seen by GPS: remembered so that their places show the same cell each time. */
export interface RestingCell {
  readonly cell: Cell;
  /** On how many days, up to RESTING_DAYS_MAX. */
  readonly days: number;
  /** The last of them, in days since 1970 UTC. */
  readonly lastDay: number;
}

/** A member who stays this long is at a place. Passing through a street cell, on foot or by bus, takes less. */
export const RESTING_MS = 15 * 60 * 1000;
/** A place so near to a remembered street cell shows that cell: 0.385 of it, far more than a GPS wavers. */
export const RESTING_CLAIM_METERS = 214;
/** On the move, and where nothing is remembered yet, the street cell before is kept until so far outside of it. */
export const MOVING_HOLD_METERS = 111;
/** More days make no difference: after two weeks the order of places stands. */
export const RESTING_DAYS_MAX = 14;
/** A member has few places; the rest is the way between them. */
export const RESTING_CELLS_MAX = 16;
/** Places of one day are forgotten after a month, the others half a year after the last visit. */
const FORGET_ONCE_DAYS = 31;
const FORGET_OFTEN_DAYS = 183;

/** How much larger than a street cell: what is claimed and held grows with the cell. */
export const scaleOf = (precision: Precision) => ROWS_PER_DEGREE.street / ROWS_PER_DEGREE[precision];

/**
 * The cell that stands for a place: the most used remembered one that holds it or is near enough. So it depends on the point and
 * on what is remembered, and not on the way there; only where nothing is remembered the cell before counts.
 *
 * @param accuracyMeters how far off the point may be; a device that hardly knows where it is shows the place used most there
 * @param before the cell that was reported last
 */
export function chooseCell(
  lattice: Lattice,
  remembered: readonly RestingCell[],
  point: Point,
  precision: Precision,
  accuracyMeters = 0,
  before: Cell | null = null,
): Cell {
  // 11 m are chosen by hand, for the very spot.
  if (precision === "exact") return cellAt(lattice, point, precision);
  const near = (cell: Cell, meters: number) =>
    cellPrecision(cell) === precision && metersOutside(lattice, cell, point) <= meters;
  // In proportion: where a place lies in a coarser cell is blurred as much.
  const scale = scaleOf(precision);
  const reach = Math.max(scale * RESTING_CLAIM_METERS, accuracyMeters);
  const resting = remembered.find(({ cell }) => near(cell, reach));
  if (resting) return resting.cell;
  return before !== null && near(before, scale * MOVING_HOLD_METERS) ? before : cellAt(lattice, point, precision);
}

/** What is stored of a member's position by GPS before a report. */
export interface ShownCell {
  readonly cell: Cell;
  readonly pendingCell: Cell | null;
  readonly tsPublished: number;
}

/**
 * What is remembered when a report comes. A cell that has been shown for a while is a place, also when the member has just left it;
 * cells on the way are not, since they would stand for places nearby. Most used first, then oldest; the same list when nothing changes.
 */
export function rememberRest(
  remembered: readonly RestingCell[],
  { cell, pendingCell, tsPublished }: ShownCell,
  now: number,
): readonly RestingCell[] {
  if (pendingCell !== null || now - tsPublished < RESTING_MS || cellPrecision(cell) === "exact") return remembered;
  const day = Math.floor(now / DAY_MS);
  const before = remembered.find((resting) => resting.cell === cell);
  if (before && before.lastDay >= day) return remembered;
  const after = { cell, days: Math.min(RESTING_DAYS_MAX, (before?.days ?? 0) + 1), lastDay: day };
  const all = before ? remembered.map((resting) => (resting === before ? after : resting)) : [...remembered, after];
  return keepFresh(all, day).sort((one, other) => other.days - one.days);
}

/** Drops what has not been used for long, and the least used one where there are too many. */
export function keepFresh<Used extends Pick<RestingCell, "days" | "lastDay">>(
  all: readonly Used[],
  day: number,
): Used[] {
  const kept = all.filter(({ days, lastDay }) => day - lastDay <= (days > 1 ? FORGET_OFTEN_DAYS : FORGET_ONCE_DAYS));
  if (kept.length > RESTING_CELLS_MAX) {
    const [stalest] = [...kept].sort((one, other) => one.days - other.days || one.lastDay - other.lastDay);
    kept.splice(kept.indexOf(stalest!), 1);
  }
  return kept;
}
