/** Latencies as counts per bucket, which can be added up over isolates and hours, unlike percentiles. */

const BOUNDS_MS = [5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10_000] as const;
/** Calls, and routes that transfer bytes, each by themselves: a picture takes longer than a call. */
export type Kind = "ms" | "bytesMs";
export type Bucket = `${Kind}${number}`;
/** Names the bucket of everything slower than the last bound. */
const OVERFLOW = 60_000;

/** The bucket, named by its upper bound. */
export const latencyBucket = (ms: number, kind: Kind = "ms"): Bucket =>
  `${kind}${BOUNDS_MS.find((bound) => ms <= bound) ?? OVERFLOW}`;

type BucketCounts = Readonly<Partial<Record<Bucket, number>>>;

const listBuckets = (counts: BucketCounts, kind: Kind) =>
  [...BOUNDS_MS, OVERFLOW].map((bound) => ({ bound, n: counts[`${kind}${bound}`] ?? 0 }));

const countOf = (buckets: readonly { readonly n: number }[]) => buckets.reduce((sum, { n }) => sum + n, 0);

/** How many responses of a kind were timed. */
export const countTimed = (counts: BucketCounts, kind: Kind): number => countOf(listBuckets(counts, kind));

/** The latency in ms that this share of responses did not exceed, interpolated linearly within its bucket; null without responses. */
export function percentile(counts: BucketCounts, share: number, kind: Kind = "ms"): number | null {
  const all = listBuckets(counts, kind);
  const total = countOf(all);
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
