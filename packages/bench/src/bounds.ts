/** Rows that boxes of the map and sectors read beyond what they answer. */

import { boxesOfBounds, withinBounds } from "@lambda/geo/cover";
import { pointOfKey } from "@lambda/geo/curve";
import { seededRandom } from "@lambda/testing/random";
import { openDatabase } from "@lambda/worker/database";
import { type DatabaseCost, meterDatabase } from "@lambda/worker/database-meter";
import { rebuildDensity } from "@lambda/worker/density";
import { listByBounds, listBySector } from "@lambda/worker/listed";
import { openBenchDatabase } from "./database.ts";
import { line, round, spread } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { type BenchMember, Population } from "./population.ts";

/** Degrees of latitude that a map of 900 pixels shows, from zoom 16 to zoom 8. */
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
  const onlooker = { brandBit: 1, profileId: 0, now };
  const bounds: number[] = [];
  const over: number[] = [];
  const sectors: number[] = [];
  const trips: number[] = [];
  let wrong = 0;
  try {
    for (let query = 0; query < queries; query += 1) {
      const centre = pointOfKey(list[random.int(list.length)]!.key);
      const height = HEIGHTS[random.int(HEIGHTS.length)]! * (0.75 + random.next() / 2);
      const width = (height * (random.next() < 0.5 ? 1.6 : 0.46)) / Math.cos((centre.lat * Math.PI) / 180);
      const north = (random.next() - 0.5) * height;
      const east = (random.next() - 0.5) * width;
      const box = {
        latMin: Math.max(-90, centre.lat + north - height / 2),
        latMax: Math.min(90, centre.lat + north + height / 2),
        lonMin: Math.max(-180, centre.lon + east - width / 2),
        lonMax: Math.min(180, centre.lon + east + width / 2),
      };
      Object.assign(cost, { rowsRead: 0, trips: 0 });
      const { rows, nextCursor } = await listByBounds(db, onlooker, box, { size: 500 });
      const read = cost.rowsRead;
      trips.push(cost.trips);
      bounds.push(read - 1.1 * rows.length);
      if (read > 1.1 * rows.length + 20) over.push(rows.length);
      if (query % 30 === 0 && boxesOfBounds(box).length === 1) {
        const inside = list.filter(({ key }) => withinBounds(pointOfKey(key), box)).length;
        if (!nextCursor && inside !== rows.length) wrong += 1;
      }

      Object.assign(cost, { rowsRead: 0 });
      const corner = { lat: Math.min(89, Math.floor(centre.lat)), lon: Math.floor(centre.lon) };
      const sector = await listBySector(db, onlooker, corner, { size: 1500 });
      sectors.push(cost.rowsRead - 1.1 * sector.rows.length);
    }
  } finally {
    await database.close();
  }
  line(`${count} members, ${queries} boxes and sectors`, "");
  line("  boxes: rows read - 1.1 x rows answered", `${spread(bounds)}  (goal <= 20)`);
  line("  boxes beyond the goal", `${round((100 * over.length) / queries)} % (their answers: ${spread(over)} rows)`);
  line("  sectors: rows read - 1.1 x rows answered", `${spread(sectors)}  (goal <= 20)`);
  line("  round trips of a box besides the session's", spread(trips));
  line("  boxes that differ from brute force", String(wrong));
}
