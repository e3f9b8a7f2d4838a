/**
 * Members who come home each night, for the attacks that watch them for weeks. Their town is at the equator, where all grid rows have the
 * same number of columns; elsewhere columns shift every 5.6 km, which only hides more.
 */
import { METERS_PER_DEGREE, type Point } from "@lambda/geo/distance";
import { type Precision, ROWS_PER_DEGREE } from "@lambda/geo/grid";
import { type Lattice, latticeOf } from "@lambda/geo/lattice";
import { type Random, seededRandom } from "@lambda/testing/random";
import { ACCOUNTS_MAX } from "./scenarios.ts";

/** Meters east and north of the town's center. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Account {
  /** Displacement of the member's cells: secret. */
  readonly own: Lattice;
  /** Displacement of the published points, which markers reveal. */
  readonly shown: Lattice;
}

export interface World {
  readonly random: Random;
  readonly home: Spot;
  /** Where evenings start: a bar, an office, a friend's home. */
  readonly places: readonly [Spot, Spot, Spot];
  /** Accounts of the same member; most scenarios watch only the first. */
  readonly accounts: readonly Account[];
}

export const EQUATOR: Point = { lat: 0.3, lon: 18.3 };
/** Homes are within a square of this size. */
const TOWN_METERS = 12_000;

export function pointOf({ x, y }: Spot, center: Point = EQUATOR): Point {
  const perLon = METERS_PER_DEGREE * Math.cos((center.lat * Math.PI) / 180);
  return { lat: center.lat + y / METERS_PER_DEGREE, lon: center.lon + x / perLon };
}

export function spotOf({ lat, lon }: Point, center: Point = EQUATOR): Spot {
  const perLon = METERS_PER_DEGREE * Math.cos((center.lat * Math.PI) / 180);
  return { x: (lon - center.lon) * perLon, y: (lat - center.lat) * METERS_PER_DEGREE };
}

/** Browsers report as accuracy the radius that contains 95 % of fixes, in standard deviations. */
export const ACCURACY = 2.45;

export const cellMeters = (precision: Precision) => METERS_PER_DEGREE / ROWS_PER_DEGREE[precision];
/** Cell size relative to a street cell; distances and limits scale with it. */
export const scaleOf = (precision: Precision) => ROWS_PER_DEGREE.street / ROWS_PER_DEGREE[precision];

export function away(from: Spot, meters: number, random: Random): Spot {
  const angle = 2 * Math.PI * random.next();
  return { x: from.x + meters * Math.cos(angle), y: from.y + meters * Math.sin(angle) };
}

/** A member by seed, the same in each scenario. */
export function worldOf(seed: number, precision: Precision): World {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1));
  const scale = scaleOf(precision);
  const anywhere = () => (random.next() - 0.5) * TOWN_METERS;
  const home = { x: anywhere(), y: anywhere() };
  const place = (min: number, max: number) => away(home, scale * (min + (max - min) * random.next()), random);
  const account = (): Account => ({
    own: latticeOf(random.next(), random.next()),
    shown: latticeOf(random.next(), random.next()),
  });
  return {
    random,
    home,
    places: [place(300, 1200), place(800, 3000), place(500, 2000)],
    accounts: Array.from({ length: ACCOUNTS_MAX }, account),
  };
}
