/** A3: after many GPS reports, looks through everything the worker stored for a coordinate finer than the grid. */
import { isCell } from "@lambda/contract/grid";
import { as } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { line } from "./figures.ts";
import type { BenchOptions } from "./main.ts";
import { Population } from "./population.ts";
import { seeded } from "./random.ts";

export interface Residue {
  readonly reports: number;
  /** Values in D1 that spell a raw coordinate to four decimals or more. */
  readonly inDatabase: number;
  readonly inBuckets: number;
  readonly inLogs: number;
  /** Stored cells that are none of the grid. */
  readonly notCells: number;
  readonly deadLeft: number;
}

/** How a raw coordinate would look in text: to four decimals, 11 m. */
const spell = (degrees: number) => {
  const [whole, part = ""] = Math.abs(degrees).toFixed(12).split(".");
  return `${whole}.${part.slice(0, 4)}`;
};

export async function searchResidue(worker: TestWorker, reports: number): Promise<Residue> {
  const { DB, PICTURES, TILES } = worker.env;
  const population = new Population();
  const random = seeded(23);
  const members = await Promise.all(Array.from({ length: 20 }, () => as(worker, { sharedOn: 7 })));
  const raws = new Set<string>();
  const printed: string[] = [];
  const originals = (["log", "info", "warn", "error", "debug"] as const).map((level) => {
    const original = console[level];
    console[level] = (...values: unknown[]) => printed.push(values.map(String).join(" "));
    return () => {
      console[level] = original;
    };
  });
  const start = Date.now();
  for (let count = 0; count < reports; count += members.length) {
    await Promise.all(
      members.map(async (member) => {
        const { lat, lon } = population.place(random);
        raws.add(spell(lat)).add(spell(lon));
        const answer = await member.fetch(`/api/profile-position/${member.id}`, {
          method: "PUT",
          headers: { "content-type": "application/json", "x-development-now": String(start + count * 60_000) },
          body: JSON.stringify({ use: "DEVICE_GPS", gpsLat: lat, gpsLon: lon, gpsTimestamp: start }),
        });
        if (answer.status !== 200) throw new Error(await answer.text());
        await answer.text();
      }),
    );
  }
  const { results: tables } = await DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
  ).all<{ name: string }>();
  let inDatabase = 0;
  const holdsRaw = (text: string) => (text.match(/\d{1,3}\.\d{4}/g) ?? []).some((number) => raws.has(number));
  for (const { name } of tables) {
    const { results } = await DB.prepare(`select * from "${name}"`).all<Record<string, unknown>>();
    for (const row of results) for (const value of Object.values(row)) if (holdsRaw(String(value))) inDatabase += 1;
  }
  const { results: positions } = await DB.prepare("select cell, pending_cell from position").all<{
    cell: number;
    pending_cell: number | null;
  }>();
  const cells = positions.flatMap(({ cell, pending_cell }) => (pending_cell === null ? [cell] : [cell, pending_cell]));
  const objects = (await Promise.all([PICTURES.list(), TILES.list()])).flatMap((list) => list.objects);
  // The schedule, two days after the last report: nothing of a position is left.
  const later = start + reports * 60_000 + 2 * 86_400_000;
  await worker.schedule("* * * * *", later);
  const dead = await DB.prepare("select (select count(*) from position) + (select count(*) from presence) as n").first<{
    n: number;
  }>();
  for (const restore of originals) restore();
  return {
    ...{ reports, inDatabase, inBuckets: objects.filter(({ key }) => holdsRaw(key)).length },
    ...{ inLogs: printed.filter(holdsRaw).length, notCells: cells.filter((cell) => !isCell(cell)).length },
    deadLeft: dead?.n ?? -1,
  };
}

export async function run({ queries = 100_000 }: BenchOptions): Promise<void> {
  const worker = await startWorker();
  try {
    const residue = await searchResidue(worker, queries);
    line("GPS reports with raw coordinates", String(residue.reports));
    line("  raw coordinates in D1", String(residue.inDatabase));
    line("  in names of R2 objects", String(residue.inBuckets));
    line("  in log lines", String(residue.inLogs));
    line("  stored cells that are not of the grid", String(residue.notCells));
    line("  dead positions left after the schedule", String(residue.deadLeft));
  } finally {
    await worker.harness.close();
  }
}
