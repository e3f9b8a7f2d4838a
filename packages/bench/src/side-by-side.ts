/**
 * The 30 nearest and map boxes, ours in SQLite beside PostGIS (GiST KNN on geography) and Redis (GEOSEARCH), interleaved in one run over
 * the same members, with equal results checked. Ratios, not times, are the figure.
 *
 * Twice each: the engine's time of finding the ids (PostGIS's is told by EXPLAIN ANALYZE, Redis's by its statistics, ours by each statement
 * once more inside a sum of its ids), and the time of the whole call, until the same ten columns of each member are JS objects. Ours is
 * then in the caller's process, as under workerd; the others are asked by their usual clients over a socket, whose bare call is printed.
 */
import { pointOfKey } from "@lambda/geo/curve";
import { METERS_PER_DEGREE } from "@lambda/geo/distance";
import { type Random, seededRandom } from "@lambda/testing/random";
import { rebuildDensity } from "@lambda/worker/density";
import { listByBounds } from "@lambda/worker/listed";
import { listNearest } from "@lambda/worker/nearest";
import { line, quantile, round, spread } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
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
/** && compares in single precision, so the box is compared once more. */
const BOX: Prepared = {
  name: "box",
  types: "float8, float8, float8, float8",
  from: `from member where place::geometry && st_makeenvelope($1, $2, $3, $4, 4326)
    and st_x(place::geometry) between $1 and $3 and st_y(place::geometry) between $2 and $4 limit ${BOX_SIZE}`,
};

type Ours = ReturnType<typeof openOurs>;
type Engine = "ours" | "PostGIS" | "Redis" | "Redis, told the radius";

interface Engines {
  readonly ours: Ours;
  readonly postgis: Awaited<ReturnType<typeof openPostgis>>;
  readonly redis: Awaited<ReturnType<typeof openRedis>>;
}

/** Milliseconds of one kind of question, by engine. */
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
      for (const [engine, list] of times) line(`  ${kind}, ${what}: ${engine}`, spread(list));
      const ours = times.get("ours") ?? [];
      for (const [engine, list] of times)
        if (engine !== "ours") ratio(`  ${kind}, ${what}: ours to ${engine}`, ours, list);
    }
    line(`  ${kind}: answers that differ`, `${this.different} of ${this.asked}`);
  }
}

export async function run({ members = 1_000_000, queries = 400 }: BenchOptions): Promise<void> {
  // Redis knows no place beyond 85 degrees.
  const list: BenchMember[] = [...new Population().members(members)].filter(
    ({ key }) => Math.abs(pointOfKey(key).lat) < 85,
  );
  // First, as it says soonest that it is not installed, and leaves nothing behind.
  const redis = await openRedis();
  const now = Date.now();
  const ours = openOurs(list, now);
  const postgis = await openPostgis(ours.briefs()).catch(async (error: unknown) => {
    await redis.close();
    throw error;
  });
  try {
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
    line(`${list.length} members, ${queries} queries, milliseconds: ids in the engine, values in the whole call`, "");
    near.print("nearest 30");
    box.print("boxes");
    line("  a bare call: PostgreSQL", spread(postgisPings));
    line("  a bare call: Redis", spread(redisPings));
  } finally {
    await redis.close();
    await postgis.close();
    ours.close();
  }
}

async function askNearest({ ours, postgis, redis }: Engines, viewer: BenchMember, now: number, times: Times) {
  const centre = pointOfKey(viewer.key);
  const onlooker = { brandBit: 1, profileId: viewer.id, now };
  const own = await ours.time(() => listNearest(ours.db, onlooker, { centreKey: viewer.key, size: SIZE }));
  const at = [centre.lon, centre.lat];
  const known = await postgis.search(NEAR.name, at);
  const knownValues = await postgis.values(NEAR, at);
  const within = (radius: number) => ["FROMLONLAT", ...at, "BYRADIUS", radius, "m", "ASC", "COUNT", SIZE + 1] as const;
  // Redis needs a radius. Growing: doubled from 1 km until enough are found. Told: given the answer's own radius.
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
  const told = await redis.search(...within(radius));
  const toldValues = await redis.values(...within(radius));
  times.add("ours", own.engineMs, own.wholeMs);
  times.add("PostGIS", known.ms, knownValues.ms);
  times.add("Redis", growing.ms, growing.valuesMs);
  times.add("Redis, told the radius", told.ms, toldValues.ms);
  // The same members, but for those at the edge: other engines measure on other figures of the earth, by up to 0.5 %.
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
  const centre = pointOfKey(viewer.key);
  const height = [0.02, 0.05, 0.1, 0.2][random.int(4)]!;
  const width = (height * 1.6) / Math.cos((centre.lat * Math.PI) / 180);
  const edges = {
    ...{ latMin: centre.lat - height / 2, latMax: centre.lat + height / 2 },
    ...{ lonMin: centre.lon - width / 2, lonMax: centre.lon + width / 2 },
  };
  if (edges.lonMin < -180 || edges.lonMax > 180) return;
  const onlooker = { brandBit: 1, profileId: 0, now };
  const own = await ours.time(() => listByBounds(ours.db, onlooker, edges, { size: BOX_SIZE }));
  const bounds = [edges.lonMin, edges.latMin, edges.lonMax, edges.latMax];
  const flat = await postgis.search(BOX.name, bounds);
  const flatValues = await postgis.values(BOX, bounds);
  const meters = (degrees: number) => degrees * METERS_PER_DEGREE;
  const square = ["BYBOX", meters(height * 1.6), meters(height), "m", "COUNT", BOX_SIZE, "ANY"] as const;
  const geo = await redis.search("FROMLONLAT", centre.lon, centre.lat, ...square);
  const geoValues = await redis.values("FROMLONLAT", centre.lon, centre.lat, ...square);
  times.add("ours", own.engineMs, own.wholeMs);
  times.add("PostGIS", flat.ms, flatValues.ms);
  times.add("Redis", geo.ms, geoValues.ms);
  times.asked += 1;
  if (own.value.rows.length !== flat.ids.length) times.different += 1;
}

function ratio(label: string, ours: readonly number[], theirs: readonly number[]): void {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const text = `means ${round(sum(ours) / sum(theirs))}, medians ${round(quantile(ours, 0.5) / quantile(theirs, 0.5))}`;
  line(label, `${text}  (goal <= 1)`);
}
