/** Measures the rows read by a page of the 30 nearest members, with 10,000 to a million members, and checks it against brute force. */

import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import { distanceMeters, METERS_PER_DEGREE } from "@lambda/geo/distance";
import { seededRandom } from "@lambda/testing/random";
import { openDatabase } from "@lambda/worker/database";
import { type DatabaseCost, meterDatabase } from "@lambda/worker/database-meter";
import { rebuildDensity } from "@lambda/worker/density";
import { listNearest, type NearestPage } from "@lambda/worker/nearest";
import { openBenchDatabase } from "./database.ts";
import { type BenchOptions, formatSpread, printGoal, printLine, quantile } from "./figures.ts";
import { type BenchMember, Population } from "./population.ts";

const SIZE = 30;
const PAGES = 5;

export async function run({ members, queries }: BenchOptions): Promise<void> {
  const population = new Population();
  const sizes = members ? [members] : [10_000, 100_000, 1_000_000];
  const p99: number[] = [];
  for (const size of sizes) p99.push(await runAt(population, size, queries ?? 10_000));
  if (p99.length > 1) printGoal("p99 from 10k to 1M grows by", p99[p99.length - 1]! / p99[0]!, 1.3);
}

async function runAt(population: Population, count: number, queries: number): Promise<number> {
  const now = Date.now();
  const list: BenchMember[] = [...population.members(count)];
  await using database = await openBenchDatabase(list, now);
  await rebuildDensity(database.d1);
  const cost: DatabaseCost = { trips: 0, rowsRead: 0, rowsWritten: 0 };
  const db = openDatabase(meterDatabase(database.d1, cost));
  const random = seededRandom(7);
  const brute = nearestByBruteForce(list);
  const first: number[] = [];
  const later: number[] = [];
  const firstTrips: number[] = [];
  const laterTrips: number[] = [];
  let short = 0;
  let different = 0;
  for (let query = 0; query < queries; query += 1) {
    const viewer = list[random.int(list.length)]!;
    const searcher = { brandBit: 1, profileId: viewer.id, now };
    const pages = query % 10 === 0 ? PAGES : 1;
    const found: NearestPage["members"] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pages; page += 1) {
      Object.assign(cost, { trips: 0, rowsRead: 0 });
      const result = await listNearest(db, searcher, { centerKey: viewer.key, size: SIZE, cursor });
      (page === 0 ? first : later).push(cost.rowsRead);
      (page === 0 ? firstTrips : laterTrips).push(cost.trips);
      found.push(...result.members);
      cursor = result.nextCursor;
      if (!cursor) break;
    }
    // Brute force must find the same members in the same order.
    const last = found[found.length - 1];
    const ids = found.map(({ row }) => row.profile_id).join();
    if (!last || ids !== brute(viewer, last.meters).slice(0, found.length).join()) different += 1;
    if (found.length < SIZE) short += 1;
  }
  printLine(`${count} members, ${queries} queries`, "");
  printLine("  rows read, page 1", formatSpread(first));
  printLine("  rows read, pages 2 to 5", formatSpread(later));
  printLine("  round trips besides the session's", formatSpread([...firstTrips, ...laterTrips]));
  const countAbove = (list: readonly number[], max: number) => list.filter((trips) => trips > max).length;
  printLine(
    "  page 1: more than one besides it, than two",
    `${countAbove(firstTrips, 1)}, ${countAbove(firstTrips, 2)}`,
  );
  printLine("  pages 2 to 5: more than one, than two", `${countAbove(laterTrips, 1)}, ${countAbove(laterTrips, 2)}`);
  printLine(
    "  different from brute force",
    `${different} of ${queries} (every tenth: ${PAGES} pages); ${short} first pages short`,
  );
  printGoal("  p50 of page 1", quantile(first, 0.5), 90);
  printGoal("  p99 of page 1", quantile(first, 0.99), 430);
  printGoal("  page n to page 1 (means)", mean(later) / mean(first), 1.1);
  return quantile(first, 0.99);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The reference for "nearest", by checking every member. */
const RADIUS_METERS = (METERS_PER_DEGREE * 180) / Math.PI;

/** Returns a function that lists all ids within a distance, ordered by distance and random order. */
function nearestByBruteForce(members: readonly BenchMember[]) {
  const chords = new Float64Array(members.length * 3);
  const points = members.map(({ key }) => pointOfKey(key));
  const vector = (lat: number, lon: number): [number, number, number] => {
    const [phi, lambda] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  };
  for (const [index, { lat, lon }] of points.entries()) chords.set(vector(lat, lon), index * 3);
  return (viewer: { readonly id: number; readonly key: CurveKey }, withinMeters: number): number[] => {
    const center = pointOfKey(viewer.key);
    const [x, y, z] = vector(center.lat, center.lon);
    // The dot product is imprecise at short distances, so it only preselects with a margin of 10 m.
    const minDot = Math.cos((withinMeters + 10) / RADIUS_METERS) - 1e-12;
    const near: { id: number; meters: number; randomOrder: number }[] = [];
    for (let index = 0; index < members.length; index += 1) {
      if (chords[index * 3]! * x + chords[index * 3 + 1]! * y + chords[index * 3 + 2]! * z < minDot) continue;
      const member = members[index]!;
      const meters = distanceMeters(center, points[index]!);
      if (member.id !== viewer.id && meters <= withinMeters)
        near.push({ id: member.id, meters, randomOrder: member.randomOrder });
    }
    near.sort((a, b) => a.meters - b.meters || a.randomOrder - b.randomOrder || a.id - b.id);
    return near.map(({ id }) => id);
  };
}
