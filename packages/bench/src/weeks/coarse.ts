/**
 * Exploits a member who was seen at two precisions. Both grids have the same displacement, so the difference between the two markers
 * reveals something about it.
 */
import { type Precision, ROWS_PER_DEGREE } from "@lambda/geo/grid";
import type { Night } from "./nights.ts";
import { type Belief, BINS, binOf, middleOf, normalize } from "./posterior.ts";
import { COARSER } from "./scenarios.ts";
import type { Axis } from "./sightings.ts";
import { cellMeters, type Spot } from "./world.ts";

const STEPS = 400;

/** Belief about the marker's offset from its cell's center along an axis, in cells of the finer precision. */
export function displacementFromCoarse(
  fine: Spot,
  nights: readonly Night[],
  precision: Precision,
  axis: Axis,
): Belief | undefined {
  const coarser = COARSER[precision];
  const coarse = nights.map((night) => night.coarse).filter((spot) => spot !== undefined);
  if (!coarser || coarse.length === 0) return undefined;
  const ratio = ROWS_PER_DEGREE[precision] / ROWS_PER_DEGREE[coarser];
  const seen = new Set(coarse.map((spot) => Math.round((2 * (spot[axis] - fine[axis])) / cellMeters(precision)) / 2));
  const belief = new Float64Array(BINS);
  for (let step = 0; step < STEPS; step += 1) {
    const displaced = ((step + 0.5) / STEPS - 0.5) * ratio;
    // With an even ratio, the center of a coarse cell is on an edge of finer cells.
    const finer = displaced - Math.round(displaced);
    let weight = 1;
    for (const difference of seen) {
      const inner = difference - (displaced - finer);
      if (Math.abs(inner) > (ratio - 1) / 2 + 0.01) weight = 0;
    }
    belief[binOf(finer)]! += weight;
  }
  for (let bin = 0; bin < BINS; bin += 1) if (Math.abs(middleOf(bin)) > 0.51) belief[bin] = 0;
  return normalize(belief);
}
