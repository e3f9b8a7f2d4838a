/** Probability distributions over an offset along one axis, in cells, as histograms from -RANGE to RANGE. */
const RANGE = 2;
export const BINS = 160;
const BIN = (2 * RANGE) / BINS;
export type Belief = Float64Array;

export const middleOf = (bin: number) => (bin + 0.5) * BIN - RANGE;
export const binOf = (value: number) => Math.max(0, Math.min(BINS - 1, Math.floor((value + RANGE) / BIN)));

export function normalize(belief: Belief): Belief {
  let sum = 0;
  for (const part of belief) sum += part;
  return sum > 0 ? belief.map((part) => part / sum) : belief.fill(1 / BINS);
}

/** Estimates a belief from samples, blurred by a twentieth of a cell to both sides. */
export function beliefOf(samples: readonly number[]): Belief {
  const belief = new Float64Array(BINS);
  for (const sample of samples) for (let near = -2; near <= 2; near += 1) belief[binOf(sample + near * BIN)]! += 1;
  return normalize(belief);
}

/** Uniform within half a cell to both sides. */
export const UNIFORM: Belief = normalize(
  Float64Array.from({ length: BINS }, (_, bin) => (Math.abs(middleOf(bin)) < 0.5 ? 1 : 0)),
);
/** Certainly zero. */
export const CERTAIN: Belief = normalize(
  Float64Array.from({ length: BINS }, (_, bin) => (Math.abs(middleOf(bin)) < BIN ? 1 : 0)),
);

/** The belief about a - b. */
export function difference(a: Belief, b: Belief): Belief {
  const result = new Float64Array(BINS);
  for (let i = 0; i < BINS; i += 1) {
    if (b[i] === 0) continue;
    for (let j = 0; j < BINS; j += 1) {
      if (a[j] !== 0) result[binOf(middleOf(j) - middleOf(i))]! += a[j]! * b[i]!;
    }
  }
  return normalize(result);
}

/** Combines two independent beliefs, the second of which is relative to an origin shifted by `shift` cells. */
export function combine(a: Belief, b: Belief, shift = 0): Belief {
  return normalize(
    a.map((part, bin) => {
      const value = middleOf(bin) - shift;
      return Math.abs(value) < RANGE ? part * b[binOf(value)]! : 0;
    }),
  );
}

export function meanOf(belief: Belief): number {
  let sum = 0;
  for (let bin = 0; bin < BINS; bin += 1) sum += belief[bin]! * middleOf(bin);
  return sum;
}

export function medianOf(belief: Belief): number {
  let sum = 0;
  for (let bin = 0; bin < BINS; bin += 1) {
    sum += belief[bin]!;
    if (sum >= 0.5) return middleOf(bin);
  }
  return 0;
}

/** The center of the most likely window of this width in cells; among equals, the middle one. */
export function likeliest(belief: Belief, cells: number): number {
  const width = Math.max(1, Math.round(cells / BIN));
  let sum = 0;
  let best = -1;
  let at = 0;
  let until = 0;
  for (let bin = 0; bin < BINS; bin += 1) {
    sum += belief[bin]! - (bin >= width ? belief[bin - width]! : 0);
    if (sum > best + 1e-9) {
      best = sum;
      at = bin;
    }
    if (sum > best - 1e-9) until = bin;
  }
  return middleOf(0) + ((at + until) / 2 - (width - 1) / 2) * BIN;
}
