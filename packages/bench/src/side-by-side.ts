/**
 * Compares the 30 nearest members and map boxes in our SQLite implementation with PostGIS (GiST KNN on geography) and Redis (GEOSEARCH),
 * interleaved over the same members, and checks that results agree. The figures are ratios, not absolute times.
 *
 * It measures both the engine's time to find ids (by EXPLAIN ANALYZE, Redis's statistics, and a repeated SQLite statement), and the whole
 * call until ten columns per member are JS objects. SQLite runs in this process, as under workerd; the others are called over a socket.
 */
import { pointOfKey } from "@lambda/geo/curve";
import { METERS_PER_DEGREE } from "@lambda/geo/distance";
import { type Random, seededRandom } from "@lambda/testing/random";
import { listByBounds } from "@lambda/worker/by-bounds";
import { rebuildDensity } from "@lambda/worker/density";
import { listNearest } from "@lambda/worker/nearest";
import { type BenchOptions, formatSpread, printLine, quantile, round } from "./figures.ts";
import { type BenchMember, Population } from "./population.ts";
import { openOurs } from "./side-by-side/ours.ts";
import { openPostgis, type Prepared } from "./side-by-side/postgis.ts";
import { openRedis } from "./side-by-side/redis.ts";

const SIZE = 30;
const BOX_SIZE = 500;

const NEAR: Prepared = {
  name: "near",
  types: "float8, float8",
  from: `from member order by place <-> st_setsrid(st_makepoint($1, $2), 4326)::geography limit ${SIZE + 1}`,
};
/** && compares in single precision, so the bounds are checked again. */
const BOX: Prepared = {
  name: "box",
  types: "float8, float8, float8, float8",
  from: `from member where place::geometry && st_makeenvelope($1, $2, $3, $4, 4326)
    and st_x(place::geometry) between $1 and $3 and st_y(place::geometry) between $2 and $4 limit ${BOX_SIZE}`,
};

type Engine = "ours" | "PostGIS" | "Redis" | "Redis, given the radius";

interface Engines {
  readonly ours: ReturnType<typeof openOurs>;
  readonly postgis: Awaited<ReturnType<typeof openPostgis>>;
  readonly redis: Awaited<ReturnType<typeof openRedis>>;
}

/** Durations in milliseconds of one kind of query, by engine. */
class Times {
  readonly #ids = new Map<Engine, number[]>();
  readonly #values = new Map<Engine, number[]>();
  different = 0;
  asked = 0;

  add(engine: Engine, idsMs: number, valuesMs: number): void {
    this.#ids.set(engine, [...(this.#ids.get(engine) ?? []), idsMs]);
    this.#values.set(engine, [...(this.#values.get(engine) ?? []), valuesMs]);
  }

  print(kind: string): void {
    for (const [what, times] of [
      ["ids", this.#ids],
      ["values", this.#values],
    ] as const) {
      for (const [engine, list] of times) printLine(`  ${kind}, ${what}: ${engine}`, formatSpread(list));
      const ours = times.get("ours") ?? [];
      for (const [engine, list] of times)
        if (engine !== "ours") ratio(`  ${kind}, ${what}: ours to ${engine}`, ours, list);
    }
    printLine(`  ${kind}: results that differ`, `${this.different} of ${this.asked}`);
  }
}

export async function run({ members = 1_000_000, queries = 400 }: BenchOptions): Promise<void> {
  // Redis does not support latitudes beyond 85 degrees.
  const list: BenchMember[] = [...new Population().members(members)].filter(
    ({ key }) => Math.abs(pointOfKey(key).lat) < 85,
  );
  // First, because it fails fastest if it is not installed.
  await using redis = await openRedis();
  const now = Date.now();
  using ours = openOurs(list, now);
  await using postgis = await openPostgis(ours.briefs());
  await rebuildDensity(ours.d1);
  await redis.load(ours.briefs());
  for (const prepared of [NEAR, BOX]) await postgis.prepare(prepared);
  const random = seededRandom(31);
  const [near, box] = [new Times(), new Times()];
  const [postgisPings, redisPings]: [number[], number[]] = [[], []];
  for (let query = 0; query < queries; query += 1) {
    const viewer = list[random.int(list.length)]!;
    await askNearest({ ours, postgis, redis }, viewer, now, near);
    await askBox({ ours, postgis, redis }, viewer, now, random, box);
    postgisPings.push(await postgis.ping());
    redisPings.push(await redis.ping());
  }
  printLine(
    `${list.length} members, ${queries} queries, milliseconds: ids in the engine, values in the whole call`,
    "",
  );
  near.print("nearest 30");
  box.print("boxes");
  printLine("  a bare call: PostgreSQL", formatSpread(postgisPings));
  printLine("  a bare call: Redis", formatSpread(redisPings));
}

async function askNearest({ ours, postgis, redis }: Engines, viewer: BenchMember, now: number, times: Times) {
  const center = pointOfKey(viewer.key);
  const searcher = { brandBit: 1, profileId: viewer.id, now };
  const own = await ours.time(() => listNearest(ours.db, searcher, { centerKey: viewer.key, size: SIZE }));
  const at = [center.lon, center.lat];
  const known = await postgis.search(NEAR.name, at);
  const knownValues = await postgis.values(NEAR, at);
  const within = (radius: number) => ["FROMLONLAT", ...at, "BYRADIUS", radius, "m", "ASC", "COUNT", SIZE + 1] as const;
  // Redis needs a radius: either doubled from 1 km until enough members are found, or given from our own result.
  const growing = { ids: [] as number[], ms: 0, valuesMs: 0 };
  for (let radius = 1000; growing.ids.length < SIZE + 1 && radius < 2e7; radius *= 2) {
    const found = await redis.search(...within(radius));
    const values = await redis.values(...within(radius));
    growing.ids = found.ids;
    growing.ms += found.ms;
    growing.valuesMs += values.ms;
  }
  const farthest = own.value.members[SIZE - 1]!.meters;
  const radius = farthest * 1.002 + 2;
  const given = await redis.search(...within(radius));
  const givenValues = await redis.values(...within(radius));
  times.add("ours", own.engineMs, own.wholeMs);
  times.add("PostGIS", known.ms, knownValues.ms);
  times.add("Redis", growing.ms, growing.valuesMs);
  times.add("Redis, given the radius", given.ms, givenValues.ms);
  // Ignores members near the farthest distance, because other engines use a different earth model, which differs by up to 0.5 %.
  const isSame = (ids: readonly number[]) =>
    own.value.members.every(({ row, meters }) => ids.includes(row.profile_id) || meters > farthest * 0.99 - 2);
  for (const { ids } of [known, growing]) {
    times.asked += 1;
    if (!isSame(ids)) times.different += 1;
  }
}

async function askBox(
  { ours, postgis, redis }: Engines,
  viewer: BenchMember,
  now: number,
  random: Random,
  times: Times,
) {
  const center = pointOfKey(viewer.key);
  const height = [0.02, 0.05, 0.1, 0.2][random.int(4)]!;
  const width = (height * 1.6) / Math.cos((center.lat * Math.PI) / 180);
  const edges = {
    latMin: center.lat - height / 2,
    latMax: center.lat + height / 2,
    lonMin: center.lon - width / 2,
    lonMax: center.lon + width / 2,
  };
  if (edges.lonMin < -180 || edges.lonMax > 180) return;
  const searcher = { brandBit: 1, profileId: 0, now };
  const own = await ours.time(() => listByBounds(ours.db, searcher, edges, { size: BOX_SIZE }));
  const bounds = [edges.lonMin, edges.latMin, edges.lonMax, edges.latMax];
  const flat = await postgis.search(BOX.name, bounds);
  const flatValues = await postgis.values(BOX, bounds);
  const meters = (degrees: number) => degrees * METERS_PER_DEGREE;
  const square = ["BYBOX", meters(height * 1.6), meters(height), "m", "COUNT", BOX_SIZE, "ANY"] as const;
  const geo = await redis.search("FROMLONLAT", center.lon, center.lat, ...square);
  const geoValues = await redis.values("FROMLONLAT", center.lon, center.lat, ...square);
  times.add("ours", own.engineMs, own.wholeMs);
  times.add("PostGIS", flat.ms, flatValues.ms);
  times.add("Redis", geo.ms, geoValues.ms);
  times.asked += 1;
  if (own.value.rows.length !== flat.ids.length) times.different += 1;
}

function ratio(label: string, ours: readonly number[], theirs: readonly number[]): void {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const text = `means ${round(sum(ours) / sum(theirs))}, medians ${round(quantile(ours, 0.5) / quantile(theirs, 0.5))}`;
  printLine(label, `${text}  (goal <= 1)`);
}
