/**
 * Draws a city's land, water and main roads as an SVG in shades of gray. Pages use it as a mask, so that one picture fits
 * every palette. Writes numbers only, nothing that an archive says.
 */
import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { PMTiles } from "pmtiles";
import type { Frame } from "./districts.ts";

/** Tiles of this zoom have main roads only, and four to nine of them make a picture. */
const ZOOM = 12;
const TILES = 2 ** ZOOM;
const SIDE_PX = 720;
/** What lies further outside the picture does not show, whatever its width. */
const EDGE_PX = 4;

type Tile = readonly [x: number, y: number];

interface Layer {
  readonly source: string;
  readonly kinds?: readonly string[];
  /** Of lines; areas have none. */
  readonly widthPx?: number;
  readonly shade: string;
}

/** From the lowest to the highest. */
const LAYERS: readonly Layer[] = [
  { source: "earth", shade: "#555" },
  { source: "landuse", kinds: ["park", "nature_reserve", "forest", "golf_course"], shade: "#6c6c6c" },
  { source: "water", shade: "#000" },
  { source: "roads", kinds: ["major_road"], widthPx: 1, shade: "#a0a0a0" },
  { source: "roads", kinds: ["highway"], widthPx: 2.2, shade: "#e0e0e0" },
];
const POLYGON = 3;

/** @param key of a PMTiles archive in the bucket */
export async function drawPicture(bucket: R2Bucket, key: string, frame: Frame): Promise<string> {
  const archive = new PMTiles({
    getKey: () => key,
    getBytes: async (offset, length) => {
      const object = await bucket.get(key, { range: { offset, length } });
      if (!object) throw new Error("the archive is gone");
      return { data: await object.arrayBuffer() };
    },
  });
  const tiles = await Promise.all(
    tilesOf(frame).map(async (tile) => {
      const found = await archive.getZxy(ZOOM, ...tile);
      return found && { tile, layers: new VectorTile(new PbfReader(found.data)).layers };
    }),
  );
  const drawn = LAYERS.map((layer) => {
    const paths = tiles.flatMap((found) => (found ? pathsOf(found.layers, layer, found.tile, frame) : []));
    const paint = layer.widthPx
      ? `fill="none" stroke="${layer.shade}" stroke-width="${layer.widthPx}"`
      : `fill="${layer.shade}"`;
    return paths.length > 0 ? `<path ${paint} d="${paths.join("")}"/>` : "";
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE_PX} ${SIDE_PX}">${drawn.join("")}</svg>`;
}

function tilesOf({ x, y, side }: Frame): Tile[] {
  const tiles: Tile[] = [];
  for (let column = Math.floor(x * TILES); column <= (x + side) * TILES; column += 1) {
    for (let row = Math.floor(y * TILES); row <= (y + side) * TILES; row += 1) tiles.push([column, row]);
  }
  return tiles;
}

/** The outlines of a tile's features that touch the picture, as path data in whole pixels. */
function pathsOf(
  layers: VectorTile["layers"],
  { source, kinds, widthPx }: Layer,
  [column, row]: Tile,
  frame: Frame,
): string[] {
  const layer = layers[source];
  const paths: string[] = [];
  for (let index = 0; index < (layer?.length ?? 0); index += 1) {
    const feature = layer!.feature(index);
    if ((feature.type === POLYGON) === (widthPx !== undefined)) continue;
    if (kinds && !kinds.includes(String(feature.properties.kind))) continue;
    const toPx = (at: number, tile: number, origin: number) =>
      Math.round((((tile + at / feature.extent) / TILES - origin) / frame.side) * SIDE_PX);
    for (const line of feature.loadGeometry()) {
      const points = line.map(({ x, y }) => [toPx(x, column, frame.x), toPx(y, row, frame.y)] as const);
      paths.push(toPath(points, widthPx === undefined));
    }
  }
  return paths;
}

function toPath(points: readonly (readonly [number, number])[], isArea: boolean): string {
  const isOutside = (axis: 0 | 1) =>
    points.every((point) => point[axis] < -EDGE_PX) || points.every((point) => point[axis] > SIDE_PX + EDGE_PX);
  if (isOutside(0) || isOutside(1)) return "";
  const [first, ...rest] = points.filter(
    ([x, y], index) => index === 0 || x !== points[index - 1]![0] || y !== points[index - 1]![1],
  );
  if (!first || rest.length < (isArea ? 2 : 1)) return "";
  let [x, y] = first;
  const steps = rest.map(([nextX, nextY]) => {
    const step = `${nextX - x} ${nextY - y}`;
    [x, y] = [nextX, nextY];
    return step;
  });
  return `M${first[0]} ${first[1]}l${steps.join(" ")}${isArea ? "z" : ""}`;
}
