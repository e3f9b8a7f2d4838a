import type { PositionAggregate } from "@lambda/contract/positions";
import { distanceMeters, type Point } from "@lambda/geo/distance";

/** How many members there are for certain within a distance. */
export interface CountWithin {
  readonly meters: number;
  readonly count: number;
}

const LINES_MAX = 3;

/**
 * Reads the counted areas from a point outwards. An area counts as within a distance when all of it is, so that no number is finer than
 * the areas are, and none promises too much.
 *
 * @param rounds the distances that may be named, ascending
 */
export function countsAround(
  from: Point,
  areas: readonly PositionAggregate[],
  rounds: readonly number[],
): CountWithin[] {
  const reaches = areas.map((area) => ({ meters: farthestOf(from, area), count: area.count }));
  const lines: CountWithin[] = [];
  for (const meters of rounds) {
    const count = reaches.reduce((sum, area) => (area.meters <= meters ? sum + area.count : sum), 0);
    if (count > (lines.at(-1)?.count ?? 0)) lines.push({ meters, count });
  }
  return lines.slice(0, LINES_MAX);
}

/** The farthest corner; of an area that is nearly the globe, the farthest point on it. */
function farthestOf(from: Point, { centerLat, centerLon, deltaLat, deltaLon }: PositionAggregate): number {
  if (deltaLon > 90) return Math.PI * 6_371_000;
  const corners = [-1, 1].flatMap((north) =>
    [-1, 1].map((east) => ({ lat: centerLat + north * deltaLat, lon: centerLon + east * deltaLon })),
  );
  return Math.max(...corners.map((corner) => distanceMeters(from, corner)));
}
