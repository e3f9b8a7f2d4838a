/**
 * Predicts how far a search has to look, from the density that this isolate has cached: one query then suffices instead
 * of two.
 */
import { countKeys, type KeyRange } from "@lambda/geo/cover";
import { type CurveKey, KEY_END, pointOfKey, toCurveKey } from "@lambda/geo/curve";
import type { Density } from "@lambda/geo/density";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import type { Searcher } from "../../visibility/visibility.ts";
import { cachedDensity } from "./density.ts";

/** Members are known only by the centers of squares of 109 m. */
const SQUARE_MARGIN_METERS = 60;
/** Members beyond the wanted number, since some may have left or be blocked. */
const SPARE_MEMBERS = 6;
const ATTEMPTS_MAX = 16;
const WIDENING = 2;
const NARROWING = 0.7;
/** Where the first attempt begins if nobody is known nearby. */
const NOBODY_NEAR_METERS = 50_000;
/** Squares whose distance is measured in one attempt. */
const SQUARES_MAX = 10_000;

interface Reach {
  readonly meters: number;
  /** What is known within that distance, and somewhat beyond. */
  readonly density: Density;
}

type CoverDisc = (outer: number, perKey: number) => readonly KeyRange[];

/**
 * The distance within which `members` are expected further away than `beyond` meters, at most `within`; or the ranges whose density has to
 * be read first.
 */
export function expectedReach(
  searcher: Searcher,
  centerKey: CurveKey,
  { beyond, members, within }: { readonly beyond: number; readonly members: number; readonly within: number },
  coverDisc: CoverDisc,
): Reach | { readonly unknown: readonly KeyRange[] } | undefined {
  const ownKey = [{ lo: centerKey, hi: centerKey + 1 }];
  const here = cachedDensity(searcher, ownKey);
  if (!here) return { unknown: ownKey };
  const center = pointOfKey(centerKey);
  const wanted = members + SPARE_MEMBERS;
  const around = here.around(centerKey, wanted);
  const first = distances(around, center)[Math.min(wanted, around.length) - 1] ?? NOBODY_NEAR_METERS;
  let perKey = wanted / ((around[around.length - 1] ?? KEY_END) - (around[0] ?? 0) + 1);
  let outer = Math.max(first, beyond * 1.3) + SQUARE_MARGIN_METERS;
  let widening = WIDENING;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    outer = Math.min(outer, within);
    const ranges = coverDisc(outer, perKey);
    const density = cachedDensity(searcher, ranges);
    if (!density) return { unknown: ranges };
    const membersByRange = ranges.map((range) => density.membersIn(range));
    const count = membersByRange.reduce((sum, { length }) => sum + length, 0);
    perKey = Math.max(1, count) / countKeys(ranges);
    if (count > Math.max(SQUARES_MAX, 2 * wanted)) {
      // Too many members at the edge: cuts finer, and closer.
      outer *= NARROWING;
      widening = (WIDENING + 1) / 2;
      continue;
    }
    const squares = membersByRange.flatMap((members) => [...members]);
    const meters = distances(squares, center).filter((distance) => distance > beyond && distance <= outer)[wanted - 1];
    if (meters !== undefined) return { meters: Math.min(meters + SQUARE_MARGIN_METERS, within), density };
    if (outer === within) return { meters: within, density };
    outer *= widening;
  }
  return undefined;
}

const distances = (squareCenters: Iterable<number>, center: Point): number[] =>
  Array.from(squareCenters, (squareCenter) => distanceMeters(center, pointOfKey(toCurveKey(squareCenter)))).sort(
    (a, b) => a - b,
  );
