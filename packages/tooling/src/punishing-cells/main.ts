/**
 * `node packages/tooling/src/punishing-cells/main.ts` writes packages/geo/src/punishing-cells.ts: which squares of a tenth of a degree hold
 * land of a country that punishes, from the borders of Natural Earth (public domain, in the package world-atlas).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ROOT } from "@lambda/testing/site";
import { type Feature, feature } from "topojson-client";
import { LANDS, landOf } from "./lands.ts";

const FILE = `${ROOT}packages/geo/src/punishing-cells.ts`;
const PER_DEGREE = 10;
const COLUMNS = 360 * PER_DEGREE;
const ROWS = 180 * PER_DEGREE;
/** Lines looked at across each square, and points along each of its edges. */
const LINES = 4;

type Ring = readonly (readonly number[])[];

const atlas = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve("world-atlas/countries-10m.json")), "utf8"));
const { features } = feature(atlas, atlas.objects.countries);

const OTHERS = "..";
/** Of each square the land in it; a country that punishes before one that does not. */
const squares = new Map<number, string>();

function put(row: number, column: number, land: string): void {
  if (row < 0 || row >= ROWS) return;
  const square = row * COLUMNS + ((column + COLUMNS) % COLUMNS);
  if (land !== OTHERS || !squares.has(square)) squares.set(square, land);
}

function ringsOf({ geometry }: Feature): Ring[] {
  return geometry.type === "Polygon" ? geometry.coordinates : geometry.coordinates.flat();
}

const columnOf = (lon: number) => Math.floor((lon + 180) * PER_DEGREE);
const rowOf = (lat: number) => Math.floor((lat + 90) * PER_DEGREE);

/** The squares that the borders of an area pass through. */
function putBorder(rings: readonly Ring[], landAt: (lat: number, lon: number) => string): void {
  for (const ring of rings) {
    for (const [at, [lon = 0, lat = 0]] of ring.entries()) {
      const [lonNext = lon, latNext = lat] = ring[at + 1] ?? [];
      const steps = Math.ceil(Math.max(Math.abs(lonNext - lon), Math.abs(latNext - lat)) * PER_DEGREE * LINES) || 1;
      // An edge along the date line from one side of the map to the other is none.
      for (let step = 0; step <= (Math.abs(lonNext - lon) > 180 ? 0 : steps); step += 1) {
        const [x, y] = [lon + ((lonNext - lon) * step) / steps, lat + ((latNext - lat) * step) / steps];
        put(rowOf(y), columnOf(x), landAt(y, x));
      }
    }
  }
}

/** The squares inside of an area, by the even-odd rule along lines of latitude. */
function putInside(rings: readonly Ring[], landAt: (lat: number, lon: number) => string): void {
  const crossings = new Map<number, number[]>();
  for (const ring of rings) {
    for (const [at, [lon = 0, lat = 0]] of ring.entries()) {
      const [lonNext = lon, latNext = lat] = ring[at + 1] ?? [];
      const [low, high] = lat < latNext ? [lat, latNext] : [latNext, lat];
      for (let line = Math.ceil((low + 90) * PER_DEGREE * LINES); line < (high + 90) * PER_DEGREE * LINES; line += 1) {
        const y = line / (PER_DEGREE * LINES) - 90;
        const list = crossings.get(line) ?? [];
        list.push(lon + ((y - lat) / (latNext - lat)) * (lonNext - lon));
        crossings.set(line, list);
      }
    }
  }
  for (const [line, list] of crossings) {
    const sorted = list.sort((a, b) => a - b);
    const lat = line / (PER_DEGREE * LINES) - 90;
    for (let at = 0; at + 1 < sorted.length; at += 2) {
      for (let column = columnOf(sorted[at]!); column <= columnOf(sorted[at + 1]!); column += 1)
        put(rowOf(lat), column, landAt(lat, (column + 0.5) / PER_DEGREE - 180));
    }
  }
}

for (const area of features) {
  const { id, properties } = area;
  const landAt = (lat: number, lon: number) => landOf(id, properties.name, lat, lon) ?? OTHERS;
  const rings = ringsOf(area);
  putBorder(rings, landAt);
  putInside(rings, landAt);
}

const AROUND = [-1, 0, 1].flatMap((up) => [-1, 0, 1].map((right) => [up, right] as const));

function around(square: number): number[] {
  const [row, column] = [Math.floor(square / COLUMNS), square % COLUMNS];
  return AROUND.map(([up, right]) => (row + up) * COLUMNS + ((column + right + COLUMNS) % COLUMNS));
}

// Coasts are drawn roughly: a square at sea beside such a country counts as its own, where no other land is near.
for (const [square, land] of [...squares]) {
  if (land === OTHERS) continue;
  for (const near of around(square)) {
    if (!squares.has(near) && !around(near).some((other) => squares.get(other) === OTHERS)) squares.set(near, land);
  }
}

const lines: string[] = [];
for (let row = 0; row < ROWS; row += 1) {
  const pairs: string[] = [];
  let last = 0;
  for (let column = 0; column < COLUMNS; column += 1) {
    const land = squares.get(row * COLUMNS + column);
    if (land === undefined || land === OTHERS) continue;
    let end = column;
    while (end + 1 < COLUMNS && squares.get(row * COLUMNS + end + 1) === land) end += 1;
    pairs.push(`${(column - last).toString(36)}${land}${(end - column + 1).toString(36)}`);
    last = end + 1;
    column = end;
  }
  lines.push(pairs.join(","));
}
const first = lines.findIndex((line) => line !== "");
const end = lines.findLastIndex((line) => line !== "") + 1;

writeFileSync(
  FILE,
  `// Made by packages/tooling/src/punishing-cells/main.ts. Do not edit.

/** The row of the first line below: squares of a tenth of a degree from the south pole. */
export const FIRST_ROW = ${first};

/** A line for each row: how many squares to go east, the country, and how many squares of it, in base 36. */
export const LINES: readonly string[] =
  "${lines.slice(first, end).join(" ")}".split(" ");
`,
);
const seen = new Set(squares.values());
const missing = LANDS.filter((land) => !seen.has(land));
console.log(
  `${FILE}: ${lines.join(" ").length} characters, ${seen.size - 1} countries, missing: ${missing.join(" ") || "none"}`,
);
