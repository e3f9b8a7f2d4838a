/** Times of answers as counts in buckets, which can be added up over isolates and hours as no percentile can. */

const BOUNDS_MS = [5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10_000] as const;
export type Bucket = `ms${number}`;
/** Slower than the last bound. */
const ENDLESS = 60_000;

/** Named by its upper bound. */
export function bucketOf(ms: number): Bucket {
  return `ms${BOUNDS_MS.find((bound) => ms <= bound) ?? ENDLESS}`;
}

/** The time that this share of the answers did not exceed, by a straight line within its bucket; null for none. */
export function percentile(counts: Readonly<Partial<Record<Bucket, number>>>, share: number): number | null {
  const all = [...BOUNDS_MS, ENDLESS].map((bound) => ({ bound, n: counts[`ms${bound}`] ?? 0 }));
  const total = all.reduce((sum, { n }) => sum + n, 0);
  if (total === 0) return null;
  const wanted = total * share;
  let before = 0;
  let from = 0;
  for (const { bound, n } of all) {
    if (n > 0 && before + n >= wanted) {
      // What is slower than all bounds has no end to draw a line to.
      return bound === ENDLESS ? from : Math.round(from + ((bound - from) * (wanted - before)) / n);
    }
    before += n;
    from = bound;
  }
  return from;
}
