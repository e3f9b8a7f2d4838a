/** PostGIS: a cluster of our own in a temporary directory, asked through one psql that stays open. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, createWriteStream, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { freePort } from "@lambda/testing/site";

export interface Postgis {
  /** Sends statements and answers the lines that they print. */
  ask(sql: string): Promise<string[]>;
  close(): Promise<void>;
}

/** PostgreSQL refuses to run as root; Debian brings a user for it. */
function asUser(command: string, args: readonly string[]): [string, string[]] {
  return process.getuid?.() === 0 ? ["runuser", ["-u", "postgres", "--", command, ...args]] : [command, [...args]];
}

export async function openPostgis(rows: Iterable<{ id: number; lat: number; lon: number }>): Promise<Postgis> {
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

  const csv = createWriteStream(join(directory, "members.csv"));
  for (const { id, lat, lon } of rows) {
    if (!csv.write(`${id},SRID=4326;POINT(${lon} ${lat})\n`))
      await new Promise<void>((resolve) => csv.once("drain", () => resolve()));
  }
  csv.end();
  await finished(csv);
  chmodSync(join(directory, "members.csv"), 0o644);

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
    create table member (id integer primary key, place geography(point, 4326) not null);
    \\copy member from '${join(directory, "members.csv")}' csv
    create index member_place on member using gist (place);
    create index member_flat on member using gist ((place::geometry));
    vacuum analyze member;`);
  return {
    ask,
    close: async () => {
      psql.stdin.end();
      await new Promise((resolve) => psql.once("exit", resolve));
      run("pg_ctl", ["-D", data, "-m", "immediate", "stop"]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
