import { latitudeFromMercator, mercatorY } from "@lambda/geo/mercator";
import { fromVectorTileJs, GeoJSONWrapper } from "@maplibre/vt-pbf";
import { METRIC_GRID, METRIC_GRID_MIN_ZOOM } from "./sources.ts";

/**
 * A grid of 10 km, 1 km and 100 m squares, drawn on the device where no street data is installed. It only gives a sense
 * of distance and has no relation to the cells of published positions.
 */

export const TILE_EXTENT = 4096;
/** Beyond this latitude, Web Mercator distorts the squares too much. */
const LATITUDE_MAX = 80;
const METERS_PER_DEGREE = 111_320;

interface TileLine {
  readonly kind: Grid["kind"];
  /** In tile units. */
  readonly points: [number, number][];
}

interface Grid {
  readonly kind: "m100" | "m1000" | "m10000";
  readonly meters: number;
  readonly minZoom: number;
}
const GRIDS: readonly Grid[] = [
  { kind: "m10000", meters: 10_000, minZoom: METRIC_GRID_MIN_ZOOM },
  { kind: "m1000", meters: 1000, minZoom: 11 },
  { kind: "m100", meters: 100, minZoom: 14 },
];

/** One encoded tile of the grid; empty near the poles. */
export function metricGridTile(z: number, x: number, y: number): Uint8Array<ArrayBuffer> {
  const features = metricGridLines(z, x, y).map(({ kind, points }) => {
    return { id: undefined, type: 2 as const, tags: { kind }, geometry: [points] };
  });
  if (features.length === 0) return new Uint8Array();
  const layer = new GeoJSONWrapper(features, { version: 2, extent: TILE_EXTENT });
  layer.name = METRIC_GRID;
  return Uint8Array.from(fromVectorTileJs({ layers: { [METRIC_GRID]: layer } }));
}

/** The grid's lines in a tile. A line that is part of several grids is only drawn as part of the coarsest. */
export function metricGridLines(z: number, x: number, y: number): TileLine[] {
  const [north, south] = [latitudeFromMercator(y / 2 ** z), latitudeFromMercator((y + 1) / 2 ** z)];
  if (north > LATITUDE_MAX || south < -LATITUDE_MAX) return [];
  const lines: TileLine[] = [];
  for (const [i, { kind, meters, minZoom }] of GRIDS.entries()) {
    if (z < minZoom) continue;
    const coarser = GRIDS[i - 1];
    const step = meters / METERS_PER_DEGREE;
    const isOnCoarserGrid = (index: number) => coarser !== undefined && index % 10 === 0;
    for (let row = Math.ceil(south / step); row * step < north; row += 1) {
      if (isOnCoarserGrid(row)) continue;
      const at = Math.round((mercatorY(row * step) * 2 ** z - y) * TILE_EXTENT);
      lines.push({
        kind,
        points: [
          [0, at],
          [TILE_EXTENT, at],
        ],
      });
    }
    // Meridians converge, so each band of latitude has its own longitude step to keep the squares square.
    for (const band of bands(south, north)) {
      const width = step / Math.cos((band.middle * Math.PI) / 180);
      const [west, east] = [(x / 2 ** z) * 360 - 180, ((x + 1) / 2 ** z) * 360 - 180];
      const top = Math.round(clamp((mercatorY(band.north) * 2 ** z - y) * TILE_EXTENT));
      const bottom = Math.round(clamp((mercatorY(band.south) * 2 ** z - y) * TILE_EXTENT));
      for (let column = Math.ceil(west / width); column * width < east; column += 1) {
        if (isOnCoarserGrid(column)) continue;
        const at = Math.round((((column * width + 180) / 360) * 2 ** z - x) * TILE_EXTENT);
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

/** A band is ten rows of 10 km high, so that it ends on a line of every grid. */
const BAND_DEGREES = 100_000 / METERS_PER_DEGREE;

function bands(south: number, north: number): { south: number; north: number; middle: number }[] {
  const result = [];
  for (let i = Math.floor(south / BAND_DEGREES); i * BAND_DEGREES < north; i += 1) {
    result.push({ south: i * BAND_DEGREES, north: (i + 1) * BAND_DEGREES, middle: (i + 0.5) * BAND_DEGREES });
  }
  return result;
}

const clamp = (value: number): number => Math.min(TILE_EXTENT, Math.max(0, value));
