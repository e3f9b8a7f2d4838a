import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";

export interface TilePoint {
  /** Fraction of the tile's width and height, from its northwest corner. */
  readonly x: number;
  readonly y: number;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

const POINT = 1;

/** The first point of each point feature in one layer of a vector tile. Throws if the bytes are not a vector tile. */
export function decodePoints(tile: Uint8Array, layer: string): TilePoint[] {
  const tileLayer = new VectorTile(new PbfReader(tile)).layers[layer];
  if (!tileLayer) return [];
  return Array.from({ length: tileLayer.length }, (_, index) => tileLayer.feature(index)).flatMap((feature) => {
    const point = feature.type === POINT ? feature.loadGeometry()[0]?.[0] : undefined;
    return point
      ? [{ x: point.x / tileLayer.extent, y: point.y / tileLayer.extent, properties: feature.properties }]
      : [];
  });
}
