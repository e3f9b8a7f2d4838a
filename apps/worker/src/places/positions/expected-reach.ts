/** How far a search has to look, by the density that this isolate knows: it then asks the database once instead of twice. */
import type { KeyRange } from "@lambda/geo/cover";
import { keysIn } from "@lambda/geo/cover";
import { type CurveKey, pointOfKey, toCurveKey } from "@lambda/geo/curve";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { knownDensity } from "./density.ts";
import type { Searcher } from "./statements.ts";

/** Members are known by the middles of squares of 109 m. */
const SQUARE_MARGIN_METERS = 60;
/** Members beyond the wanted ones: some went since, or have a block between. */
const SPARE_MEMBERS = 6;
const ATTEMPTS_MAX = 12;
const WIDENING = 1.5;
const NARROWING = 0.7;
/** Squares whose distance is measured in one attempt. */
const SQUARES_MAX = 4000;

interface Reach {
  readonly meters: number;
  /** Members in a key, for how finely to cut what is read. */
  readonly perKey: number;
}

/** The ranges of a disc. */
type CoverDisc = (outer: number, perKey: number) => readonly KeyRange[];

/**
 * The distance within which so many members are expected beyond another one; undefined where this isolate does not know the density all
 * around, or knows too few.
 */
export function expectedReach(
  searcher: Searcher,
  centreKey: CurveKey,
  { beyond, members }: { readonly beyond: number; readonly members: number },
  coverDisc: CoverDisc,
): Reach | undefined {
  const here = knownDensity(searcher, [{ lo: centreKey, hi: centreKey + 1 }]);
  if (!here) return undefined;
  const centre = pointOfKey(centreKey);
  const wanted = members + SPARE_MEMBERS;
  const around = here.nextTo(centreKey, wanted);
  const first = around.length < wanted ? undefined : distances(around, centre)[wanted - 1];
  if (first === undefined) return undefined;
  let perKey = wanted / (around[around.length - 1]! - around[0]! + 1);
  let outer = Math.max(first, beyond * 1.3) + SQUARE_MARGIN_METERS;
  let widening = WIDENING;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const ranges = coverDisc(outer, perKey);
    const known = knownDensity(searcher, ranges);
    if (!known) return undefined;
    const stretches = ranges.map((range) => known.membersIn(range));
    const count = stretches.reduce((sum, { length }) => sum + length, 0);
    perKey = Math.max(1, count) / keysIn(ranges);
    if (count > SQUARES_MAX) {
      // A crowd on its edge: cut finer, and nearer.
      outer *= NARROWING;
      widening = (WIDENING + 1) / 2;
      continue;
    }
    const squares = stretches.flatMap((stretch) => [...stretch]);
    const meters = distances(squares, centre).filter((distance) => distance > beyond && distance <= outer)[wanted - 1];
    if (meters !== undefined) return { meters: meters + SQUARE_MARGIN_METERS, perKey };
    outer *= widening;
  }
  return undefined;
}

const distances = (middles: Iterable<number>, centre: Point): number[] =>
  Array.from(middles, (middle) => distanceMeters(centre, pointOfKey(toCurveKey(middle)))).sort((a, b) => a - b);
