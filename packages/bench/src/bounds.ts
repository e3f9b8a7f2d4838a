/** Measures how many rows map boxes and sectors read beyond the rows they return. */

import { isWithinBounds, unitBoxesOfBounds } from "@lambda/geo/cover";
import { pointOfKey } from "@lambda/geo/curve";
import { seededRandom } from "@lambda/testing/random";
import { listByBounds, listBySector } from "@lambda/worker/by-bounds";
import { openDatabase } from "@lambda/worker/database";
import { type DatabaseCost, meterDatabase } from "@lambda/worker/database-meter";
import { rebuildDensity } from "@lambda/worker/density";
import { openBenchDatabase } from "./database.ts";
import { formatSpread, printLine, round } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { type BenchMember, Population } from "./population.ts";

/** Degrees of latitude shown by a map 900 pixels high, from zoom 16 to zoom 8. */
const HEIGHTS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56];

export async function run({ members, queries = 3000 }: BenchOptions): Promise<void> {
  const count = members ?? 1_000_000;
  const now = Date.now();
  const list: BenchMember[] = [...new Population().members(count)];
  const database = await openBenchDatabase(list, now);
  const cost: DatabaseCost = { trips: 0, rowsRead: 0, rowsWritten: 0 };
  await rebuildDensity(database.d1);
  const d1 = meterDatabase(database.d1, cost);
  const db = openDatabase(d1);
  const random = seededRandom(11);
  const viewer = { brandBit: 1, profileId: 0, now };
  const bounds: number[] = [];
  const over: number[] = [];
  const sectors: number[] = [];
  const trips: number[] = [];
  let wrong = 0;
  try {
    for (let query = 0; query < queries; query += 1) {
      const center = pointOfKey(list[random.int(list.length)]!.key);
      const height = HEIGHTS[random.int(HEIGHTS.length)]! * (0.75 + random.next() / 2);
      const width = (height * (random.next() < 0.5 ? 1.6 : 0.46)) / Math.cos((center.lat * Math.PI) / 180);
      const north = (random.next() - 0.5) * height;
      const east = (random.next() - 0.5) * width;
      const box = {
        latMin: Math.max(-90, center.lat + north - height / 2),
        latMax: Math.min(90, center.lat + north + height / 2),
        lonMin: Math.max(-180, center.lon + east - width / 2),
        lonMax: Math.min(180, center.lon + east + width / 2),
      };
      Object.assign(cost, { rowsRead: 0, trips: 0 });
      const { rows, nextCursor } = await listByBounds(db, viewer, box, { size: 500 });
      const read = cost.rowsRead;
      trips.push(cost.trips);
      bounds.push(read - 1.1 * rows.length);
      if (read > 1.1 * rows.length + 20) over.push(rows.length);
      if (query % 30 === 0 && unitBoxesOfBounds(box).length === 1) {
        const inside = list.filter(({ key }) => isWithinBounds(pointOfKey(key), box)).length;
        if (!nextCursor && inside !== rows.length) wrong += 1;
      }

      Object.assign(cost, { rowsRead: 0 });
      const corner = { lat: Math.min(89, Math.floor(center.lat)), lon: Math.floor(center.lon) };
      const sector = await listBySector(db, viewer, corner, { size: 1500 });
      sectors.push(cost.rowsRead - 1.1 * sector.rows.length);
    }
  } finally {
    await database.close();
  }
  printLine(`${count} members, ${queries} boxes and sectors`, "");
  printLine("  boxes: rows read - 1.1 x rows returned", `${formatSpread(bounds)}  (goal <= 20)`);
  printLine(
    "  boxes beyond the goal",
    `${round((100 * over.length) / queries)} % (their answers: ${formatSpread(over)} rows)`,
  );
  printLine("  sectors: rows read - 1.1 x rows returned", `${formatSpread(sectors)}  (goal <= 20)`);
  printLine("  round trips of a box besides the session's", formatSpread(trips));
  printLine("  boxes that differ from brute force", String(wrong));
}
