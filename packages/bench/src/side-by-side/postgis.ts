/** PostGIS: a temporary cluster, queried through psql for its own timings and through a client for values. */
import { execFileSync, spawn } from "node:child_process";
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

  await writeCsv(join(directory, "members.csv"), briefs);
  const psql = spawn(...asUser(`${bin}/psql`, ["-qAtX", "-h", directory, "-p", port, "-U", "bench", "postgres"]), {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: directory,
  });
  let output = "";
  let done: (() => void) | undefined;
  psql.stdout.setEncoding("utf8");
  psql.stdout.on("data", (chunk: string) => {
    output += chunk;
    if (output.endsWith("<end>\n")) done?.();
  });
  const ask = async (sql: string) => {
    output = "";
    const answered = new Promise<void>((resolve) => {
      done = resolve;
    });
    psql.stdin.write(`${sql}\n\\echo <end>\n`);
    await answered;
    return output.trimEnd().split("\n").slice(0, -1);
  };
  await ask(`create extension postgis;
    create table member (profile_id integer primary key, key bigint, random_order bigint, profile_name text, characteristics bigint,
      birth_day integer, height text, weight text, pics_public text, ts_seen bigint, place geography(point, 4326) not null);
    \\copy member from '${join(directory, "members.csv")}' csv
    create index member_place on member using gist (place);
    create index member_flat on member using gist ((place::geometry));
    vacuum analyze member;`);
  // Our bigints are safe integers, so return them as numbers.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const client = new pg.Client({ host: directory, port: Number(port), user: "bench", database: "postgres" });
  await client.connect();
  return {
    prepare: async ({ name, from, types }: Prepared) => {
      await ask(`prepare ${name}(${types}) as select profile_id ${from};`);
    },
    /** Finds the ids, and the server's planning and execution time in milliseconds. */
    search: async (name: string, values: readonly number[]) => {
      const call = `${name}(${values.join(", ")})`;
      const ids = (await ask(`execute ${call};`)).map(Number);
      const plan = (await ask(`explain (analyze, timing off, summary on) execute ${call};`)).join("\n");
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
      psql.stdin.end();
      await new Promise((resolve) => psql.once("exit", resolve));
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
