import type { Counts, GaugeName } from "../objects.ts";

const MESSAGE_BYTES = /^messageBytes(\d+)$/;

const GAUGES: ReadonlySet<string> = new Set<GaugeName>([
  "databaseBytes",
  "databaseFailed",
  "queueAgeMs",
  "backupAgeMs",
  "socketsOpen",
]);

export function messageBytesOf(counts: Counts): ReadonlyMap<number, number> {
  const sizes = (Object.entries(counts) as [string, number][]).flatMap(([name, bytes]) => {
    const [, number] = MESSAGE_BYTES.exec(name) ?? [];
    return number === undefined ? [] : [[Number(number), bytes] as const];
  });
  return new Map(sizes.toSorted(([one], [other]) => one - other));
}

/** Adds counters, and keeps the larger value of gauges. */
export function mergeCounts(one: Counts, other: Counts): Counts {
  const merged = new Map(Object.entries(one) as [string, number][]);
  for (const [name, amount] of Object.entries(other) as [string, number][]) {
    const before = merged.get(name);
    const sum = GAUGES.has(name) || MESSAGE_BYTES.test(name) ? Math.max(before ?? 0, amount) : (before ?? 0) + amount;
    merged.set(name, sum);
  }
  return Object.fromEntries(merged);
}
