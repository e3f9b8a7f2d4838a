/**
 * Looks up whether a location is in a country that punishes homosexuality, in a grid of a tenth of a degree. It errs on the safe side:
 * a square counts as punishing if any part of it does.
 */
import type { Bounds } from "./distance.ts";
import { FIRST_ROW, ROWS } from "./punishing-cells.ts";

const PER_DEGREE = 10;
const COLUMNS = 360 * PER_DEGREE;

interface Run {
  readonly from: number;
  readonly to: number;
  readonly country: string;
}

const decodedRows = new Map<number, readonly Run[]>();

function runsOf(row: number): readonly Run[] {
  const cached = decodedRows.get(row);
  if (cached) return cached;
  const runs: Run[] = [];
  let at = 0;
  for (const [, gap = "", country = "", count = ""] of (ROWS[row - FIRST_ROW] ?? "").matchAll(
    /([0-9a-z]+)([A-Z]{2})([0-9a-z]+)/g,
  )) {
    const from = at + Number.parseInt(gap, 36);
    at = from + Number.parseInt(count, 36);
    runs.push({ from, to: at, country });
  }
  decodedRows.set(row, runs);
  return runs;
}

function countryOfSquare(row: number, column: number): string | undefined {
  const wrapped = (column + COLUMNS) % COLUMNS;
  return runsOf(row).find(({ from, to }) => wrapped >= from && wrapped < to)?.country;
}

/** The punishing country that bounds touch, or null. If there are several, the one at the center wins. lonMin may be above lonMax. */
export function punishingCountryIn({ latMin, latMax, lonMin, lonMax }: Bounds): string | null {
  const row = (lat: number) => Math.floor((lat + 90) * PER_DEGREE);
  const column = (lon: number) => Math.floor((lon + 180) * PER_DEGREE);
  const lonEnd = lonMax < lonMin ? lonMax + 360 : lonMax;
  const middle = countryOfSquare(row((latMin + latMax) / 2), column((lonMin + lonEnd) / 2));
  if (middle) return middle;
  for (let y = row(latMin); y <= row(latMax); y += 1) {
    for (let x = column(lonMin); x <= column(lonEnd); x += 1) {
      const country = countryOfSquare(y, x);
      if (country) return country;
    }
  }
  return null;
}
