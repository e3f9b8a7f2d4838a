import { latitudeAt, mercatorY } from "@lambda/geo/mercator";
import { encodeLines, type TileLine } from "../data/vector-tile.ts";

/**
 * The ground where no street data is installed: a metric grid of squares of 10 km, 1 km and 100 m, drawn on the device.
 * It shows how far things are and pretends nothing. It has no relation to the cells of published positions.
 */

export const GROUND_LAYER = "ground";
export const GROUND_MIN_ZOOM = 8;
/** Tiles of this zoom are enlarged beyond it. */
export const GROUND_MAX_ZOOM = 16;
export const EXTENT = 4096;
/** Beyond this latitude the squares of web mercator are too distorted to mean anything. */
const LATITUDE_LIMIT = 80;
const METERS_PER_DEGREE = 111_320;

interface Grid {
  readonly kind: "m100" | "m1000" | "m10000";
  readonly meters: number;
  readonly fromZoom: number;
}
const GRIDS: readonly Grid[] = [
  { kind: "m10000", meters: 10_000, fromZoom: GROUND_MIN_ZOOM },
  { kind: "m1000", meters: 1000, fromZoom: 11 },
  { kind: "m100", meters: 100, fromZoom: 14 },
];

/** One encoded tile of the grid; empty where there is none. */
export function groundTile(z: number, x: number, y: number): Uint8Array<ArrayBuffer> {
  return encodeLines(GROUND_LAYER, EXTENT, groundLines(z, x, y));
}

/** A line belongs to the coarsest grid that has it. */
export function groundLines(z: number, x: number, y: number): TileLine[] {
  const [north, south] = [latitudeAt(y / 2 ** z), latitudeAt((y + 1) / 2 ** z)];
  if (north > LATITUDE_LIMIT || south < -LATITUDE_LIMIT) return [];
  const lines: TileLine[] = [];
  for (const [i, { kind, meters, fromZoom }] of GRIDS.entries()) {
    if (z < fromZoom) continue;
    const coarser = GRIDS[i - 1];
    const step = meters / METERS_PER_DEGREE;
    const tenth = (index: number) => coarser !== undefined && index % 10 === 0;
    for (let row = Math.ceil(south / step); row * step < north; row += 1) {
      if (tenth(row)) continue;
      const at = Math.round((mercatorY(row * step) * 2 ** z - y) * EXTENT);
      lines.push({
        kind,
        points: [
          [0, at],
          [EXTENT, at],
        ],
      });
    }
    // Meridians converge: each band of latitude has its own step of longitude, so that squares stay square.
    for (const band of bands(south, north)) {
      const width = step / Math.cos((band.middle * Math.PI) / 180);
      const [west, east] = [(x / 2 ** z) * 360 - 180, ((x + 1) / 2 ** z) * 360 - 180];
      const top = Math.round(clamp((mercatorY(band.north) * 2 ** z - y) * EXTENT));
      const bottom = Math.round(clamp((mercatorY(band.south) * 2 ** z - y) * EXTENT));
      for (let column = Math.ceil(west / width); column * width < east; column += 1) {
        if (tenth(column)) continue;
        const at = Math.round((((column * width + 180) / 360) * 2 ** z - x) * EXTENT);
        lines.push({
          kind,
          points: [
            [at, top],
            [at, bottom],
          ],
        });
      }
    }
  }
  return lines;
}

/** Ten rows of 10 km make a band, so that a band ends on a line of every grid. */
const BAND_DEGREES = 100_000 / METERS_PER_DEGREE;

function bands(south: number, north: number): { south: number; north: number; middle: number }[] {
  const found = [];
  for (let i = Math.floor(south / BAND_DEGREES); i * BAND_DEGREES < north; i += 1) {
    found.push({ south: i * BAND_DEGREES, north: (i + 1) * BAND_DEGREES, middle: (i + 0.5) * BAND_DEGREES });
  }
  return found;
}

function clamp(value: number): number {
  return Math.min(EXTENT, Math.max(0, value));
}
