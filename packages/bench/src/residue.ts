/**
 * After many reports, looks through everything that the deployed build stored, printed or queued for a coordinate finer than the
 * grid: every number with four or more decimals counts (11 m), and every raw coordinate scaled to an integer.
 */

import type { Point } from "@lambda/geo/distance";
import { isCell } from "@lambda/geo/grid";
import { as, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { startProductionWorker } from "@lambda/testing/production-worker";
import { seededRandom } from "@lambda/testing/random";
import type { TestWorker } from "@lambda/testing/worker";
import { SQUARES_END } from "@lambda/worker/games-near";
import { openPlaces } from "@lambda/worker/place-memory";
import { EVERY_MINUTE, HOURLY } from "@lambda/worker/schedule";
import { line } from "./figures.ts";
import { inLanes } from "./interference/pairs.ts";
import type { BenchOptions } from "./options.ts";
import { Population } from "./population.ts";
import { withRetry } from "./with-retry.ts";

export interface Observed {
  readonly worker: TestWorker;
  /** What it printed, and what it queued, since the last call. */
  takeLogs(): string[];
  takeQueued(): string[];
}

export interface Residue {
  readonly reports: number;
  /** Values, objects, lines and messages that hold a coordinate. */
  readonly inDatabase: number;
  readonly inBuckets: number;
  readonly inLogs: number;
  readonly inQueue: number;
  /** Stored cells that are none of the grid. */
  readonly notCells: number;
  readonly deadLeft: number;
  /** What was looked through. */
  readonly looked: {
    readonly values: number;
    readonly objects: number;
    readonly lines: number;
    readonly messages: number;
  };
}

/** So many reports of each member stay below the deployed build's quotas, however fast the machine is. */
const REPORTS_PER_MEMBER = 25;
const MEMBERS_MIN = 24;
/** Concurrent members; each sends one request after the other. */
const LANES = 12;
/** Every so-many-th report goes with a question about a box, a message to one who is away, and a report that is refused. */
const ASIDE_EVERY = 40;
/** Integers as which a coordinate may be kept. */
const SCALES = [1e4, 1e5, 1e6, 1e7, 1e8];

/** Smaller integers are ids and counts: beside 100,000 reports some of them are coordinates of somebody by chance. */
const SCALED_LEAST = 1e5;
/** Findings that are printed. */
const SHOWN_MAX = 20;

/** Read before anything runs: it holds up the process for a second. */
const population = new Population();
const DECIMALS = /\d\.\d{4,}/;

export async function searchResidue(site: Observed, reports: number): Promise<Residue> {
  const { worker } = site;
  const { DB } = worker.env;
  const random = seededRandom(23);
  const members: TestMember[] = [];
  const count = Math.max(MEMBERS_MIN, Math.ceil(reports / REPORTS_PER_MEMBER));
  while (members.length < count) members.push(await withRetry(() => as(worker, { sharedOn: 7 })));
  for (const member of members) {
    await withRetry(() => member.send("PUT", "/api/games/cooties", { playing: true }));
  }
  const away = await withRetry(() => as(worker));
  const scaled = new Set<number>();
  const [first] = members;
  if (first) {
    const { lat, lon } = population.place(random);
    await withRetry(() => uploadPicture(first, { name: `at ${lat},${lon}.png` }));
  }
  const found = { inLogs: 0, inQueue: 0 };
  const looked = { lines: 0, messages: 0 };
  /** As it goes, so that a long run does not hold all of it. */
  const listen = () => {
    for (const text of site.takeLogs()) {
      looked.lines += 1;
      if (DECIMALS.test(text)) found.inLogs += 1;
    }
    for (const text of site.takeQueued()) {
      looked.messages += 1;
      if (DECIMALS.test(text)) found.inQueue += 1;
    }
  };
  await inLanes(
    Array.from({ length: reports }, (_, index) => ({ raw: population.place(random), index })),
    LANES,
    async ({ raw, index }) => {
      for (const scale of SCALES) {
        for (const degrees of [raw.lat, raw.lon])
          scaled.add(Math.round(degrees * scale)).add(Math.trunc(degrees * scale));
      }
      // As many members at a time as there are lanes: objects that were asked lately answer far sooner.
      const group = Math.floor(index / (LANES * REPORTS_PER_MEMBER)) * LANES;
      const member = members[(group + (index % LANES)) % count]!;
      await report(member, raw, index);
      if (index % ASIDE_EVERY === 0) await aside(member, away, raw, index);
      if (index % 1000 === 999) listen();
    },
  );
  // The queue hands its messages over within a second; those who wait for them are the last to be asked.
  const queued = Math.ceil(reports / ASIDE_EVERY);
  for (let wait = 0; wait < 40 && looked.messages < queued; wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    listen();
    if (looked.messages === 0 && wait > 8) break;
  }

  // Squares of players and the density are written by the hour.
  await withRetry(() => worker.schedule(HOURLY));
  const database = await searchDatabase(DB, scaled);
  const buckets = await searchBuckets([worker.env.PICTURES, worker.env.TILES]);
  const { results: positions } = await withRetry(() =>
    DB.prepare("select cell, pending_cell from position").all<{ cell: number; pending_cell: number | null }>(),
  );
  const cells = positions.flatMap(({ cell, pending_cell }) => (pending_cell === null ? [cell] : [cell, pending_cell]));
  const { results: memories } = await withRetry(() =>
    DB.prepare("select profile_id, sealed from place_memory").all<{ profile_id: number; sealed: number[] }>(),
  );
  for (const { profile_id, sealed } of memories) {
    const opened = await openPlaces(worker.env.POSITION_KEY, profile_id, sealed);
    cells.push(...opened.map(({ cell }) => cell));
  }
  // The schedule, two days after the last report: nothing of a position is left.
  const later = Date.now() + reports * 1000 + 2 * 86_400_000;
  await withRetry(() => worker.schedule(EVERY_MINUTE, later));
  await withRetry(() => worker.schedule(HOURLY, later));
  const dead = await withRetry(() =>
    DB.prepare(
      `select (select count(*) from position) + (select count(*) from presence)
        + (select count(*) from presence_density where squares <> '')
        + (select count(*) from cooties_player where square is not null) as n`,
    ).first<{ n: number }>(),
  );
  listen();
  return {
    ...{ reports, inDatabase: database.found, inBuckets: buckets.found, ...found },
    ...{ notCells: cells.filter((cell) => !isCell(cell)).length, deadLeft: dead?.n ?? -1 },
    looked: { values: database.values, objects: buckets.objects, ...looked },
  };
}

/** As a client that knows no grid sends it. */
async function report(member: TestMember, { lat, lon }: Point, index: number): Promise<void> {
  const use = index % 3 === 0 ? "OVERRIDE" : "DEVICE_GPS";
  const at = { gpsLat: lat, gpsLon: lon, ...(use === "OVERRIDE" && { overrideLat: lat, overrideLon: lon }) };
  await withRetry(async () => {
    const answer = await member.send("PUT", `/api/profile-position/${member.id}`, {
      use,
      ...at,
      gpsTimestamp: Date.now(),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
  });
}

/** What else carries coordinates on its way: a box in an address, a report that is refused; and what fills the queue. */
async function aside(member: TestMember, away: TestMember, { lat, lon }: Point, index: number): Promise<void> {
  const box = `latMin=${lat - 0.01}&latMax=${Math.min(90, lat + 0.01)}&lonMin=${Math.max(-180, lon - 0.01)}&lonMax=${lon}`;
  const wrong = { use: "DEVICE_GPS", gpsLat: 91 + Math.abs(lat), gpsLon: lon };
  const text = { recipientProfileId: away.id, bodyText: `${index}`, clientId: `residue-${index}` };
  for (const ask of [
    () => member.fetch(`/api/profile-briefs/by-bounds?${box}`),
    () => member.send("PUT", `/api/profile-position/${member.id}`, wrong),
    () => member.send("POST", "/api/message", text),
  ]) {
    await (await withRetry(ask)).text();
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
      // A square has ten bits for each axis: half a degree, and by chance the same digits as some coordinate.
      const isSquare = name === "cooties_player" && column === "square" && Number(value) < SQUARES_END;
      // Drawn with the profile, before its first report.
      const isDrawn = column === "random_order";
      const isScaled =
        !isSquare && !isDrawn && typeof value === "number" && Math.abs(value) >= SCALED_LEAST && scaled.has(value);
      if (!isScaled && !DECIMALS.test(String(value))) continue;
      found += 1;
      if (found <= SHOWN_MAX) line(`  in ${name}.${column}`, String(value));
    }
  }
  return { found, values };
}

/** Names, metadata and contents. */
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
    const residue = await searchResidue(site, queries);
    const { values, objects, lines, messages } = residue.looked;
    const seconds = (performance.now() - started) / 1000;
    line("reports with raw coordinates", `${residue.reports} in ${Math.round(seconds)} s, to the deployed build`);
    line("  coordinates in D1", `${residue.inDatabase} in ${values} values`);
    line("  in R2: names, metadata, contents", `${residue.inBuckets} in ${objects} objects`);
    line("  in log lines", `${residue.inLogs} in ${lines} lines`);
    line("  in messages of the queue", `${residue.inQueue} in ${messages} messages`);
    line("  stored cells that are not of the grid", String(residue.notCells));
    line("  dead positions left after the schedule", String(residue.deadLeft));
  } finally {
    await site.close();
  }
}
