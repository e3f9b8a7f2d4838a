import { bridgeGapsWhere, coverShape, type KeyRange, limitRanges, type Shape } from "@lambda/geo/cover";
import { DENSITY_SQUARE_BITS, type Density } from "@lambda/geo/density";
import { RANGES_MAX } from "./statements.ts";

/** Squares on the edge are divided while they are expected to hold this many members. */
const FEW_MEMBERS = 0.5;
/** Gaps with at most this many members are read too, since another range would cost as much. */
const BRIDGED_MEMBERS = 1;

/** The cheapest ranges that cover a shape: cut finely where members are, however unevenly they are spread, and coarsely where nobody is. */
export function coverWithDensity(shape: Shape, density: Density, finestBits = DENSITY_SQUARE_BITS): KeyRange[] {
  const ranges = coverShape(shape, finestBits, (square) => density.expectedIn(square) < FEW_MEMBERS);
  return limitRanges(
    bridgeGapsWhere(ranges, (gap) => density.expectedIn(gap) <= BRIDGED_MEMBERS),
    RANGES_MAX,
  );
}
