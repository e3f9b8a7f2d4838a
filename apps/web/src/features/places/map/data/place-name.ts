import { distanceMeters, type Point } from "@lambda/geo/distance";

/** A place in the basemap. "quarter" is the tiles' word for a neighborhood. */
export interface NamedPlace extends Point {
  readonly kind: "city" | "quarter";
  readonly name: string;
  /** Its names in other languages. */
  readonly aliases?: readonly string[];
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  readonly population: number;
}

/** A quarter, or a village within a city, gives its name to points within this distance. */
const QUARTER_REACH_METERS = 2500;
/** A city gives its name to points within this distance. */
const CITY_REACH_METERS = 40_000;
/** Closer than this, distance hardly counts any more and population decides. */
const CITY_CORE_METERS = 5000;

/**
 * The usual name of the place around a point: "Alhambra, Phoenix", "Phoenix", or null in the middle of nowhere. Cities
 * compete by population over squared distance, so that a large one reaches farther.
 *
 * @param quarters false when zoomed out, where the view contains many quarters
 */
export function placeName(at: Point, places: readonly NamedPlace[], quarters: boolean): string | null {
  const cities = places.filter(({ kind }) => kind === "city");
  const city = bestName(at, cities, CITY_REACH_METERS, ({ population }, meters) => {
    return (population + 1) / (meters * meters + CITY_CORE_METERS * CITY_CORE_METERS);
  });
  const quarter = quarters ? bestName(at, places, QUARTER_REACH_METERS, (_place, meters) => -meters) : null;
  const names = [quarter, city].filter((name, i, all) => name !== null && all.indexOf(name) === i);
  return names.length > 0 ? names.join(", ") : null;
}

export interface Town {
  readonly name: string;
  readonly meters: number;
}

/** The name of a place, null where nobody lives, and the next towns where it has no streets. */
export interface PlaceShown {
  readonly name: string | null;
  readonly towns: readonly Town[];
}

export const NOWHERE: PlaceShown = { name: null, towns: [] };

const NEXT_TOWNS = 2;

/** The towns around a point, nearest first, by which one finds the way where the map has no streets. */
export function nextTowns(at: Point, places: readonly NamedPlace[]): Town[] {
  return places
    .filter(({ kind }) => kind === "city")
    .map((place) => ({ name: place.name, meters: distanceMeters(at, place) }))
    .sort((one, other) => one.meters - other.meters)
    .slice(0, NEXT_TOWNS);
}

function bestName(
  at: Point,
  places: readonly NamedPlace[],
  reach: number,
  weigh: (place: NamedPlace, meters: number) => number,
): string | null {
  let best: { readonly name: string; readonly weight: number } | null = null;
  for (const place of places) {
    const meters = distanceMeters(at, place);
    if (meters > reach) continue;
    const weight = weigh(place, meters);
    if (!best || weight > best.weight) best = { name: place.name, weight };
  }
  return best?.name ?? null;
}
