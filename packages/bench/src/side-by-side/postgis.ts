/** PostGIS: a temporary cluster, queried through a client, whose server also says how long it took itself. */
import { execFileSync } from "node:child_process";
import { chmodSync, createWriteStream, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { freePort } from "@lambda/testing/site";
import pg from "pg";
import type { Brief, FoundRow } from "./ours.ts";

/** The columns that all three engines return per member, like our searches. */
export const COLUMNS = [
  "profile_id",
  "key",
  "random_order",
  "profile_name",
  "characteristics",
  "birth_day",
  "height",
  "weight",
  "pics_public",
  "ts_seen",
] as const satisfies readonly (keyof FoundRow)[];

/** Duration of a call until its rows were objects, and the number of rows. */
export interface TimedResult {
  readonly ms: number;
  readonly count: number;
}

export interface Prepared {
  readonly name: string;
  /** Everything after `select ...`. */
  readonly from: string;
  readonly types: string;
}

/** PostgreSQL refuses to run as root; Debian creates a user for it. */
function asUser(command: string, args: readonly string[]): [string, string[]] {
  return process.getuid?.() === 0 ? ["runuser", ["-u", "postgres", "--", command, ...args]] : [command, [...args]];
}

export async function openPostgis(briefs: Iterable<Brief>) {
  const root = "/usr/lib/postgresql";
  const version = existsSync(root) ? readdirSync(root).sort().at(-1) : undefined;
  if (!version) throw new Error("PostgreSQL is not installed: apt-get install postgresql postgresql-15-postgis-3");
  const bin = `${root}/${version}/bin`;
  const directory = mkdtempSync(join(tmpdir(), "bench-postgis-"));
  chmodSync(directory, 0o777);
  const data = join(directory, "data");
  const port = String(await freePort());
  const run = (command: string, args: readonly string[]) =>
    execFileSync(...asUser(`${bin}/${command}`, args), { stdio: ["ignore", "ignore", "inherit"], cwd: directory });
  run("initdb", ["-D", data, "-A", "trust", "-U", "bench", "--no-sync", "-E", "UTF8", "--locale", "C"]);
  const settings = [
    "-c shared_buffers=512MB",
    "-c fsync=off",
    "-c work_mem=64MB",
    "-c maintenance_work_mem=512MB",
    "-c jit=off",
  ];
  const options = `-p ${port} -k ${directory} -c listen_addresses='' ${settings.join(" ")}`;
  run("pg_ctl", ["-D", data, "-o", options, "-w", "-l", join(directory, "log"), "start"]);

  const file = join(directory, "members.csv");
  await writeCsv(file, briefs);
  // Our bigints are safe integers, so return them as numbers.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const client = new pg.Client({ host: directory, port: Number(port), user: "bench", database: "postgres" });
  await client.connect();
  for (const statement of [
    "create extension postgis",
    `create table member (profile_id integer primary key, key bigint, random_order bigint, profile_name text, characteristics bigint,
      birth_day integer, height text, weight text, pics_public text, ts_seen bigint, place geography(point, 4326) not null)`,
    `copy member from '${file}' csv`,
    "create index member_place on member using gist (place)",
    "create index member_flat on member using gist ((place::geometry))",
    "vacuum analyze member",
  ])
    await client.query(statement);
  return {
    prepare: async ({ name, from, types }: Prepared) => {
      await client.query(`prepare ${name}(${types}) as select profile_id ${from}`);
    },
    /** Finds the ids, and the server's planning and execution time in milliseconds. */
    search: async (name: string, values: readonly number[]) => {
      const call = `${name}(${values.join(", ")})`;
      const found = await client.query<{ profile_id: number }>(`execute ${call}`);
      const ids = found.rows.map((row) => row.profile_id);
      const explained = await client.query(`explain (analyze, timing off, summary on) execute ${call}`);
      const plan = explained.rows.map((row) => row["QUERY PLAN"]).join("\n");
      const time = (part: string) => Number(new RegExp(`${part} Time: ([\\d.]+) ms`).exec(plan)?.[1] ?? Number.NaN);
      return { ids, ms: time("Planning") + time("Execution") };
    },
    /** Runs the same query for all columns, as objects. */
    values: async ({ name, from }: Prepared, values: readonly number[]): Promise<TimedResult> => {
      const started = performance.now();
      const { rows } = await client.query({
        name: `${name}_values`,
        text: `select ${COLUMNS.join(", ")} ${from}`,
        values: [...values],
      });
      return { ms: performance.now() - started, count: rows.length };
    },
    /** Milliseconds of a trivial call. */
    ping: async () => {
      const started = performance.now();
      await client.query({ name: "ping", text: "select 1" });
      return performance.now() - started;
    },
    [Symbol.asyncDispose]: async () => {
      await client.end();
      run("pg_ctl", ["-D", data, "-m", "immediate", "stop"]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function writeCsv(file: string, briefs: Iterable<Brief>): Promise<void> {
  const csv = createWriteStream(file);
  const cell = (value: string | number | null) => (value === null ? "" : `"${String(value).replaceAll('"', '""')}"`);
  for (const { row, point } of briefs) {
    const values = COLUMNS.map((column) => cell(row[column]));
    if (!csv.write(`${values.join(",")},SRID=4326;POINT(${point.lon} ${point.lat})\n`))
      await new Promise<void>((resolve) => csv.once("drain", () => resolve()));
  }
  csv.end();
  await finished(csv);
  chmodSync(file, 0o644);
}
