/**
 * Predicts how far a search has to look, from the density that this isolate has cached: one query then suffices instead
 * of two.
 */
import type { KeyRange } from "@lambda/geo/cover";
import { countKeys } from "@lambda/geo/cover";
import { type CurveKey, pointOfKey, toCurveKey } from "@lambda/geo/curve";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import type { Searcher } from "../../members/visibility/visibility.ts";
import { cachedDensity } from "./density.ts";

/** Members are known only by the centers of squares of 109 m. */
const SQUARE_MARGIN_METERS = 60;
/** Members beyond the wanted number, since some may have left or be blocked. */
const SPARE_MEMBERS = 6;
const ATTEMPTS_MAX = 12;
const WIDENING = 1.5;
const NARROWING = 0.7;
/** Squares whose distance is measured in one attempt. */
const SQUARES_MAX = 4000;

interface Reach {
  readonly meters: number;
  /** Members per key, which decides how finely the ranges are cut. */
  readonly perKey: number;
}

/** Covers a disc with ranges. */
type CoverDisc = (outer: number, perKey: number) => readonly KeyRange[];

/**
 * Returns the distance within which `members` are expected further away than `beyond` meters; undefined if the cached
 * density has a gap there or holds too few members.
 */
export function expectedReach(
  searcher: Searcher,
  centerKey: CurveKey,
  { beyond, members }: { readonly beyond: number; readonly members: number },
  coverDisc: CoverDisc,
): Reach | undefined {
  const here = cachedDensity(searcher, [{ lo: centerKey, hi: centerKey + 1 }]);
  if (!here) return undefined;
  const center = pointOfKey(centerKey);
  const wanted = members + SPARE_MEMBERS;
  const around = here.around(centerKey, wanted);
  const first = around.length < wanted ? undefined : distances(around, center)[wanted - 1];
  if (first === undefined) return undefined;
  let perKey = wanted / (around[around.length - 1]! - around[0]! + 1);
  let outer = Math.max(first, beyond * 1.3) + SQUARE_MARGIN_METERS;
  let widening = WIDENING;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const ranges = coverDisc(outer, perKey);
    const known = cachedDensity(searcher, ranges);
    if (!known) return undefined;
    const membersByRange = ranges.map((range) => known.membersIn(range));
    const count = membersByRange.reduce((sum, { length }) => sum + length, 0);
    perKey = Math.max(1, count) / countKeys(ranges);
    if (count > SQUARES_MAX) {
      // Too many members at the edge: cuts finer, and closer.
      outer *= NARROWING;
      widening = (WIDENING + 1) / 2;
      continue;
    }
    const squares = membersByRange.flatMap((members) => [...members]);
    const meters = distances(squares, center).filter((distance) => distance > beyond && distance <= outer)[wanted - 1];
    if (meters !== undefined) return { meters: meters + SQUARE_MARGIN_METERS, perKey };
    outer *= widening;
  }
  return undefined;
}

const distances = (squareCenters: Iterable<number>, center: Point): number[] =>
  Array.from(squareCenters, (squareCenter) => distanceMeters(center, pointOfKey(toCurveKey(squareCenter)))).sort(
    (a, b) => a - b,
  );
