import type { PositionAggregate } from "@lambda/contract/positions";
import { distanceMeters, type Point } from "@lambda/geo/distance";

/** How many members are certainly within a distance. */
export interface CountWithin {
  readonly meters: number;
  readonly count: number;
}

const LINES_MAX = 3;

/**
 * Sums the counts of areas by distance. An area only counts as within a distance if all of it is, so that a number never
 * promises too much or reveals more than the areas do.
 *
 * @param distances candidates in meters, ascending; one that adds no members is skipped
 */
export function countsByDistance(
  from: Point,
  areas: readonly PositionAggregate[],
  distances: readonly number[],
): CountWithin[] {
  const areaReaches = areas.map((area) => ({ meters: farthestMeters(from, area), count: area.count }));
  const lines: CountWithin[] = [];
  for (const meters of distances) {
    const count = areaReaches.reduce((sum, area) => (area.meters <= meters ? sum + area.count : sum), 0);
    if (count > (lines.at(-1)?.count ?? 0)) lines.push({ meters, count });
  }
  return lines.slice(0, LINES_MAX);
}

/** Distance to the farthest corner, or to the antipode for an area that is nearly half the globe. */
function farthestMeters(from: Point, { centerLat, centerLon, deltaLat, deltaLon }: PositionAggregate): number {
  if (deltaLon > 90) return Math.PI * 6_371_000;
  const corners = [-1, 1].flatMap((north) =>
    [-1, 1].map((east) => ({ lat: centerLat + north * deltaLat, lon: centerLon + east * deltaLon })),
  );
  return Math.max(...corners.map((corner) => distanceMeters(from, corner)));
}
