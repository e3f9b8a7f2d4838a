import { wrapLongitude } from "@lambda/geo/grid";
import { SECTOR_DEGREES } from "@lambda/geo/sector";

/** The bounds of the view. `west` is always below `east`: across the date line, longitudes continue past 180 degrees. */
export interface ViewBounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface Sector {
  readonly lat: number;
  readonly lon: number;
}

export function countSectors(bounds: ViewBounds): number {
  const { rows, columns } = extent(bounds);
  return rows * columns;
}

/** The sectors that a view touches, as their southwest corners. Works across the date line. */
export function sectorsIn(bounds: ViewBounds): Sector[] {
  const { rows, columns, firstRow, firstColumn } = extent(bounds);
  return Array.from({ length: rows * columns }, (_, i) => ({
    lat: (firstRow + Math.floor(i / columns)) * SECTOR_DEGREES,
    lon: wrapLongitude((firstColumn + (i % columns)) * SECTOR_DEGREES),
  }));
}

function extent({ west, south, east, north }: ViewBounds) {
  const firstRow = Math.max(-90, Math.floor(south / SECTOR_DEGREES));
  const lastRow = Math.min(89, Math.floor(north / SECTOR_DEGREES));
  const firstColumn = Math.floor(west / SECTOR_DEGREES);
  const columns = Math.min(360, Math.floor(east / SECTOR_DEGREES) - firstColumn + 1);
  return { firstRow, firstColumn, rows: Math.max(0, lastRow - firstRow + 1), columns };
}

export function isInView(
  { lat, lon }: { lat: number; lon: number },
  { west, south, east, north }: ViewBounds,
): boolean {
  if (lat < south || lat > north) return false;
  if (east - west >= 360) return true;
  return (((lon - west) % 360) + 360) % 360 <= east - west;
}

/** The bounds in the server's form: longitudes in range, lonMin above lonMax across the date line. */
export function toWireBounds({ west, south, east, north }: ViewBounds) {
  const isWholeGlobe = east - west >= 360;
  return {
    latMin: Math.max(-90, south),
    latMax: Math.min(90, north),
    lonMin: isWholeGlobe ? -180 : wrapLongitude(west),
    lonMax: isWholeGlobe ? 180 : wrapLongitude(east),
  };
}

/** Bounds rounded outward to a grid, so that a little panning sends no new request. */
export function widenBounds(bounds: ViewBounds): ViewBounds {
  const step = 2 ** Math.ceil(Math.log2(Math.max(bounds.east - bounds.west, bounds.north - bounds.south) / 2));
  const down = (value: number) => Math.floor(value / step) * step;
  const up = (value: number) => Math.ceil(value / step) * step;
  return { west: down(bounds.west), south: down(bounds.south), east: up(bounds.east), north: up(bounds.north) };
}
