/** Sectors of the map chat: cells of 1 degree around a published position. Pure; no row is read here. */
import type { Point } from "./distance.ts";

export const SECTOR_DEGREES = 1;

const COLUMNS = 360 / SECTOR_DEGREES;
const ROWS = 180 / SECTOR_DEGREES;

/** A sector's south-west corner in whole degrees. */
export interface SectorCorner {
  readonly lat: number;
  readonly lon: number;
}

export function sectorOf(corner: SectorCorner): number {
  return (corner.lat + 90) * COLUMNS + (corner.lon + 180);
}

/** The sector that holds a point; the pole belongs to the last row, 180 degrees east to the first column. */
export function sectorOfPoint({ lat, lon }: Point): number {
  const row = Math.min(ROWS - 1, Math.max(0, Math.floor(lat + 90)));
  const column = ((Math.floor(lon + 180) % COLUMNS) + COLUMNS) % COLUMNS;
  return row * COLUMNS + column;
}

/** The sector and those around it, radius 1: nine, across the date line too; six at a pole. */
export function sectorsAround(sector: number): number[] {
  const row = Math.floor(sector / COLUMNS);
  const column = sector % COLUMNS;
  const around: number[] = [];
  for (const r of [row - 1, row, row + 1]) {
    if (r < 0 || r >= ROWS) continue;
    for (const c of [column - 1, column, column + 1]) around.push(r * COLUMNS + ((c + COLUMNS) % COLUMNS));
  }
  return around;
}
