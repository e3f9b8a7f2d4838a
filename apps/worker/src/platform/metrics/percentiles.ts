/** Latencies as counts per bucket, which can be added up over isolates and hours, unlike percentiles. */

const BOUNDS_MS = [5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10_000] as const;
export type Bucket = `ms${number}`;
/** Names the bucket of everything slower than the last bound. */
const OVERFLOW = 60_000;

/** The bucket, named by its upper bound. */
export const latencyBucket = (ms: number): Bucket => `ms${BOUNDS_MS.find((bound) => ms <= bound) ?? OVERFLOW}`;

/** The latency in ms that this share of responses did not exceed, interpolated linearly within its bucket; null without responses. */
export function percentile(counts: Readonly<Partial<Record<Bucket, number>>>, share: number): number | null {
  const all = [...BOUNDS_MS, OVERFLOW].map((bound) => ({ bound, n: counts[`ms${bound}`] ?? 0 }));
  const total = all.reduce((sum, { n }) => sum + n, 0);
  if (total === 0) return null;
  const target = total * share;
  let before = 0;
  let from = 0;
  for (const { bound, n } of all) {
    if (n > 0 && before + n >= target) {
      // The overflow bucket has no upper bound to interpolate to.
      return bound === OVERFLOW ? from : Math.round(from + ((bound - from) * (target - before)) / n);
    }
    before += n;
    from = bound;
  }
  return from;
}
