/**
 * `node packages/tooling/src/punishing-cells/main.ts` generates packages/geo/src/punishing-cells.ts: the squares of a tenth of a degree
 * that contain land of a punishing country, from the borders of Natural Earth (public domain, in the package world-atlas).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PUNISHING } from "@lambda/contract/punishing";
import { ROOT } from "@lambda/testing/site";
import { feature } from "topojson-client";

/** The atlas identifies countries by ISO 3166-1 numeric codes. */
const NUMERIC = new Map(
  (
    "AF004 DZ012 BD050 BN096 BF854 BI108 CM120 TD148 KM174 EG818 ER232 SZ748 ET231 GM270 GH288 GD308 GN324 GY328 " +
    "ID360 IR364 IQ368 JM388 KE404 KI296 KW414 LB422 LR430 LY434 MW454 MY458 MV462 ML466 MR478 MA504 MM104 NG566 " +
    "OM512 PK586 PS275 PG598 QA634 RU643 VC670 WS882 SA682 SN686 SL694 SB090 SO706 SS728 LK144 SD729 SY760 TZ834 " +
    "TG768 TO776 TT780 TN788 TM795 TV798 UG800 AE784 UZ860 EH732 YE887 ZM894 ZW716"
  )
    .split(" ")
    .map((code) => [code.slice(2), code.slice(0, 2)]),
);

/** Areas without a numeric code in the atlas. */
const BY_NAME: Readonly<Record<string, string>> = { Somaliland: "SO" };

const COUNTRY_CODES: readonly string[] = PUNISHING.map(({ country }) => country);

/** The punishing country at a point of an atlas area. Regional laws only count inside their box. */
function punishingCountryAt(
  id: string | undefined,
  name: string | undefined,
  lat: number,
  lon: number,
): string | undefined {
  const code = NUMERIC.get(id ?? "") ?? BY_NAME[name ?? ""];
  const entry = PUNISHING.find(({ country }) => country === code);
  if (!entry) return undefined;
  const { box } = entry;
  if (box && (lat < box.latMin || lat > box.latMax || lon < box.lonMin || lon > box.lonMax)) return undefined;
  return entry.country;
}

const FILE = `${ROOT}packages/geo/src/punishing-cells.ts`;
const PER_DEGREE = 10;
const COLUMNS = 360 * PER_DEGREE;
const ROWS = 180 * PER_DEGREE;
/** Scan lines per square, and sample points per square along borders. */
const LINES_PER_SQUARE = 4;

type Ring = readonly (readonly number[])[];

const atlas = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve("world-atlas/countries-10m.json")), "utf8"));
const { features } = feature(atlas, atlas.objects.countries);

const OTHER_COUNTRY = "..";
/** The country of each square; punishing ones take precedence. */
const squares = new Map<number, string>();

function setCountry(row: number, column: number, country: string): void {
  if (row < 0 || row >= ROWS) return;
  const square = row * COLUMNS + ((column + COLUMNS) % COLUMNS);
  if (country !== OTHER_COUNTRY || !squares.has(square)) squares.set(square, country);
}

const columnOf = (lon: number) => Math.floor((lon + 180) * PER_DEGREE);
const rowOf = (lat: number) => Math.floor((lat + 90) * PER_DEGREE);

/** Fills the squares that an area's borders pass through. */
function fillBorder(rings: readonly Ring[], countryAt: (lat: number, lon: number) => string): void {
  for (const ring of rings) {
    for (const [index, [lon = 0, lat = 0]] of ring.entries()) {
      const [lonNext = lon, latNext = lat] = ring[index + 1] ?? [];
      const steps =
        Math.ceil(Math.max(Math.abs(lonNext - lon), Math.abs(latNext - lat)) * PER_DEGREE * LINES_PER_SQUARE) || 1;
      // Skip edges that jump across the map at the date line.
      for (let step = 0; step <= (Math.abs(lonNext - lon) > 180 ? 0 : steps); step += 1) {
        const [x, y] = [lon + ((lonNext - lon) * step) / steps, lat + ((latNext - lat) * step) / steps];
        setCountry(rowOf(y), columnOf(x), countryAt(y, x));
      }
    }
  }
}

/** Fills the squares inside an area, by the even-odd rule along lines of latitude. */
function fillInside(rings: readonly Ring[], countryAt: (lat: number, lon: number) => string): void {
  const crossings = new Map<number, number[]>();
  for (const ring of rings) {
    for (const [index, [lon = 0, lat = 0]] of ring.entries()) {
      const [lonNext = lon, latNext = lat] = ring[index + 1] ?? [];
      const [low, high] = lat < latNext ? [lat, latNext] : [latNext, lat];
      for (
        let line = Math.ceil((low + 90) * PER_DEGREE * LINES_PER_SQUARE);
        line < (high + 90) * PER_DEGREE * LINES_PER_SQUARE;
        line += 1
      ) {
        const y = line / (PER_DEGREE * LINES_PER_SQUARE) - 90;
        const list = crossings.get(line) ?? [];
        list.push(lon + ((y - lat) / (latNext - lat)) * (lonNext - lon));
        crossings.set(line, list);
      }
    }
  }
  for (const [line, list] of crossings) {
    const sorted = list.sort((a, b) => a - b);
    const lat = line / (PER_DEGREE * LINES_PER_SQUARE) - 90;
    for (let index = 0; index + 1 < sorted.length; index += 2) {
      for (let column = columnOf(sorted[index]!); column <= columnOf(sorted[index + 1]!); column += 1)
        setCountry(rowOf(lat), column, countryAt(lat, (column + 0.5) / PER_DEGREE - 180));
    }
  }
}

for (const area of features) {
  const { id, properties } = area;
  const countryAt = (lat: number, lon: number) => punishingCountryAt(id, properties.name, lat, lon) ?? OTHER_COUNTRY;
  const rings = area.geometry.type === "Polygon" ? area.geometry.coordinates : area.geometry.coordinates.flat();
  fillBorder(rings, countryAt);
  fillInside(rings, countryAt);
}

const NEIGHBOR_OFFSETS = [-1, 0, 1].flatMap((up) => [-1, 0, 1].map((right) => [up, right] as const));

function squareAndNeighbors(square: number): number[] {
  const [row, column] = [Math.floor(square / COLUMNS), square % COLUMNS];
  return NEIGHBOR_OFFSETS.map(([up, right]) => (row + up) * COLUMNS + ((column + right + COLUMNS) % COLUMNS));
}

// Coasts are imprecise, so a sea square next to a punishing country counts as punishing unless another country is near.
for (const [square, country] of [...squares]) {
  if (country === OTHER_COUNTRY) continue;
  for (const near of squareAndNeighbors(square)) {
    if (!squares.has(near) && !squareAndNeighbors(near).some((other) => squares.get(other) === OTHER_COUNTRY))
      squares.set(near, country);
  }
}

const lines: string[] = [];
for (let row = 0; row < ROWS; row += 1) {
  const runs: string[] = [];
  let last = 0;
  for (let column = 0; column < COLUMNS; column += 1) {
    const country = squares.get(row * COLUMNS + column);
    if (country === undefined || country === OTHER_COUNTRY) continue;
    let end = column;
    while (end + 1 < COLUMNS && squares.get(row * COLUMNS + end + 1) === country) end += 1;
    runs.push(`${(column - last).toString(36)}${country}${(end - column + 1).toString(36)}`);
    last = end + 1;
    column = end;
  }
  lines.push(runs.join(","));
}
const first = lines.findIndex((line) => line !== "");
const end = lines.findLastIndex((line) => line !== "") + 1;

writeFileSync(
  FILE,
  `// Made by packages/tooling/src/punishing-cells/main.ts. Do not edit.

/** Index of the first row below, counted from the south pole in tenths of a degree. */
export const FIRST_ROW = ${first};

/** Each row as runs from longitude -180 eastward: squares to skip, the country, and its number of squares, in base 36. */
export const ROWS: readonly string[] =
  "${lines.slice(first, end).join(" ")}".split(" ");
`,
);
const seen = new Set(squares.values());
const missing = COUNTRY_CODES.filter((land) => !seen.has(land));
console.log(
  `${FILE}: ${lines.join(" ").length} characters, ${seen.size - 1} countries, missing: ${missing.join(" ") || "none"}`,
);
