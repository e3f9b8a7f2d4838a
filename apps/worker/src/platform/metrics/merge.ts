import type { Counts, GaugeName } from "../objects.ts";

const GAUGES: ReadonlySet<string> = new Set<GaugeName>([
  "databaseBytes",
  "databaseFailed",
  "queueAgeMs",
  "backupAgeMs",
  "socketsOpen",
]);

/** Counts are added, gauges keep their largest. */
export function merge(one: Counts, other: Counts): Counts {
  const merged = new Map(Object.entries(one) as [string, number][]);
  for (const [name, amount] of Object.entries(other) as [string, number][]) {
    const before = merged.get(name);
    const sum = GAUGES.has(name) ? Math.max(before ?? 0, amount) : (before ?? 0) + amount;
    merged.set(name, sum);
  }
  return Object.fromEntries(merged);
}
