/**
 * The global grid, of which each member has a displaced copy (lattice.ts): positions are snapped to that, by the client before it
 * sends and by the server again on arrival.
 *
 * Rows have a fixed height in degrees of latitude; each band of rows has its own whole number of columns, so that cells are
 * about square, the circle closes at the date line, and the cells of the four precisions nest. Pure arithmetic on integers of cells, the same on both ends.
 */
import type { Point } from "./distance.ts";

/** How precisely a member reports. The default is "street"; "exact" needs their explicit confirmation. */
export const PRECISIONS = ["exact", "street", "district", "city"] as const;
export type Precision = (typeof PRECISIONS)[number];
export const PRECISION_DEFAULT: Precision = "street";

/** Rows in a degree of latitude: cells of about 11 m, 556 m, 1.1 km and 5.6 km. */
export const ROWS_PER_DEGREE: Record<Precision, number> = { exact: 10_000, street: 200, district: 100, city: 20 };

/** 22 bits hold the 3.6 million columns of the finest row, 21 bits its 1.8 million rows, 2 bits the precision. */
const COLUMN_SPAN = 2 ** 22;
const ROW_SPAN = 2 ** 21;

/** Degrees; lonMin may be reached from both sides of the date line but a cell never crosses it. */
export interface CellBounds {
  readonly latMin: number;
  readonly latMax: number;
  readonly lonMin: number;
  readonly lonMax: number;
}

/** Longitude in [-180, 180). */
export function wrapLongitude(lon: number): number {
  const turned = (lon + 180) % 360;
  return (turned < 0 ? turned + 360 : turned) - 180;
}

/** Rows of a precision in one band of 0.05 degree, the row of the coarsest one. */
function rowsPerBand(precision: Precision): number {
  return ROWS_PER_DEGREE[precision] / ROWS_PER_DEGREE.city;
}

/**
 * Columns of a row: a whole number for its band of 0.05 degree that makes cells square there, times the rows in a band. So
 * cells nest: a coarser cell is made of whole finer ones, and a member who changes precision tells no more than
 * the finer cell.
 */
export function columnsOfRow(precision: Precision, row: number): number {
  const perBand = rowsPerBand(precision);
  const middle = (Math.floor(row / perBand) + 0.5) / ROWS_PER_DEGREE.city - 90;
  return perBand * Math.max(1, Math.round(360 * ROWS_PER_DEGREE.city * Math.cos((middle * Math.PI) / 180)));
}

function cellOf(precision: Precision, row: number, column: number): Cell {
  return ((PRECISIONS.indexOf(precision) * ROW_SPAN + row) * COLUMN_SPAN + column) as Cell;
}

declare const CELL: unique symbol;
/** The key of a cell. A number becomes one by snapping a point, or by `toCell` where it comes from a store or the wire. */
export type Cell = number & { readonly [CELL]: true };

interface CellParts {
  readonly precision: Precision;
  readonly row: number;
  readonly column: number;
}

function partsOf(cell: number): CellParts | undefined {
  if (!Number.isSafeInteger(cell) || cell < 0) return undefined;
  const column = cell % COLUMN_SPAN;
  const rest = Math.floor(cell / COLUMN_SPAN);
  const row = rest % ROW_SPAN;
  const precision = PRECISIONS[Math.floor(rest / ROW_SPAN)];
  if (!precision || row >= 180 * ROWS_PER_DEGREE[precision] || column >= columnsOfRow(precision, row)) return undefined;
  return { precision, row, column };
}

function getParts(cell: number): CellParts {
  const parts = partsOf(cell);
  if (!parts) throw new RangeError("not a cell of the grid");
  return parts;
}

/** Whether a number is the key of a cell. */
export function isCell(cell: number): cell is Cell {
  return partsOf(cell) !== undefined;
}

/** A number from a store or the wire as the cell that it is; throws where it is none. */
export function toCell(value: number): Cell {
  if (!isCell(value)) throw new RangeError("not a cell of the grid");
  return value;
}

/** The cell that holds a point. Any finite longitude is accepted; latitudes beyond the poles count as the pole. */
export function snap(lat: number, lon: number, precision: Precision): Cell {
  if (!Number.isFinite(lat) || !Number.isFinite(lon)) throw new RangeError("not a position");
  const rowsPerDegree = ROWS_PER_DEGREE[precision];
  const row = Math.min(180 * rowsPerDegree - 1, Math.max(0, Math.floor((lat + 90) * rowsPerDegree)));
  const columns = columnsOfRow(precision, row);
  const column = Math.min(columns - 1, Math.floor(((wrapLongitude(lon) + 180) / 360) * columns));
  return cellOf(precision, row, column);
}

export function cellPrecision(cell: Cell): Precision {
  return getParts(cell).precision;
}

export function cellBounds(cell: Cell): CellBounds {
  const { precision, row, column } = getParts(cell);
  const rowsPerDegree = ROWS_PER_DEGREE[precision];
  const columns = columnsOfRow(precision, row);
  return {
    latMin: row / rowsPerDegree - 90,
    latMax: (row + 1) / rowsPerDegree - 90,
    lonMin: (column / columns) * 360 - 180,
    lonMax: ((column + 1) / columns) * 360 - 180,
  };
}

/** The point that stands for a cell on the wire: what the client sends instead of where it is. */
export function cellCentre(cell: Cell): Point {
  const { precision, row, column } = getParts(cell);
  return {
    lat: (row + 0.5) / ROWS_PER_DEGREE[precision] - 90,
    lon: ((column + 0.5) / columnsOfRow(precision, row)) * 360 - 180,
  };
}

/** The same place at another precision. Coarser from finer only; finer is not known and gives the cell of the centre. */
export function cellAtPrecision(cell: Cell, precision: Precision): Cell {
  if (cellPrecision(cell) === precision) return cell;
  const { lat, lon } = cellCentre(cell);
  return snap(lat, lon, precision);
}
