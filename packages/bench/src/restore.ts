/**
 * Dumps a database of a million members to SQL, restores it into an empty one, and compares the checksums of all tables. First does the
 * same with few members through `wrangler d1 export` and `execute`, whose file must be identical to the one written here.
 */
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FAKE_API_TOKEN, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { runAgainst, wrangler } from "@lambda/testing/site";
import { dumpDatabase, dumpStatements, restoreDump, tableChecksums } from "@lambda/tooling/database-dump";
import { openAccount } from "../../tooling/src/account/client.ts";
import { createDatabase } from "../../tooling/src/account/resources.ts";
import { isMessageDatabase } from "../../tooling/src/local-database.ts";
import { fillDatabase } from "./database.ts";
import { type BenchOptions, printGoal, printLine, round } from "./figures.ts";
import { Population } from "./population.ts";

const GOAL_MINUTES = 10;
const FEW = 300;
/** The part of wrangler.toml that identifies the local database. */
const CONFIGURATION = {
  name: "lambda",
  compatibility_date: "2026-10-01",
  d1_databases: [{ binding: "DB", database_name: "lambda", database_id: "00000000-0000-0000-0000-000000000000" }],
};

/** Creates a database from schema.sql, with members and their history. */
export function makeMembers(file: string, members: number): void {
  const now = Date.UTC(2026, 10, 20, 12);
  fillDatabase(file, new Population().members(members), now);
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA synchronous = OFF; BEGIN;
    WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${members})
    INSERT INTO session (token_hash, account_id, brand, device_label, ts_created, ts_last_used, ts_expires)
    SELECT randomblob(32), id, 'ember', 'Phone', ${now}, ${now}, ${now + 1e9} FROM n;
    INSERT INTO profile_like (liker_id, liked_id, like_type, ts_created)
    SELECT id, 1 + id % ${members}, 'LIKE', ${now} FROM profile;
    INSERT INTO message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
    SELECT id, 1 + id % ${members}, min(id, 1 + id % ${members}), max(id, 1 + id % ${members}), 'client-' || id,
      'It''s number ' || id || char(10) || 'and "good" evening', 'ember', ${now} FROM profile;
    UPDATE profile SET description = 'Coffee,' || char(13) || char(10) || 'long walks 🏳️‍🌈' WHERE id % 10 = 0;
    COMMIT`);
  db.close();
}

interface Comparison {
  readonly tables: number;
  readonly rows: number;
  readonly different: string[];
}

function compare(one: string, other: string): Comparison {
  const [before, after] = [tableChecksums(one), tableChecksums(other)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return {
    tables: names.size,
    rows: [...before.values()].reduce((sum, { rows }) => sum + rows, 0),
    different: [...names].filter((name) => before.get(name)?.sha256 !== after.get(name)?.sha256),
  };
}

function databaseIn(state: string): string {
  const files = readdirSync(state, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sqlite") && path.includes("d1") && !path.includes("metadata"))
    .map((path) => join(state, path));
  const main = files.find((file) => !isMessageDatabase(file));
  if (!main) throw new Error("no database file");
  return main;
}

/** Runs the commands of docs/OPERATIONS.md with few members. Returns the comparison, and whether both dump files are identical. */
function restoreByWrangler(directory: string, members: number): Comparison & { readonly sameFile: boolean } {
  const [from, to, file] = ["from", "to", "dump.sql"].map((name) => join(directory, name)) as [string, string, string];
  // `d1 export` has no --persist-to; it uses the state next to the configuration.
  const state = join(from, ".wrangler/state");
  wrangler(["d1", "execute", "lambda", "--local", "--persist-to", state, "--yes", "--file", "schema.sql"]);
  writeFileSync(join(from, "wrangler.json"), JSON.stringify(CONFIGURATION));
  makeMembers(databaseIn(state), members);
  wrangler(["d1", "export", "lambda", "--local", "--cwd", from, "--output", file]);
  wrangler(["d1", "execute", "lambda", "--local", "--persist-to", to, "--yes", "--file", file]);
  const db = new DatabaseSync(databaseIn(state), { readOnly: true });
  const own = [...dumpStatements(db)].join("\n");
  db.close();
  return { ...compare(databaseIn(state), databaseIn(to)), sameFile: own.trim() === readFileSync(file, "utf8").trim() };
}

/**
 * Runs the operator's command, which uploads the file and waits until the platform has executed it. The platform is a local fake with
 * SQLite, so the figure does not include the real network and disk.
 */
async function restoreRemotely(
  directory: string,
  dump: string,
  target: string,
): Promise<{ readonly minutes: number; readonly computing: number }> {
  let cpu = { user: 0, system: 0 };
  const importFile = async (file: string) => {
    const before = process.cpuUsage();
    await restoreDump(file, target);
    cpu = process.cpuUsage(before);
  };
  await using cloudflare = await startFakeCloudflare({ importFile });
  const account = await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base, account: cloudflare.account });
  await createDatabase(account, "lambda-restored", "weur");
  const started = performance.now();
  const command = ["d1", "execute", "lambda-restored", "--remote", "--yes", "--file", dump] as const;
  // Without a configuration, because a new database is not part of any.
  const cwd = join(directory, "elsewhere");
  mkdirSync(cwd);
  await runAgainst(cloudflare, FAKE_API_TOKEN, ["wrangler", ...command], cwd);
  return { minutes: (performance.now() - started) / 60_000, computing: (cpu.user + cpu.system) / 6e7 };
}

export async function run({ members = 1_000_000 }: BenchOptions): Promise<void> {
  using directory = mkdtempDisposableSync(join(tmpdir(), "bench-restore-"));
  const few = restoreByWrangler(directory.path, FEW);
  printLine(`${FEW} members by wrangler d1 export and execute`, `${few.tables} tables, ${few.rows} rows`);
  printLine("  tables whose checksum differs", few.different.join(", ") || "none");
  printLine("  the file is identical to the one written here", String(few.sameFile));

  const [from, dump, to] = ["from.sqlite", "dump.sql", "to.sqlite"].map((name) => join(directory.path, name)) as [
    string,
    string,
    string,
  ];
  makeMembers(from, members);
  const started = performance.now();
  const bytes = dumpDatabase(dump, from);
  printLine(
    `${members} members exported`,
    `${round(bytes / 1e6)} MB, ${round((performance.now() - started) / 1000)} s`,
  );
  const { minutes, computing } = await restoreRemotely(directory.path, dump, to);
  printGoal("minutes of wrangler d1 execute --remote --file", minutes, GOAL_MINUTES);
  printLine("  of which CPU time of the database", `${round(computing)} minutes`);
  const { tables, rows, different } = compare(from, to);
  printLine("  tables and rows compared", `${tables}, ${rows}`);
  printLine("  tables whose checksum differs", different.join(", ") || "none");
}
