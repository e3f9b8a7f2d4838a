/**
 * A member's own cells: the global grid, displaced by a constant that only the server and the member's device know, so that a change
 * of cell does not reveal a location. Others see one point per cell, taken from a second, independently displaced grid.
 */
import { type Bounds, METERS_PER_DEGREE, type Point } from "./distance.ts";
import {
  type Cell,
  cellPrecision,
  gridCellBounds,
  gridCellCenter,
  type Precision,
  ROWS_PER_DEGREE,
  snapToGrid,
  wrapLongitude,
} from "./grid.ts";
import { dayOf, MINUTE_MS } from "./time.ts";

/** Displacement of a member's grid in degrees: 0 <= lat < LATTICE_LAT_SPAN, 0 <= lon < 360. */
export interface Lattice {
  readonly lat: number;
  readonly lon: number;
}

/** The height of the coarsest cell (city). One displacement serves all precisions, so that cells still nest. */
export const LATTICE_LAT_SPAN = 0.05;

/** Maps two numbers in [0, 1) to a displacement. */
export const latticeOf = (u: number, v: number): Lattice => ({ lat: u * LATTICE_LAT_SPAN, lon: v * 360 });

/** Points whose displaced row would have its center beyond the pole use the last row before it. */
const LAT_MAX = 90 - LATTICE_LAT_SPAN - 1e-9;

/** The member's cell that contains a point. */
export function cellAt(lattice: Lattice, { lat, lon }: Point, precision: Precision): Cell {
  return snapToGrid(Math.min(LAT_MAX, lat - lattice.lat), wrapLongitude(lon - lattice.lon), precision);
}

/** The center of a member's cell: what the device sends instead of its location. */
export function cellCenter(lattice: Lattice, cell: Cell): Point {
  const { lat, lon } = gridCellCenter(cell);
  return { lat: lat + lattice.lat, lon: wrapLongitude(lon + lattice.lon) };
}

export function cellBounds(lattice: Lattice, cell: Cell): Bounds {
  const { latMin, latMax, lonMin, lonMax } = gridCellBounds(cell);
  return {
    latMin: latMin + lattice.lat,
    latMax: latMax + lattice.lat,
    lonMin: wrapLongitude(lonMin + lattice.lon),
    lonMax: wrapLongitude(lonMax + lattice.lon),
  };
}

/**
 * The point that others see for a member's cell: snaps the cell's center to a second lattice. The result lies in the member's cell,
 * and the set of possible points depends on `published` alone.
 */
export function publishedPoint(own: Lattice, published: Lattice, cell: Cell): Point {
  return cellCenter(published, cellAt(published, cellCenter(own, cell), cellPrecision(cell)));
}

/** How far a point is outside a member's cell, in meters; 0 inside. */
export function metersOutsideCell(lattice: Lattice, cell: Cell, { lat, lon }: Point): number {
  const { latMin, latMax, lonMin, lonMax } = gridCellBounds(cell);
  const latOff = lat - lattice.lat - (latMin + latMax) / 2;
  const lonOff = wrapLongitude(lon - lattice.lon - (lonMin + lonMax) / 2);
  const north = Math.max(0, Math.abs(latOff) - (latMax - latMin) / 2) * METERS_PER_DEGREE;
  const east = Math.max(0, Math.abs(lonOff) - (lonMax - lonMin) / 2) * METERS_PER_DEGREE;
  return Math.max(north, east * Math.cos((lat * Math.PI) / 180));
}

/** A cell where the member rested, according to GPS. Remembering it makes a place show the same cell each time. */
export interface RestingCell {
  readonly cell: Cell;
  /** Number of days it was used, capped at RESTING_DAYS_MAX. */
  readonly days: number;
  /** Last day it was used, in days since 1970 UTC. */
  readonly lastDay: number;
}

/** A member who stays this long is resting. Passing through a street cell, on foot or by bus, takes less. */
export const RESTING_MS = 15 * MINUTE_MS;
/** A point this close to a remembered street cell shows that cell: 0.385 of its size, far more than GPS noise. */
export const RESTING_CLAIM_METERS = 214;
/** With nothing remembered, as on the move, the previous street cell is kept until the member is this far outside it. */
export const MOVING_HOLD_METERS = 111;
/** More days make no difference: after two weeks the ranking of places is settled. */
export const RESTING_DAYS_MAX = 14;
/** Members have few resting places; the other cells are on the way between them. */
export const RESTING_CELLS_MAX = 16;
/** Places used on one day are forgotten after a month, others half a year after the last visit. */
const FORGET_SINGLE_DAY_PLACE_DAYS = 31;
const FORGET_REGULAR_PLACE_DAYS = 183;

/** Cell size relative to a street cell; claim and hold distances scale with it. */
export const precisionScale = (precision: Precision) => ROWS_PER_DEGREE.street / ROWS_PER_DEGREE[precision];

/**
 * The cell to show for a point: the most used remembered cell that contains it or is near enough. The result depends on the point and
 * on what is remembered, not on the route; the previous cell only matters where nothing is remembered.
 *
 * @param accuracyMeters error radius of the point; a very inaccurate point shows the most used place within it
 * @param previous the last reported cell
 */
export function chooseCell(
  lattice: Lattice,
  remembered: readonly RestingCell[],
  point: Point,
  precision: Precision,
  accuracyMeters = 0,
  previous: Cell | null = null,
): Cell {
  // Exact precision is an explicit choice to show this very spot.
  if (precision === "exact") return cellAt(lattice, point, precision);
  const isNear = (cell: Cell, meters: number) =>
    cellPrecision(cell) === precision && metersOutsideCell(lattice, cell, point) <= meters;
  const scale = precisionScale(precision);
  const reach = Math.max(scale * RESTING_CLAIM_METERS, accuracyMeters);
  const resting = remembered.find(({ cell }) => isNear(cell, reach));
  if (resting) return resting.cell;
  return previous !== null && isNear(previous, scale * MOVING_HOLD_METERS)
    ? previous
    : cellAt(lattice, point, precision);
}

/** The stored GPS position of a member when a report arrives. */
export interface ShownCell {
  readonly cell: Cell;
  readonly pendingCell: Cell | null;
  readonly tsPublished: number;
}

/**
 * Adds the shown cell to the remembered ones if the member rested there, also when they have just left, but no cell on the way,
 * which would represent nearby places. Most used first, then oldest; returns the same array if nothing changes.
 */
export function rememberRestingCell(
  remembered: readonly RestingCell[],
  { cell, pendingCell, tsPublished }: ShownCell,
  now: number,
): readonly RestingCell[] {
  if (pendingCell !== null || now - tsPublished < RESTING_MS || cellPrecision(cell) === "exact") return remembered;
  const day = dayOf(now);
  const known = remembered.find((resting) => resting.cell === cell);
  if (known && known.lastDay >= day) return remembered;
  const updated = { cell, days: Math.min(RESTING_DAYS_MAX, (known?.days ?? 0) + 1), lastDay: day };
  const all = known ? remembered.map((resting) => (resting === known ? updated : resting)) : [...remembered, updated];
  return dropStale(all, day).sort((one, other) => other.days - one.days);
}

/** Drops entries that have not been used for long, and the least used one if there are too many. */
export function dropStale<Used extends Pick<RestingCell, "days" | "lastDay">>(
  all: readonly Used[],
  day: number,
): Used[] {
  const kept = all.filter(
    ({ days, lastDay }) => day - lastDay <= (days > 1 ? FORGET_REGULAR_PLACE_DAYS : FORGET_SINGLE_DAY_PLACE_DAYS),
  );
  if (kept.length > RESTING_CELLS_MAX) {
    const [stalest] = [...kept].sort((one, other) => one.days - other.days || one.lastDay - other.lastDay);
    kept.splice(kept.indexOf(stalest!), 1);
  }
  return kept;
}
