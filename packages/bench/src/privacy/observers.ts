import type { Point } from "@lambda/geo/distance";
import { type Brief, between, offset, type SimulatedTown } from "./simulated-town.ts";

/** What an attack is, and what every attacker can do: look at the map, ask for an order, fit a point to distances. */

export interface Scene {
  readonly town: SimulatedTown;
  readonly victim: number;
  /** Accounts that the attacker runs. */
  readonly observers: readonly [number, number, number];
  /** Where the victim's marker was last seen: any member may look it up on the map. */
  readonly shown: Point;
}

export interface Attack {
  readonly name: string;
  /** The attacker's guess. */
  readonly guess: (scene: Scene) => Promise<Point>;
}

export const BOX = 0.006;
/** As far as the next cell, and a little more. */
export const WIDE_BOX = 0.014;

/** The victim's brief as a observer sees it now on the map around a place. */
export async function look(
  scene: Scene,
  observer: number,
  around: Point = scene.shown,
  box = BOX,
): Promise<Brief | undefined> {
  scene.town.requests += 1;
  const { items } = await scene.town.as(observer).byBounds({
    ...{ latMin: around.lat - box, latMax: around.lat + box, lonMin: around.lon - box, lonMax: around.lon + box },
  });
  return items.find((brief) => brief.profileId === scene.victim);
}

/** The order of members around a observer: the place of each, last for who is not in it. */
export async function ranks(scene: Scene, observer: number, maxDistanceMeters: number, size: number) {
  scene.town.requests += 1;
  const { items } = await scene.town.as(observer).nearest({ size, maxDistanceMeters });
  const places = new Map(items.map(({ profileId }, index) => [profileId, index]));
  return (id: number) => places.get(id) ?? Number.POSITIVE_INFINITY;
}

export const pointOf = (brief: Brief | undefined, fallback: Point): Point =>
  brief?.lat != null && brief.lon != null ? { lat: brief.lat, lon: brief.lon } : fallback;

export function mean(points: readonly Point[]): Point {
  const sum = (pick: (point: Point) => number) =>
    points.reduce((total, point) => total + pick(point), 0) / points.length;
  return { lat: sum(({ lat }) => lat), lon: sum(({ lon }) => lon) };
}

/** Where nothing was seen, the marker is taken to be where it was before. */
export const meanSeen = ({ shown }: Scene, seen: readonly Point[]) => mean(seen.length > 0 ? seen : [shown]);

/** Least squares by Gauss-Newton: the point whose distances fit best. */
export function trilaterate(start: Point, readings: readonly { from: Point; meters: number }[]): Point {
  let at = start;
  for (let round = 0; round < 12; round += 1) {
    let [a, b, c, e, f] = [1e-9, 0, 1e-9, 0, 0];
    for (const { from, meters } of readings) {
      const away = between(from, at);
      const length = Math.max(1e-6, Math.hypot(away.east, away.north));
      const [x, y] = [away.east / length, away.north / length];
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

/** Walks a observer along a line and finds, by halving, where an answer changes. */
export async function halve(steps: number, isBefore: (part: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, 1];
  for (let step = 0; step < steps; step += 1) {
    const middle = (low + high) / 2;
    if (await isBefore(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export const COMPASS = [
  [1800, 0],
  [0, 1800],
  [-1500, 900],
  [-900, -1500],
  [1200, -1200],
  [300, 2100],
] as const;
