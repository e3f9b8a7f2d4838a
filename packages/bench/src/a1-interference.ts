/**
 * A1: pairs of raw positions in one cell. Whatever another account gets after the first and after the second must be the same
 * bytes, headers included; and so must every row that the report leaves behind.
 */
import { cellBounds, snap } from "@lambda/contract/grid";
import { as, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { line } from "./figures.ts";
import type { BenchOptions } from "./main.ts";
import { Population } from "./population.ts";
import { type Random, seeded } from "./random.ts";

export interface Raw {
  readonly lat: number;
  readonly lon: number;
}

/** Two raw positions in the same cell. */
export function pairInCell(population: Population, random: Random): [Raw, Raw] {
  const place = population.place(random);
  const { latMin, latMax, lonMin, lonMax } = cellBounds(snap(place.lat, place.lon, "street"));
  const inside = () => ({
    lat: latMin + (latMax - latMin) * (0.001 + 0.998 * random.next()),
    lon: lonMin + (lonMax - lonMin) * (0.001 + 0.998 * random.next()),
  });
  return [inside(), inside()];
}

/** What others ask that may depend on where the subject is; each of these answers is compared whole. */
function questions({ lat, lon }: Raw, subject: number): string[] {
  const box = (half: number) =>
    `latMin=${Math.max(-90, lat - half)}&latMax=${Math.min(90, lat + half)}&lonMin=${Math.max(-180, lon - half)}&lonMax=${Math.min(180, lon + half)}`;
  return [
    "/api/profile-briefs/nearest",
    "/api/profile-briefs/nearest?size=2&page=1",
    "/api/profile-briefs/nearest?maxDistanceMeters=400",
    "/api/profile-briefs/nearest?characteristics=coffee&ageMin=20",
    `/api/profile-briefs/by-bounds?${box(0.002)}`,
    `/api/profile-briefs/by-bounds?${box(0.3)}&size=3`,
    `/api/profile-briefs/by-sector/${Math.min(89, Math.floor(lat))}:${Math.floor(lon)}`,
    "/api/profile-positions/aggregates",
    `/api/profile-positions/aggregates?${box(2)}&most=100`,
    `/api/profile/${subject}`,
    `/api/profile-position/${subject}`,
    "/api/notifications/mine",
    "/api/messages/by-sector/0:0",
  ];
}

/** Names of headers that tell of the request alone. */
const OWN_HEADERS = new Set(["date", "cf-ray", "x-d1-duration"]);

async function answers(observers: readonly TestMember[], raw: Raw, subject: number, now: number): Promise<string> {
  const texts: string[] = [];
  for (const observer of observers) {
    for (const path of questions(raw, subject)) {
      const answer = await observer.fetch(path, { headers: { "x-development-now": String(now) } });
      const headers = [...answer.headers].filter(([name]) => !OWN_HEADERS.has(name));
      texts.push(path, String(answer.status), JSON.stringify(headers), await answer.text());
    }
  }
  return texts.join("\n");
}

async function stored(worker: TestWorker, subject: number): Promise<string> {
  const tables = ["position", "presence"].map((table) =>
    worker.env.DB.prepare(`select * from ${table} where profile_id = ?`).bind(subject),
  );
  const counts = worker.env.DB.prepare("select * from presence_count");
  const results = await worker.env.DB.batch([...tables, counts]);
  return JSON.stringify(results.map(({ results: rows }) => rows));
}

export interface Interference {
  readonly pairs: number;
  readonly answers: number;
  readonly differentAnswers: number;
  readonly differentRows: number;
}

/**
 * @param fullEvery all answers of all observers are compared for every so-many-th pair, the stored rows for each
 * @param apart degrees between the two positions of a pair: 0 is the proof, more is the control that must differ
 */
export async function compareBuilds(
  worker: TestWorker,
  pairs: number,
  fullEvery: number,
  apart = 0,
): Promise<Interference> {
  const population = new Population();
  const random = seeded(17);
  const subject = await as(worker, { sharedOn: 7, characteristics: 2 ** 4 });
  const friend = await as(worker);
  const observers = [friend, await as(worker, { brand: "harbor" }), await as(worker)];
  const blocked = observers[2]!;
  await worker.env.DB.batch([
    worker.env.DB.prepare("insert into block values (?, ?, 1, 0, 0)").bind(subject.id, blocked.id),
    worker.env.DB.prepare("insert into block values (?, ?, 0, 1, 0)").bind(blocked.id, subject.id),
  ]);
  const put = (member: TestMember, raw: Raw, now: number, use: string) =>
    member.fetch(`/api/profile-position/${member.id}`, {
      method: "PUT",
      headers: { "content-type": "application/json", "x-development-now": String(now) },
      body: JSON.stringify(
        use === "OVERRIDE"
          ? { use, overrideLat: raw.lat, overrideLon: raw.lon }
          : { use, gpsLat: raw.lat, gpsLon: raw.lon },
      ),
    });
  let [differentAnswers, differentRows, compared] = [0, 0, 0];
  const start = Date.now();
  for (let pair = 0; pair < pairs; pair += 1) {
    const [first, second] = pairInCell(population, random);
    const raws = [first, { lat: second.lat - Math.sign(second.lat) * apart, lon: second.lon }] as const;
    const now = start + pair * 1000;
    const full = pair % fullEvery === 0;
    const use = random.next() < 0.5 ? "OVERRIDE" : "DEVICE_GPS";
    if (full)
      for (const observer of observers)
        await put(observer, { lat: raws[0].lat + 0.01, lon: raws[0].lon }, now, "OVERRIDE");
    const seen: { rows: string; texts: string }[] = [];
    for (const raw of raws) {
      await worker.env.DB.prepare("delete from position where profile_id = ?").bind(subject.id).run();
      const answer = await put(subject, raw, now, use);
      if (answer.status !== 200) throw new Error(await answer.text());
      await answer.text();
      seen.push({
        rows: await stored(worker, subject.id),
        texts: full ? await answers(observers, raws[0], subject.id, now) : "",
      });
    }
    if (seen[0]!.rows !== seen[1]!.rows) differentRows += 1;
    if (seen[0]!.texts !== seen[1]!.texts) differentAnswers += 1;
    if (full) compared += 1;
  }
  const { length } = questions({ lat: 0, lon: 0 }, 1);
  return { pairs, answers: compared * observers.length * length, differentAnswers, differentRows };
}

export async function run({ queries = 10_000 }: BenchOptions): Promise<void> {
  const worker = await startWorker();
  try {
    const result = await compareBuilds(worker, queries, 20);
    line("pairs of raw positions in one cell", String(result.pairs));
    line("  pairs whose stored rows differ", String(result.differentRows));
    line("  answers compared, headers and bytes", `${result.answers} (every 20th pair, 3 observers)`);
    line("  pairs with a differing answer", String(result.differentAnswers));
  } finally {
    await worker.harness.close();
  }
}
