/** Sectors: the square degrees by which the map and the map chat are divided. */
import type { Point } from "./distance.ts";

export const SECTOR_DEGREES = 1;

const COLUMNS = 360 / SECTOR_DEGREES;
const ROWS = 180 / SECTOR_DEGREES;

/** A sector's south-west corner in whole degrees. */
export interface SectorCorner {
  readonly lat: number;
  readonly lon: number;
}

export const sectorOfCorner = (corner: SectorCorner): number => (corner.lat + 90) * COLUMNS + (corner.lon + 180);

/** The sector that contains a point. The north pole belongs to the last row, longitude 180 to the first column. */
export function sectorOfPoint({ lat, lon }: Point): number {
  const row = Math.min(ROWS - 1, Math.max(0, Math.floor(lat + 90)));
  const column = ((Math.floor(lon + 180) % COLUMNS) + COLUMNS) % COLUMNS;
  return row * COLUMNS + column;
}

/** The sector and its direct neighbors: nine, also across the date line; six at a pole. */
export function sectorAndNeighbors(sector: number): number[] {
  const row = Math.floor(sector / COLUMNS);
  const column = sector % COLUMNS;
  const sectors: number[] = [];
  for (const r of [row - 1, row, row + 1]) {
    if (r < 0 || r >= ROWS) continue;
    for (const c of [column - 1, column, column + 1]) sectors.push(r * COLUMNS + ((c + COLUMNS) % COLUMNS));
  }
  return sectors;
}
