/**
 * The global grid, of which each member has a displaced copy (lattice.ts). Rows have a fixed height in degrees, and each band of
 * rows has its own whole number of columns, so that cells are about square, close up at the date line, and nest across the four
 * precisions.
 */
import type { Bounds, Point } from "./distance.ts";

/** How precisely a member reports positions; "exact" needs explicit confirmation. */
export const PRECISIONS = ["exact", "street", "district", "city"] as const;
export type Precision = (typeof PRECISIONS)[number];
export const PRECISION_DEFAULT: Precision = "street";

/** Rows per degree of latitude: cells of about 11 m, 556 m, 1.1 km and 5.6 km. */
export const ROWS_PER_DEGREE: Record<Precision, number> = { exact: 10_000, street: 200, district: 100, city: 20 };

/** 22 bits hold the 3.6 million columns of the finest row, 21 bits its 1.8 million rows, 2 bits the precision. */
const COLUMN_SPAN = 2 ** 22;
const ROW_SPAN = 2 ** 21;

/** Longitude in [-180, 180). */
export function wrapLongitude(lon: number): number {
  const shifted = (lon + 180) % 360;
  return (shifted < 0 ? shifted + 360 : shifted) - 180;
}

/** Rows of a precision per band of 0.05 degrees, which is one row at the coarsest precision. */
const rowsPerBand = (precision: Precision): number => ROWS_PER_DEGREE[precision] / ROWS_PER_DEGREE.city;

/**
 * Number of columns in a row: the band's whole number that makes cells about square, times the rows per band. A coarser cell thus
 * consists of whole finer cells, and a member who changes precision reveals no more than the finer cell.
 */
export function columnsOfRow(precision: Precision, row: number): number {
  const perBand = rowsPerBand(precision);
  const middle = (Math.floor(row / perBand) + 0.5) / ROWS_PER_DEGREE.city - 90;
  return perBand * Math.max(1, Math.round(360 * ROWS_PER_DEGREE.city * Math.cos((middle * Math.PI) / 180)));
}

function encodeCell(precision: Precision, row: number, column: number): Cell {
  return ((PRECISIONS.indexOf(precision) * ROW_SPAN + row) * COLUMN_SPAN + column) as Cell;
}

declare const CELL: unique symbol;
/** The id of a cell. Numbers from storage or the wire become cells through `toCell`. */
export type Cell = number & { readonly [CELL]: true };

interface CellParts {
  readonly precision: Precision;
  readonly row: number;
  readonly column: number;
}

function decodeCell(cell: number): CellParts | undefined {
  if (!Number.isSafeInteger(cell) || cell < 0) return undefined;
  const column = cell % COLUMN_SPAN;
  const precisionAndRow = Math.floor(cell / COLUMN_SPAN);
  const row = precisionAndRow % ROW_SPAN;
  const precision = PRECISIONS[Math.floor(precisionAndRow / ROW_SPAN)];
  if (!precision || row >= 180 * ROWS_PER_DEGREE[precision] || column >= columnsOfRow(precision, row)) return undefined;
  return { precision, row, column };
}

function getParts(cell: number): CellParts {
  const parts = decodeCell(cell);
  if (!parts) throw new RangeError("not a cell of the grid");
  return parts;
}

export const isCell = (cell: number): cell is Cell => decodeCell(cell) !== undefined;

/** Validates a number from storage or the wire. Throws a RangeError if it is not a cell. */
export function toCell(value: number): Cell {
  if (!isCell(value)) throw new RangeError("not a cell of the grid");
  return value;
}

/** The cell that contains a point: wraps any finite longitude and clamps latitudes to the poles. Throws a RangeError otherwise. */
export function snapToGrid(lat: number, lon: number, precision: Precision): Cell {
  if (!Number.isFinite(lat) || !Number.isFinite(lon)) throw new RangeError("not a position");
  const rowsPerDegree = ROWS_PER_DEGREE[precision];
  const row = Math.min(180 * rowsPerDegree - 1, Math.max(0, Math.floor((lat + 90) * rowsPerDegree)));
  const columns = columnsOfRow(precision, row);
  const column = Math.min(columns - 1, Math.floor(((wrapLongitude(lon) + 180) / 360) * columns));
  return encodeCell(precision, row, column);
}

export const cellPrecision = (cell: Cell): Precision => getParts(cell).precision;

export function gridCellBounds(cell: Cell): Bounds {
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

export function gridCellCenter(cell: Cell): Point {
  const { precision, row, column } = getParts(cell);
  return {
    lat: (row + 0.5) / ROWS_PER_DEGREE[precision] - 90,
    lon: ((column + 0.5) / columnsOfRow(precision, row)) * 360 - 180,
  };
}
