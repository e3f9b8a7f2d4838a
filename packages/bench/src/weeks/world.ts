/**
 * Members who come home each night, for the attacks that watch them for weeks. Their town lies at the equator, where every row
 * of the grid has as many columns: elsewhere a displaced grid starts anew every 5.6 km, which only hides more.
 */
import { METERS_PER_DEGREE, type Point } from "@lambda/geo/distance";
import { type Precision, ROWS_PER_DEGREE } from "@lambda/geo/grid";
import { type Lattice, latticeOf } from "@lambda/geo/lattice";
import { type Random, seededRandom } from "@lambda/testing/random";

/** Meters east and north of the town's centre. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Account {
  /** Displaces the own cells: secret. */
  readonly own: Lattice;
  /** Displaces what others see of them: read from the markers. */
  readonly shown: Lattice;
}

export interface World {
  readonly random: Random;
  readonly home: Spot;
  /** A bar, an office, a friend: the evenings begin there. */
  readonly places: readonly [Spot, Spot, Spot];
  /** Two accounts of two addresses; most scenarios watch the first. */
  readonly accounts: readonly [Account, Account];
}

export const EQUATOR: Point = { lat: 0.3, lon: 18.3 };
/** Homes lie in a square of about 12 km. */
const TOWN_METERS = 12_000;

export function pointOf({ x, y }: Spot, centre: Point = EQUATOR): Point {
  const perLon = METERS_PER_DEGREE * Math.cos((centre.lat * Math.PI) / 180);
  return { lat: centre.lat + y / METERS_PER_DEGREE, lon: centre.lon + x / perLon };
}

export function spotOf({ lat, lon }: Point, centre: Point = EQUATOR): Spot {
  const perLon = METERS_PER_DEGREE * Math.cos((centre.lat * Math.PI) / 180);
  return { x: (lon - centre.lon) * perLon, y: (lat - centre.lat) * METERS_PER_DEGREE };
}

/** The radius that holds 95 % of fixes scattered by a standard deviation of 1 on both axes: what browsers call accuracy. */
export const ACCURACY = 2.45;

export const cellMeters = (precision: Precision) => METERS_PER_DEGREE / ROWS_PER_DEGREE[precision];
/** How much larger than a street cell: ways, places and what an attack may reach grow with the cell. */
export const scaleOf = (precision: Precision) => ROWS_PER_DEGREE.street / ROWS_PER_DEGREE[precision];

export function away(from: Spot, meters: number, random: Random): Spot {
  const angle = 2 * Math.PI * random.next();
  return { x: from.x + meters * Math.cos(angle), y: from.y + meters * Math.sin(angle) };
}

/** A member, by number: the same one in each scenario. */
export function worldOf(seed: number, precision: Precision): World {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1));
  const scale = scaleOf(precision);
  const anywhere = () => (random.next() - 0.5) * TOWN_METERS;
  const home = { x: anywhere(), y: anywhere() };
  const place = (least: number, most: number) => away(home, scale * (least + (most - least) * random.next()), random);
  const account = (): Account => ({
    own: latticeOf(random.next(), random.next()),
    shown: latticeOf(random.next(), random.next()),
  });
  return {
    random,
    home,
    places: [place(300, 1200), place(800, 3000), place(500, 2000)],
    accounts: [account(), account()],
  };
}
