/**
 * After many position reports, searches everything that a worker stored, logged or queued for coordinates finer than the grid: numbers
 * with four or more decimals (11 m), and raw coordinates scaled to integers.
 */
import { KEY_END, toCurveKey } from "@lambda/geo/curve";
import type { Point } from "@lambda/geo/distance";
import { isCell } from "@lambda/geo/grid";
import { squareOfKey } from "@lambda/worker/games-nearby-players";
import { decryptRestingCells } from "@lambda/worker/place-memory";
import { EVERY_MINUTE, HOURLY } from "@lambda/worker/schedule";
import { createMember, type TestMember } from "../member.ts";
import { uploadPicture } from "../pictures.ts";
import type { ProductionWorker } from "../production-worker.ts";
import { type Random, seededRandom } from "../random.ts";
import { runInLanes } from "./interference/pairs.ts";
import { withRetry } from "./with-retry.ts";

export interface Residue {
  /** Values, objects, lines and messages that contain a coordinate, cells that are invalid, and positions left when all have expired. */
  readonly found: readonly string[];
  /** How much was searched. */
  readonly looked: {
    readonly values: number;
    readonly objects: number;
    readonly lines: number;
    readonly messages: number;
  };
}

/** Stays below the production build's quotas, however fast the machine is. */
const REPORTS_PER_MEMBER = 25;
const MEMBERS_MIN = 24;
/** Concurrent members; each sends one request after the other. */
const LANES = 12;
/** One in this many reports is accompanied by a box search, a message to an offline member, and an invalid report. */
const EXTRA_REQUESTS_EVERY = 40;
/** Factors by which a coordinate may be scaled to an integer. */
const SCALES = [1e4, 1e5, 1e6, 1e7, 1e8];
/** Smaller integers are ids and counts, some of which equal a scaled coordinate by chance. */
const SCALED_MIN = 1e5;
/** Upper bound of the numbers of half-degree squares. */
const SQUARES_END = squareOfKey(toCurveKey(KEY_END));
const DECIMALS = /\d\.\d{4,}/;

/** @param place draws a raw position */
export async function findResidue(
  { worker, takeLogs, takeQueued }: Pick<ProductionWorker, "worker" | "takeLogs" | "takeQueued">,
  place: (random: Random) => Point,
  reports: number,
): Promise<Residue> {
  const { DB, PICTURES, TILES } = worker.env;
  const random = seededRandom(23);
  const members: TestMember[] = [];
  const count = Math.max(MEMBERS_MIN, Math.ceil(reports / REPORTS_PER_MEMBER));
  while (members.length < count) members.push(await withRetry(() => createMember(worker, { sharedOn: 7 })));
  for (const member of members) await withRetry(() => member.send("PUT", "/api/games/cooties", { playing: true }));
  const away = await withRetry(() => createMember(worker));
  const { lat, lon } = place(random);
  await withRetry(() => uploadPicture(members[0]!, { name: `at ${lat},${lon}.png` }));

  const found: string[] = [];
  const looked = { values: 0, objects: 0, lines: 0, messages: 0 };
  /** Called repeatedly, so that a long run does not keep everything in memory. */
  const searchOutput = () => {
    const [lines, messages] = [takeLogs(), takeQueued()];
    looked.lines += lines.length;
    looked.messages += messages.length;
    found.push(...[...lines, ...messages].filter((text) => DECIMALS.test(text)).map((text) => `printed: ${text}`));
  };
  const scaled = new Set<number>();
  const raws = Array.from({ length: reports }, () => place(random));
  await runInLanes(raws, LANES, async (raw, index) => {
    for (const degrees of [raw.lat, raw.lon])
      for (const scale of SCALES) scaled.add(Math.round(degrees * scale)).add(Math.trunc(degrees * scale));
    // Uses only as many members at a time as there are lanes, because recently used objects respond much faster.
    const group = Math.floor(index / (LANES * REPORTS_PER_MEMBER)) * LANES;
    const member = members[(group + (index % LANES)) % count]!;
    await report(member, raw, index);
    if (index % EXTRA_REQUESTS_EVERY === 0) await sendExtraRequests(member, away, raw, index);
    if (index % 1000 === 999) searchOutput();
  });
  // The queue delivers its messages within a second or so.
  for (let wait = 0; wait < 40 && looked.messages < reports / EXTRA_REQUESTS_EVERY; wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    searchOutput();
    if (looked.messages === 0 && wait > 8) break;
  }

  // The hourly cron job writes the squares of players and the density.
  await withRetry(() => worker.runCron(HOURLY));
  await searchDatabase(DB, scaled, found, looked);
  for (const bucket of [PICTURES, TILES]) await searchBucket(bucket, found, looked);
  found.push(...(await listCells(worker.env)).filter((cell) => !isCell(cell)).map((cell) => `no cell: ${cell}`));
  // Two days after the last report, the cron jobs must have deleted all positions.
  const later = Date.now() + reports * 1000 + 2 * 86_400_000;
  await withRetry(() => worker.runCron(EVERY_MINUTE, later));
  await withRetry(() => worker.runCron(HOURLY, later));
  const left = await withRetry(() =>
    DB.prepare(
      `select (select count(*) from position) + (select count(*) from presence)
        + (select count(*) from presence_density where squares <> '')
        + (select count(*) from cooties_player where square is not null) as n`,
    ).first<number>("n"),
  );
  if (left !== 0) found.push(`${left} expired positions`);
  searchOutput();
  return { found, looked };
}

/** Reports a raw position, like a client that ignores the grid. */
async function report(member: TestMember, { lat, lon }: Point, index: number): Promise<void> {
  const dragged = { use: "OVERRIDE", overrideLat: lat, overrideLon: lon };
  const by = index % 3 === 0 ? dragged : { use: "DEVICE_GPS" };
  await withRetry(async () => {
    const at = { ...by, gpsLat: lat, gpsLon: lon, gpsTimestamp: Date.now() };
    const response = await member.send("PUT", `/api/profile-position/${member.id}`, at);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
  });
}

/** Other requests with coordinates, in a URL and in an invalid report, and a message that queues a push. */
async function sendExtraRequests(
  member: TestMember,
  away: TestMember,
  { lat, lon }: Point,
  index: number,
): Promise<void> {
  const box = `latMin=${lat - 0.01}&latMax=${Math.min(90, lat + 0.01)}&lonMin=${Math.max(-180, lon - 0.01)}&lonMax=${lon}`;
  const invalid = { use: "DEVICE_GPS", gpsLat: 91 + Math.abs(lat), gpsLon: lon };
  const text = { recipientProfileId: away.id, bodyText: `${index}`, clientId: `residue-${index}` };
  for (const send of [
    () => member.fetch(`/api/profile-briefs/by-bounds?${box}`),
    () => member.send("PUT", `/api/profile-position/${member.id}`, invalid),
    () => member.send("POST", "/api/message", text),
  ]) {
    await (await withRetry(send)).text();
  }
}

/** All cells that are stored, the encrypted ones of remembered places among them. */
async function listCells(env: ProductionWorker["worker"]["env"]): Promise<number[]> {
  const positions = await withRetry(() =>
    env.DB.prepare("select cell, pending_cell from position").all<{ cell: number; pending_cell: number | null }>(),
  );
  const memories = await withRetry(() =>
    env.DB.prepare("select profile_id, sealed from place_memory").all<{ profile_id: number; sealed: number[] }>(),
  );
  return [
    ...positions.results.flatMap(({ cell, pending_cell }) => (pending_cell === null ? [cell] : [cell, pending_cell])),
    ...memories.results.flatMap(({ profile_id, sealed }) =>
      decryptRestingCells(env, profile_id, sealed).map(({ cell }) => cell),
    ),
  ];
}

async function searchDatabase(
  db: D1Database,
  scaled: ReadonlySet<number>,
  found: string[],
  looked: { values: number },
) {
  const tables = await withRetry(() =>
    db
      .prepare(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
      )
      .all<{ name: string }>(),
  );
  for (const { name } of tables.results) {
    const { results } = await withRetry(() => db.prepare(`select * from "${name}"`).all<Record<string, unknown>>());
    for (const [column, value] of results.flatMap((row) => Object.entries(row))) {
      looked.values += 1;
      // A square is only precise to half a degree, and a random order was drawn before the first report; both may equal a scaled
      // coordinate by chance.
      const isExempt =
        column === "random_order" || (name === "cooties_player" && column === "square" && Number(value) < SQUARES_END);
      const isScaled = !isExempt && typeof value === "number" && Math.abs(value) >= SCALED_MIN && scaled.has(value);
      if (isScaled || DECIMALS.test(String(value))) found.push(`${name}.${column}: ${value}`);
    }
  }
}

/** Searches keys, metadata and contents. */
async function searchBucket(bucket: R2Bucket, found: string[], looked: { objects: number }): Promise<void> {
  const list = await withRetry(() => bucket.list({ include: ["httpMetadata", "customMetadata"] }));
  for (const { key, httpMetadata, customMetadata } of list.objects) {
    looked.objects += 1;
    const object = await withRetry(() => bucket.get(key));
    const content = Buffer.from((await object?.arrayBuffer()) ?? new ArrayBuffer(0)).toString("latin1");
    if ([key, JSON.stringify([httpMetadata, customMetadata]), content].some((text) => DECIMALS.test(text)))
      found.push(`bucket: ${key}`);
  }
}
