/**
 * The map on a visitor's first page: a picture of the brand's city and how many members are in its districts. Drawn once a day,
 * because whoever may look every hour can search for the count at which one member more shows.
 */
import { BRANDS, type Brand } from "@lambda/brands";
import { DAY_MS } from "@lambda/contract/limits";
import type { VisitorMap } from "@lambda/contract/visitor-map";
import { punishingCountryIn } from "@lambda/geo/punishing";
import { VectorTile } from "@mapbox/vector-tile";
import { type Context, Hono } from "hono";
import { PbfReader } from "pbf";
import { PMTiles } from "pmtiles";
import { batch, type Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { archiveKey, listArchives } from "../tiles/tiles.ts";
import {
  boundsOf,
  countMenQuery,
  districtsIn,
  drawTaken,
  type Frame,
  frameAround,
  shownStep,
  toRing,
} from "./districts.ts";

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

/**
 * Draws a city's land, water and main roads as an SVG in shades of gray. Pages use it as a mask, so that one picture fits
 * every palette. Writes numbers only, nothing that an archive says.
 *
 * @param key of a PMTiles archive in the bucket
 */
async function drawPicture(bucket: R2Bucket, key: string, frame: Frame): Promise<string> {
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

/** No account is needed and everybody gets the same, so browsers may keep it. */
const CACHE_CONTROL = "public, max-age=3600";
/** When the job has failed for longer, visitors get no map. */
const KEPT_DAYS = 2;
const TYPES = { json: "application/json", svg: "image/svg+xml" } as const;
type FileType = keyof typeof TYPES;

const fileKey = ({ id }: Brand, type: FileType) => `visitor-map/${id}.${type}`;
const dayOf = (now: number) => Math.floor(now / DAY_MS);

type Visit = { Bindings: Pick<Env, "TILES">; Variables: { brand: Brand } };
export const visitorMap = new Hono<Visit>();
visitorMap.get("/visitor-map.json", (c) => serve(c, "json"));
visitorMap.get("/visitor-map.svg", (c) => serve(c, "svg"));

async function serve(c: Context<Visit>, type: FileType): Promise<Response> {
  const object = await c.env.TILES.get(fileKey(c.get("brand"), type));
  if (!object || Date.now() - object.uploaded.getTime() > KEPT_DAYS * DAY_MS) return c.body(null, 204);
  return c.body(object.body, 200, { "Content-Type": TYPES[type], "Cache-Control": CACHE_CONTROL });
}

/** Scheduled every hour, for the brands whose map is from an earlier day, so that a new site need not wait for a night. */
export async function drawVisitorMaps(
  env: Pick<Env, "DB" | "TILES" | "ENVIRONMENT">,
  db: Database,
  now: number,
): Promise<void> {
  const { regions } = await listArchives(env.TILES);
  for (const brand of BRANDS) {
    const known = await env.TILES.head(fileKey(brand, "json"));
    if (Number(known?.customMetadata?.day) === dayOf(now)) continue;
    const { firstCity } = brand;
    const frame = frameAround(firstCity);
    const region = regions.find(
      ({ bounds: { west, east, south, north } }) =>
        firstCity.lon > west && firstCity.lon < east && firstCity.lat > south && firstCity.lat < north,
    );
    if (!region || punishingCountryIn(boundsOf(frame))) {
      await env.TILES.delete([fileKey(brand, "json"), fileKey(brand, "svg")]);
      continue;
    }
    const districts = districtsIn(frame);
    const options = { now, withTestAccounts: env.ENVIRONMENT === "development" };
    const counts = await batch(
      env.DB,
      districts.map((district) => countMenQuery(db, brand, district, options)),
    );
    const map: VisitorMap = districts.flatMap((district, index) => {
      const step = shownStep(counts[index]![0]!.men, drawTaken());
      return step === undefined ? [] : [toRing(district, step, frame)];
    });
    await env.TILES.put(fileKey(brand, "svg"), await drawPicture(env.TILES, archiveKey(region.name), frame));
    await env.TILES.put(fileKey(brand, "json"), JSON.stringify(map), { customMetadata: { day: String(dayOf(now)) } });
  }
}
