import type { Point } from "@lambda/geo/distance";
import { distanceMeters } from "@lambda/geo/distance";

/** A place of the basemap. */
export interface NamedPlace extends Point {
  readonly kind: "city" | "quarter";
  readonly name: string;
  readonly population: number;
}

/** A quarter, or a village within a city, names what is around it so far. */
const QUARTER_REACH_METERS = 2500;
/** A city's name says nothing about what is farther away. */
const CITY_REACH_METERS = 40_000;
/** Within so much of a city's point its nearness no longer counts, its size does. */
const CITY_CORE_METERS = 5000;

/**
 * What people would call the ground around a point: "Alhambra, Phoenix", "Phoenix", or null in the middle of nowhere. A large city
 * reaches farther than a small one, by population over the square of the distance.
 *
 * @param quarters false from afar, where a window holds many of them
 */
export function placeName(at: Point, places: readonly NamedPlace[], quarters: boolean): string | null {
  const cities = places.filter(({ kind }) => kind === "city");
  const city = best(at, cities, CITY_REACH_METERS, ({ population }, meters) => {
    return (population + 1) / (meters * meters + CITY_CORE_METERS * CITY_CORE_METERS);
  });
  const quarter = quarters ? best(at, places, QUARTER_REACH_METERS, (_place, meters) => -meters) : null;
  const names = [quarter, city].filter((name, i, all) => name !== null && all.indexOf(name) === i);
  return names.length > 0 ? names.join(", ") : null;
}

function best(
  at: Point,
  places: readonly NamedPlace[],
  reach: number,
  weigh: (place: NamedPlace, meters: number) => number,
): string | null {
  let found: { readonly name: string; readonly weight: number } | null = null;
  for (const place of places) {
    const meters = distanceMeters(at, place);
    if (meters > reach) continue;
    const weight = weigh(place, meters);
    if (!found || weight > found.weight) found = { name: place.name, weight };
  }
  return found?.name ?? null;
}
