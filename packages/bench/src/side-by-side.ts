/**
 * Engine time of the 30 nearest and of map boxes, ours in SQLite beside PostGIS (GiST KNN on geography) and Redis
 * (GEOSEARCH), interleaved in one run over the same members, with equal results checked. Ratios, not times, are the figure.
 *
 * The engine's time is that of finding the ids, for all three: PostGIS's is told by EXPLAIN ANALYZE, which hands out no row, and
 * ours by each statement once more inside a sum of its ids. What our statements take with all columns as JS values stands beside it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pointOfKey } from "@lambda/geo/curve";
import { distanceMeters, METERS_PER_DEGREE } from "@lambda/geo/distance";
import { d1OverSqlite } from "@lambda/testing/d1";
import { seededRandom } from "@lambda/testing/random";
import { openDatabase } from "@lambda/worker/database";
import { rebuildDensity } from "@lambda/worker/density";
import { listByBounds } from "@lambda/worker/listed";
import { listNearest } from "@lambda/worker/nearest";
import { fill } from "./database.ts";
import { line, quantile, round, spread } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { type BenchMember, Population } from "./population.ts";
import { openPostgis } from "./side-by-side/postgis.ts";
import { openRedis } from "./side-by-side/redis.ts";

const SIZE = 30;

export async function run({ members = 1_000_000, queries = 400 }: BenchOptions): Promise<void> {
  const now = Date.now();
  // Redis knows no place beyond 85 degrees.
  const list: BenchMember[] = [...new Population().members(members)].filter(
    ({ key }) => Math.abs(pointOfKey(key).lat) < 85,
  );
  const places = new Map(list.map(({ id, key }) => [id, pointOfKey(key)]));
  // First, as it says soonest that it is not installed, and leaves nothing behind.
  const redis = await openRedis();
  const ours = openOurs(list, now);
  await rebuildDensity(ours.d1);
  const postgis = await openPostgis(list.map(({ id }) => ({ id, ...places.get(id)! }))).catch(
    async (error: unknown) => {
      await redis.close();
      throw error;
    },
  );
  try {
    for (let from = 0; from < list.length; from += 2000) {
      const part = list.slice(from, from + 2000).flatMap(({ id }) => [places.get(id)!.lon, places.get(id)!.lat, id]);
      await redis.send("GEOADD", "members", ...part);
    }
    // && compares in single precision, so the box is compared once more.
    await postgis.ask(`prepare near(float8, float8) as select id from member
      order by place <-> st_setsrid(st_makepoint($1, $2), 4326)::geography limit ${SIZE + 1};
      prepare box(float8, float8, float8, float8) as select id from member
      where place::geometry && st_makeenvelope($1, $2, $3, $4, 4326)
      and st_x(place::geometry) between $1 and $3 and st_y(place::geometry) between $2 and $4 limit 500;`);
    /** Milliseconds of planning and execution, and the ids. */
    const inPostgis = async (call: string) => {
      const ids = (await postgis.ask(`execute ${call};`)).map(Number);
      const plan = (await postgis.ask(`explain (analyze, timing off, summary on) execute ${call};`)).join("\n");
      const time = (name: string) => Number(new RegExp(`${name} Time: ([\\d.]+) ms`).exec(plan)?.[1] ?? Number.NaN);
      return { ids, ms: time("Planning") + time("Execution") };
    };
    const inRedis = async (...shape: (string | number)[]) => {
      const before = await redis.usec("geosearch");
      const ids = (await redis.send("GEOSEARCH", "members", ...shape)).map(Number);
      return { ids, ms: ((await redis.usec("geosearch")) - before) / 1000 };
    };

    const random = seededRandom(31);
    const near = {
      ours: [] as number[],
      values: [] as number[],
      whole: [] as number[],
      postgis: [] as number[],
      growing: [] as number[],
      told: [] as number[],
    };
    const box = { ours: [] as number[], values: [] as number[], postgis: [] as number[], redis: [] as number[] };
    let [different, boxesDifferent, boxes] = [0, 0, 0];
    for (let query = 0; query < queries; query += 1) {
      const viewer = list[random.int(list.length)]!;
      const centre = places.get(viewer.id)!;
      const onlooker = { brandBit: 1, profileId: viewer.id, now };
      const own = await ours.time(() => listNearest(ours.db, onlooker, { centreKey: viewer.key, size: SIZE }));
      const known = await inPostgis(`near(${centre.lon}, ${centre.lat})`);
      // Redis needs a radius. Growing: doubled from 1 km until enough are found. Told: given the answer's own radius.
      let growing = { ids: [] as number[], ms: 0 };
      for (let radius = 1000; growing.ids.length < SIZE + 1 && radius < 2e7; radius *= 2) {
        const found = await inRedis(
          "FROMLONLAT",
          centre.lon,
          centre.lat,
          "BYRADIUS",
          radius,
          "m",
          "ASC",
          "COUNT",
          SIZE + 1,
        );
        growing = { ids: found.ids, ms: growing.ms + found.ms };
      }
      const farthest = own.value.members[SIZE - 1]!.meters;
      const radius = farthest * 1.002 + 2;
      const told = await inRedis(
        "FROMLONLAT",
        centre.lon,
        centre.lat,
        "BYRADIUS",
        radius,
        "m",
        "ASC",
        "COUNT",
        SIZE + 1,
      );
      near.ours.push(own.engineMs);
      near.values.push(own.valuesMs);
      near.whole.push(own.wholeMs);
      near.postgis.push(known.ms);
      near.growing.push(growing.ms);
      near.told.push(told.ms);
      const wanted = own.value.members.map(({ row }) => row.profile_id);
      for (const { ids } of [known, growing]) if (!sameNearest(wanted, ids, viewer.id, farthest)) different += 1;

      const height = [0.02, 0.05, 0.1, 0.2][random.int(4)]!;
      const width = (height * 1.6) / Math.cos((centre.lat * Math.PI) / 180);
      const edges = {
        ...{ latMin: centre.lat - height / 2, latMax: centre.lat + height / 2 },
        ...{ lonMin: centre.lon - width / 2, lonMax: centre.lon + width / 2 },
      };
      if (edges.lonMin < -180 || edges.lonMax > 180) continue;
      const inBox = await ours.time(() => listByBounds(ours, { ...onlooker, profileId: 0 }, edges, { size: 500 }));
      const flat = await inPostgis(`box(${edges.lonMin}, ${edges.latMin}, ${edges.lonMax}, ${edges.latMax})`);
      const meters = (degrees: number) => degrees * METERS_PER_DEGREE;
      const square = ["BYBOX", meters(height * 1.6), meters(height), "m", "COUNT", 500, "ANY"];
      const geo = await inRedis("FROMLONLAT", centre.lon, centre.lat, ...square);
      boxes += 1;
      box.ours.push(inBox.engineMs);
      box.values.push(inBox.valuesMs);
      box.postgis.push(flat.ms);
      box.redis.push(geo.ms);
      if (inBox.value.rows.length !== flat.ids.length) boxesDifferent += 1;
    }
    line(`${list.length} members, ${queries} queries, milliseconds in the engine`, "");
    line("  nearest 30: ours (SQLite)", spread(near.ours));
    line("  nearest 30: ours, with values", spread(near.values));
    line("  nearest 30: ours, with planning in JS", spread(near.whole));
    line("  nearest 30: PostGIS KNN", spread(near.postgis));
    line("  nearest 30: Redis, growing radius", spread(near.growing));
    line("  nearest 30: Redis, told the radius", spread(near.told));
    ratio("  ours to PostGIS", near.ours, near.postgis);
    ratio("  ours to Redis, growing radius", near.ours, near.growing);
    ratio("  ours to Redis, told the radius", near.ours, near.told);
    ratio("  ours with values to PostGIS's ids", near.values, near.postgis);
    ratio("  ours with values to Redis's ids, growing", near.values, near.growing);
    line("  answers that differ", `${different} of ${2 * queries}`);
    line("  boxes: ours (SQLite)", spread(box.ours));
    line("  boxes: ours, with values", spread(box.values));
    line("  boxes: PostGIS", spread(box.postgis));
    line("  boxes: Redis BYBOX", spread(box.redis));
    ratio("  ours to PostGIS", box.ours, box.postgis);
    ratio("  ours to Redis", box.ours, box.redis);
    ratio("  ours with values to PostGIS's ids", box.values, box.postgis);
    ratio("  ours with values to Redis's ids", box.values, box.redis);
    line("  boxes whose count differs from PostGIS", `${boxesDifferent} of ${boxes}`);
  } finally {
    await redis.close();
    await postgis.close();
    ours.close();
  }

  /** The same members, but for those at the edge: other engines measure on other figures of the earth, by up to 0.5 %. */
  function sameNearest(wanted: readonly number[], got: readonly number[], viewer: number, farthest: number): boolean {
    const set = new Set(got);
    const centre = places.get(viewer)!;
    return wanted.every((id) => set.has(id) || distanceMeters(centre, places.get(id)!) > farthest * 0.99 - 2);
  }
}

function ratio(label: string, ours: readonly number[], theirs: readonly number[]): void {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const text = `means ${round(sum(ours) / sum(theirs))}, medians ${round(quantile(ours, 0.5) / quantile(theirs, 0.5))}`;
  line(label, `${text}  (goal <= 1)`);
}

/** Our statements on SQLite in this process, where its time can be told apart from a round trip. */
function openOurs(list: readonly BenchMember[], now: number) {
  const directory = mkdtempSync(join(tmpdir(), "bench-ours-"));
  const file = join(directory, "members.sqlite");
  fill(file, list, now);
  const sqlite = new DatabaseSync(file);
  sqlite.exec("PRAGMA cache_size = -262144; PRAGMA mmap_size = 1073741824");
  let engineMs = 0;
  let valuesMs = 0;
  let isTimed = false;
  // Statements stay prepared, as PostGIS's do here and as workerd's do by their text.
  const sums = new Map<string, StatementSync>();
  const timeAlone = (sql: string, values: readonly SQLInputValue[]) => {
    const found = sql.includes("squares") ? "length(squares) + ifnull(length(next_squares), 0)" : "profile_id";
    const statement = sums.get(sql) ?? sqlite.prepare(`SELECT sum(${found}) FROM (${sql})`);
    sums.set(sql, statement);
    const started = performance.now();
    statement.get(...values);
    engineMs += performance.now() - started;
  };
  const d1 = d1OverSqlite(sqlite, {
    around: ({ query, values }, execute) => {
      const started = performance.now();
      const rows = execute();
      valuesMs += performance.now() - started;
      if (isTimed) timeAlone(query, values as SQLInputValue[]);
      return rows;
    },
  });
  return {
    d1,
    db: openDatabase(d1),
    time: async <T>(act: () => Promise<T>) => {
      engineMs = 0;
      valuesMs = 0;
      isTimed = true;
      const started = performance.now();
      const value = await act();
      isTimed = false;
      return { value, engineMs, valuesMs, wholeMs: performance.now() - started - engineMs };
    },
    close: () => {
      sqlite.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
