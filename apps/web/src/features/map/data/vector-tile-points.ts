import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";

export interface TilePoint {
  /** Share of the tile's side, from its west and north. */
  readonly x: number;
  readonly y: number;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

const POINT = 1;

/** The points of one layer of a vector tile; the first of each feature. Throws on what is no vector tile. */
export function decodePoints(tile: Uint8Array, layer: string): TilePoint[] {
  const found = new VectorTile(new PbfReader(tile)).layers[layer];
  if (!found) return [];
  return Array.from({ length: found.length }, (_, index) => found.feature(index)).flatMap((feature) => {
    const point = feature.type === POINT ? feature.loadGeometry()[0]?.[0] : undefined;
    return point ? [{ x: point.x / found.extent, y: point.y / found.extent, properties: feature.properties }] : [];
  });
}
