import type { Brand } from "@lambda/brands";
import type { Bounds, Point } from "@lambda/geo/distance";
import { type Brief, between, offset, type SimulatedTown } from "./simulated-town.ts";

/** What all attacks share: looking at the map, ranking members, trilateration and bisection. */

export interface Scene {
  readonly town: SimulatedTown;
  readonly victim: number;
  readonly observers: readonly [number, number, number];
  /** Where the victim's marker was last seen, as any member can see on the map. */
  readonly shown: Point;
  /** All markers of the victim that the attack has seen. */
  readonly seen: Point[];
}

/** Guesses where the victim is, by the attack's name. */
export type Attacks = Readonly<Record<string, (scene: Scene) => Promise<Point>>>;

export const BOX_DEGREES = 0.006;
/** Half the side of a box that includes neighboring cells, in degrees. */
export const WIDE_BOX_DEGREES = 0.014;

export const boxAround = ({ lat, lon }: Point, half = BOX_DEGREES): Bounds => ({
  latMin: lat - half,
  latMax: lat + half,
  lonMin: lon - half,
  lonMax: lon + half,
});

/** What an observer currently sees on the map in a box. Notes the victim's marker. */
export async function lookAt(scene: Scene, observer: number, box: Bounds, brand?: Brand): Promise<readonly Brief[]> {
  const { town, victim, seen } = scene;
  town.requests += 1;
  const { items } = await town.as(observer, brand).byBounds(box);
  const brief = items.find(({ profileId }) => profileId === victim);
  if (brief?.lat != null && brief.lon != null) seen.push({ lat: brief.lat, lon: brief.lon });
  return items;
}

/** The victim's brief as an observer currently sees it on the map around a point. */
export async function seeVictim(
  scene: Scene,
  observer: number,
  around: Point = scene.shown,
  half = BOX_DEGREES,
  brand?: Brand,
): Promise<Brief | undefined> {
  const items = await lookAt(scene, observer, boxAround(around, half), brand);
  return items.find((brief) => brief.profileId === scene.victim);
}

/** Returns a function with the rank of each member by distance from an observer; infinite for those not listed. */
export async function rankMembers(scene: Scene, observer: number, maxDistanceMeters: number, size: number) {
  scene.town.requests += 1;
  const { items } = await scene.town.as(observer).nearest({ size, maxDistanceMeters });
  const places = new Map(items.map(({ profileId }, index) => [profileId, index]));
  return (id: number) => places.get(id) ?? Number.POSITIVE_INFINITY;
}

/** Moves an observer away from where the victim was seen, and reads the distance between them, if the map tells it. */
export async function readDistance(scene: Scene, observer: number, [east, north]: readonly [number, number]) {
  const from = await scene.town.report(observer, offset(scene.shown, east, north));
  const meters = (await seeVictim(scene, observer))?.distanceMeters;
  return meters == null ? [] : [{ from, meters }];
}

/** The victim's home as a GPS of this noise in meters sees it. */
export function fixAtHome({ town, victim }: Scene, noise: number): Point {
  return offset(town.raw.get(victim)!, town.random.gaussian() * noise, town.random.gaussian() * noise);
}

export const pointOf = (brief: Brief | undefined, fallback: Point): Point =>
  brief?.lat != null && brief.lon != null ? { lat: brief.lat, lon: brief.lon } : fallback;

export function mean(points: readonly Point[]): Point {
  const sum = (pick: (point: Point) => number) =>
    points.reduce((total, point) => total + pick(point), 0) / points.length;
  return { lat: sum(({ lat }) => lat), lon: sum(({ lon }) => lon) };
}

/** The mean of all markers seen, or else the last known one. */
export const meanSeen = ({ shown, seen }: Scene) => mean(seen.length > 0 ? seen : [shown]);

/** Finds the point that best fits the distances, by least squares (Gauss-Newton). */
export function trilaterate(start: Point, readings: readonly { from: Point; meters: number }[]): Point {
  let at = start;
  for (let round = 0; round < 12; round += 1) {
    let [a, b, c, e, f] = [1e-9, 0, 1e-9, 0, 0];
    for (const { from, meters } of readings) {
      const vector = between(from, at);
      const length = Math.max(1e-6, Math.hypot(vector.east, vector.north));
      const [x, y] = [vector.east / length, vector.north / length];
      const error = meters - length;
      a += x * x;
      b += x * y;
      c += y * y;
      e += x * error;
      f += y * error;
    }
    const determinant = a * c - b * b;
    if (Math.abs(determinant) < 1e-12) break;
    at = offset(at, (c * e - b * f) / determinant, (a * f - b * e) / determinant);
  }
  return at;
}

/** Finds by bisection the fraction at which `isBefore` changes from true to false. */
export async function bisect(steps: number, isBefore: (part: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, 1];
  for (let step = 0; step < steps; step += 1) {
    const middle = (low + high) / 2;
    if (await isBefore(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export const DIRECTIONS = [
  [1800, 0],
  [0, 1800],
  [-1500, 900],
  [-900, -1500],
  [1200, -1200],
  [300, 2100],
] as const;
