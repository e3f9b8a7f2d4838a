/**
 * In which country that punishes a place is, from squares of a tenth of a degree. On the safe side: a square that such a country
 * touches is its own, whatever else lies in it.
 */
import type { CellBounds } from "./grid.ts";
import { FIRST_ROW, LINES } from "./punishing-cells.ts";

const PER_DEGREE = 10;
const COLUMNS = 360 * PER_DEGREE;

interface Run {
  readonly from: number;
  readonly to: number;
  readonly land: string;
}

const rows = new Map<number, readonly Run[]>();

function runsOf(row: number): readonly Run[] {
  const known = rows.get(row);
  if (known) return known;
  const runs: Run[] = [];
  let at = 0;
  for (const [, gap = "", land = "", count = ""] of (LINES[row - FIRST_ROW] ?? "").matchAll(
    /([0-9a-z]+)([A-Z]{2})([0-9a-z]+)/g,
  )) {
    const from = at + Number.parseInt(gap, 36);
    at = from + Number.parseInt(count, 36);
    runs.push({ from, to: at, land });
  }
  rows.set(row, runs);
  return runs;
}

function landOfSquare(row: number, column: number): string | undefined {
  const wrapped = (column + COLUMNS) % COLUMNS;
  return runsOf(row).find(({ from, to }) => wrapped >= from && wrapped < to)?.land;
}

/** The country that punishes and that a box touches, or null; of several the one that its middle is in. lonMin may be above lonMax. */
export function punishingLandIn({ latMin, latMax, lonMin, lonMax }: CellBounds): string | null {
  const row = (lat: number) => Math.floor((lat + 90) * PER_DEGREE);
  const column = (lon: number) => Math.floor((lon + 180) * PER_DEGREE);
  const lonEnd = lonMax < lonMin ? lonMax + 360 : lonMax;
  const middle = landOfSquare(row((latMin + latMax) / 2), column((lonMin + lonEnd) / 2));
  if (middle) return middle;
  for (let y = row(latMin); y <= row(latMax); y += 1) {
    for (let x = column(lonMin); x <= column(lonEnd); x += 1) {
      const land = landOfSquare(y, x);
      if (land) return land;
    }
  }
  return null;
}
