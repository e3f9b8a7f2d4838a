/**
 * After many position reports, searches everything that the production build stored, logged or queued for coordinates finer than the
 * grid: numbers with four or more decimals (11 m), and raw coordinates scaled to integers.
 */

import { KEY_END, pointOfKey, toCurveKey } from "@lambda/geo/curve";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { isCell } from "@lambda/geo/grid";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { startProductionWorker } from "@lambda/testing/production-worker";
import { seededRandom } from "@lambda/testing/random";
import type { TestWorker } from "@lambda/testing/worker";
import { squareOfKey } from "@lambda/worker/games-nearby-players";
import { decryptRestingCells } from "@lambda/worker/place-memory";
import { EVERY_MINUTE, HOURLY } from "@lambda/worker/schedule";
import { printGate, printLine } from "./figures.ts";
import { isNearPunishingCountry, runInLanes } from "./interference/pairs.ts";
import type { BenchOptions } from "./options.ts";
import { Population } from "./population.ts";
import { bestOf, type Found, holds, limitsForSample, toText } from "./privacy/score.ts";
import { withRetry } from "./with-retry.ts";

export interface Observed {
  readonly worker: TestWorker;
  /** Log lines since the last call; `takeQueued` returns queue messages. */
  takeLogs(): string[];
  takeQueued(): string[];
}

export interface Residue {
  readonly reports: number;
  /** Number of values, objects, lines and messages that contain a coordinate. */
  readonly inDatabase: number;
  readonly inBuckets: number;
  readonly inLogs: number;
  readonly inQueue: number;
  /** Stored cells that are invalid. */
  readonly notCells: number;
  readonly deadLeft: number;
  /** What the last markers reveal of the raw positions they were made from, and how many were compared. */
  readonly markers: number;
  readonly byMarkers: Found;
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
/** Number of findings to print. */
const SHOWN_MAX = 20;

/** Loaded before anything runs, because it blocks the process for a second. */
const population = new Population();
const DECIMALS = /\d\.\d{4,}/;

export async function findResidue(site: Observed, reports: number): Promise<Residue> {
  const { worker } = site;
  const { DB } = worker.env;
  const random = seededRandom(23);
  const members: TestMember[] = [];
  const count = Math.max(MEMBERS_MIN, Math.ceil(reports / REPORTS_PER_MEMBER));
  while (members.length < count) members.push(await withRetry(() => createMember(worker, { sharedOn: 7 })));
  for (const member of members) {
    await withRetry(() => member.send("PUT", "/api/games/cooties", { playing: true }));
  }
  const away = await withRetry(() => createMember(worker));
  const scaled = new Set<number>();
  /** Where members whose last report was published at once really were. */
  const raws = new Map<number, Point>();
  const [first] = members;
  if (first) {
    const { lat, lon } = population.place(random);
    await withRetry(() => uploadPicture(first, { name: `at ${lat},${lon}.png` }));
  }
  const found = { inLogs: 0, inQueue: 0 };
  const looked = { lines: 0, messages: 0 };
  /** Called repeatedly, so that a long run does not keep everything in memory. */
  const searchOutput = () => {
    for (const text of site.takeLogs()) {
      looked.lines += 1;
      if (DECIMALS.test(text)) found.inLogs += 1;
    }
    for (const text of site.takeQueued()) {
      looked.messages += 1;
      if (DECIMALS.test(text)) found.inQueue += 1;
    }
  };
  await runInLanes(
    Array.from({ length: reports }, (_, index) => ({ raw: population.place(random), index })),
    LANES,
    async ({ raw, index }) => {
      for (const scale of SCALES) {
        for (const degrees of [raw.lat, raw.lon])
          scaled.add(Math.round(degrees * scale)).add(Math.trunc(degrees * scale));
      }
      // Uses only as many members at a time as there are lanes, because recently used objects respond much faster.
      const group = Math.floor(index / (LANES * REPORTS_PER_MEMBER)) * LANES;
      const member = members[(group + (index % LANES)) % count]!;
      await report(member, raw, index);
      if (isDragged(index)) raws.set(member.id, raw);
      else raws.delete(member.id);
      if (index % EXTRA_REQUESTS_EVERY === 0) await sendExtraRequests(member, away, raw, index);
      if (index % 1000 === 999) searchOutput();
    },
  );
  // The queue delivers its messages within a second or so.
  const queued = Math.ceil(reports / EXTRA_REQUESTS_EVERY);
  for (let wait = 0; wait < 40 && looked.messages < queued; wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    searchOutput();
    if (looked.messages === 0 && wait > 8) break;
  }

  // The hourly cron job writes the squares of players and the density.
  await withRetry(() => worker.runCron(HOURLY));
  const database = await searchDatabase(DB, scaled);
  const buckets = await searchBuckets([worker.env.PICTURES, worker.env.TILES]);
  const { results: positions } = await withRetry(() =>
    DB.prepare("select profile_id, key, cell, pending_cell from position").all<
      Record<"profile_id" | "key" | "cell", number> & { pending_cell: number | null }
    >(),
  );
  const errors = positions.flatMap(({ profile_id, key }) => {
    const raw = raws.get(profile_id);
    return raw && !isNearPunishingCountry(raw) ? [distanceMeters(pointOfKey(toCurveKey(key)), raw)] : [];
  });
  const cells = positions.flatMap(({ cell, pending_cell }) => (pending_cell === null ? [cell] : [cell, pending_cell]));
  const { results: memories } = await withRetry(() =>
    DB.prepare("select profile_id, sealed from place_memory").all<{ profile_id: number; sealed: number[] }>(),
  );
  for (const { profile_id, sealed } of memories) {
    const opened = decryptRestingCells(worker.env, profile_id, sealed);
    cells.push(...opened.map(({ cell }) => cell));
  }
  // Two days after the last report, the cron jobs must have deleted all positions.
  const later = Date.now() + reports * 1000 + 2 * 86_400_000;
  await withRetry(() => worker.runCron(EVERY_MINUTE, later));
  await withRetry(() => worker.runCron(HOURLY, later));
  const dead = await withRetry(() =>
    DB.prepare(
      `select (select count(*) from position) + (select count(*) from presence)
        + (select count(*) from presence_density where squares <> '')
        + (select count(*) from cooties_player where square is not null) as n`,
    ).first<{ n: number }>(),
  );
  searchOutput();
  return {
    reports,
    inDatabase: database.found,
    inBuckets: buckets.found,
    ...found,
    notCells: cells.filter((cell) => !isCell(cell)).length,
    deadLeft: dead?.n ?? -1,
    markers: errors.length,
    byMarkers: bestOf([errors]),
    looked: { values: database.values, objects: buckets.objects, ...looked },
  };
}

const isDragged = (index: number) => index % 3 === 0;

/** Reports a raw position, like a client that ignores the grid. */
async function report(member: TestMember, { lat, lon }: Point, index: number): Promise<void> {
  const use = isDragged(index) ? "OVERRIDE" : "DEVICE_GPS";
  const at = { gpsLat: lat, gpsLon: lon, ...(use === "OVERRIDE" && { overrideLat: lat, overrideLon: lon }) };
  await withRetry(async () => {
    const response = await member.send("PUT", `/api/profile-position/${member.id}`, {
      use,
      ...at,
      gpsTimestamp: Date.now(),
    });
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

async function searchDatabase(db: D1Database, scaled: ReadonlySet<number>): Promise<{ found: number; values: number }> {
  const { results: tables } = await withRetry(() =>
    db
      .prepare(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
      )
      .all<{ name: string }>(),
  );
  let [found, values] = [0, 0];
  for (const { name } of tables) {
    const { results } = await withRetry(() => db.prepare(`select * from "${name}"`).all<Record<string, unknown>>());
    for (const [column, value] of results.flatMap((row) => Object.entries(row))) {
      values += 1;
      // A square is only precise to half a degree, but may equal a scaled coordinate by chance.
      const isSquare = name === "cooties_player" && column === "square" && Number(value) < SQUARES_END;
      // Random, and chosen before the first report.
      const isDrawn = column === "random_order";
      const isScaled =
        !isSquare && !isDrawn && typeof value === "number" && Math.abs(value) >= SCALED_MIN && scaled.has(value);
      if (!isScaled && !DECIMALS.test(String(value))) continue;
      found += 1;
      if (found <= SHOWN_MAX) printLine(`  in ${name}.${column}`, String(value));
    }
  }
  return { found, values };
}

/** Searches keys, metadata and contents. */
async function searchBuckets(buckets: readonly R2Bucket[]): Promise<{ found: number; objects: number }> {
  let [found, objects] = [0, 0];
  for (const bucket of buckets) {
    const list = await withRetry(() => bucket.list({ include: ["httpMetadata", "customMetadata"] }));
    for (const { key, httpMetadata, customMetadata } of list.objects) {
      objects += 1;
      const object = await withRetry(() => bucket.get(key));
      const content = Buffer.from((await object?.arrayBuffer()) ?? new ArrayBuffer(0)).toString("latin1");
      if ([key, JSON.stringify([httpMetadata, customMetadata]), content].some((text) => DECIMALS.test(text)))
        found += 1;
    }
  }
  return { found, objects };
}

export async function run({ queries = 100_000 }: BenchOptions): Promise<void> {
  const site = await startProductionWorker();
  try {
    const started = performance.now();
    const residue = await findResidue(site, queries);
    const { values, objects, lines, messages } = residue.looked;
    const seconds = (performance.now() - started) / 1000;
    printLine(
      "reports with raw coordinates",
      `${residue.reports} in ${Math.round(seconds)} s, to the production build`,
    );
    const printNone = (label: string, found: number, where = "") => printGate(label, found === 0, `${found}${where}`);
    printNone("  coordinates in D1", residue.inDatabase, ` in ${values} values`);
    printNone("  in R2: names, metadata, contents", residue.inBuckets, ` in ${objects} objects`);
    printNone("  in log lines", residue.inLogs, ` in ${lines} lines`);
    printNone("  in messages of the queue", residue.inQueue, ` in ${messages} messages`);
    printNone("  stored cells that are not of the grid", residue.notCells);
    printNone("  expired positions left after the cron jobs", residue.deadLeft);
    const { markers, byMarkers } = residue;
    printGate(`  markers: ${markers}`, holds(byMarkers, limitsForSample(markers)), toText(byMarkers));
  } finally {
    await site.close();
  }
}
