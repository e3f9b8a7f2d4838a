import type { PlaceIndex } from "@lambda/contract/map-archives";
import type { Place } from "./places.ts";

/** Smaller towns are found around the map's view alone, by its tiles; with all of them the archive would be a fifth larger. */
const POPULATION_MIN = 5000;

/** All names of larger towns and of quarters, by which members look for a place without a word to the server. */
export function indexPlaces(places: readonly Place[]): PlaceIndex {
  const indexed = places.filter(
    ({ properties: { kind, population } }) => kind === "quarter" || (kind === "city" && population >= POPULATION_MIN),
  );
  const countries = new Map<string, Place[]>();
  // Sorted by name, they compress to half.
  for (const place of indexed.toSorted((a, b) => (a.properties.name < b.properties.name ? -1 : 1))) {
    const { region } = place.properties;
    const list = countries.get(region);
    if (list) list.push(place);
    else countries.set(region, [place]);
  }
  return Object.fromEntries(
    [...countries].sort().map(([country, list]) => [
      country,
      {
        names: list
          .map(({ properties: { name, name_es = "", name_local = "" } }) =>
            [name, name_es, name_local].join("\t").trimEnd(),
          )
          .join("\n"),
        lats: list.map(({ lat }) => Math.round(lat * 100)),
        lons: list.map(({ lon }) => Math.round(lon * 100)),
        sizes: list.map(({ properties: { population } }) => Math.round(Math.log2(population + 1))).join(" "),
        quarters: list.flatMap(({ properties: { kind } }, at) => (kind === "quarter" ? [at] : [])),
      },
    ]),
  );
}
