/** Summarizes the markers seen as cells relative to the most frequent one. */
import type { Precision } from "@lambda/geo/grid";
import type { Night } from "./nights.ts";
import type { Watch } from "./scenarios.ts";
import { cellMeters, type Spot } from "./world.ts";

export const AXES = ["x", "y"] as const;
export type Axis = (typeof AXES)[number];

export interface Sighted {
  /** The most frequent marker. */
  readonly marker: Spot;
  /** Features by which an attacker compares members, per axis. */
  readonly traits: Record<Axis, readonly number[]>;
}

/** The nights that are watched, without those at the coarser precision. */
export function watchedNights(nights: readonly Night[], { every, ways }: Watch): Night[] {
  return nights
    .filter(({ onlyCoarse }, index) => index % every === every - 1 && !onlyCoarse)
    .map((night) => (ways ? night : { ...night, way: [], atHome: night.atHome.slice(-1) }));
}

function mostSeen(spots: readonly Spot[]): Spot {
  const counts = new Map<string, { spot: Spot; count: number }>();
  for (const spot of spots) {
    const name = `${spot.x.toFixed(1)}:${spot.y.toFixed(1)}`;
    const entry = counts.get(name);
    if (entry) entry.count += 1;
    else counts.set(name, { spot, count: 1 });
  }
  return [...counts.values()].reduce((best, entry) => (entry.count > best.count ? entry : best)).spot;
}

/** The last marker before the member came home that differs from the one at home. */
function cameFrom({ way, atPlace, atHome }: Night, ways: boolean): Spot | undefined {
  if (!ways) return undefined;
  const last = atHome.at(-1)!;
  return [atPlace, ...way].findLast(({ x, y }) => Math.abs(x - last.x) + Math.abs(y - last.y) > 1);
}

const CLOSE = 1;
const clip = (cells: number) => Math.max(-CLOSE, Math.min(CLOSE, Math.round(cells)));

export function sightHome(nights: readonly Night[], precision: Precision, { ways }: Watch): Sighted {
  const size = cellMeters(precision);
  const home = nights.flatMap(({ atHome }) => atHome);
  const marker = mostSeen(home);
  const share = (list: readonly number[], value: number) =>
    list.length === 0 ? 0 : list.filter((each) => each === value).length / list.length;
  const traitsOf = (axis: Axis) => {
    const from = (spot: Spot) => clip((spot[axis] - marker[axis]) / size);
    const cells = home.map(from);
    const before = nights.map((night) => cameFrom(night, ways)).filter((spot) => spot !== undefined);
    const ends = before.map(from);
    const first = nights[0]!.atHome.map(from);
    return [
      3 * share(cells, -1),
      3 * share(cells, 1),
      first.at(-1)! - from(nights.at(-1)!.atHome.at(-1)!),
      share(ends, -1),
      share(ends, 0),
      share(ends, 1),
    ].map((trait) => Math.round(trait * 8) / 8);
  };
  return { marker, traits: { x: traitsOf("x"), y: traitsOf("y") } };
}

/** The most frequent marker at a known place. */
export function sightPlace(nights: readonly Night[], place: number): Spot | undefined {
  const seen = nights.filter((night) => night.place === place).map(({ atPlace }) => atPlace);
  return seen.length > 0 ? mostSeen(seen) : undefined;
}
