/**
 * Adds and fills a column for a million members with `npm run migrate -- FILE --remote`, as a separate process. Each statement is a call
 * to a fake of the platform's API, and runs in workerd's D1.
 */
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FAKE_API_TOKEN, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { ROOT, runAgainst } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { unstable_splitSqlQuery } from "wrangler";
import { openBenchDatabase } from "./database.ts";
import { type BenchOptions, printGoal, printLine, round } from "./figures.ts";
import { Population } from "./population.ts";

const CHUNK_ROWS_MAX = 10_000;
const STATEMENT_SECONDS_MAX = 5;

/** Fills a column from another table, and updates a column that the triggers of the presence index watch. */
const MIGRATION = `
ALTER TABLE profile ADD COLUMN ts_joined INTEGER NOT NULL DEFAULT 0;
-- chunks of profile.id
UPDATE profile SET ts_joined = (SELECT a.ts_created FROM account a WHERE a.id = profile.id)
WHERE id > :from AND id <= :to;
-- chunks of profile.id
UPDATE profile SET height = '181 cm' WHERE id > :from AND id <= :to AND height <> '181 cm';
`;

export async function run({ members = 1_000_000 }: BenchOptions): Promise<void> {
  const now = Date.UTC(2026, 10, 20, 12);
  await using database = await openBenchDatabase(new Population().members(members), now);
  const { printed, calls, msMax, seconds } = await migrateRemotely(database.d1);
  const rowsMax = Math.max(...[...printed.matchAll(/: (\d+) rows/g)].map(([, rows]) => Number(rows)));
  printLine(`${members} members`, `${calls} calls, ${round(seconds)} s`);
  printGoal("rows in a chunk", rowsMax, CHUNK_ROWS_MAX);
  printGoal("seconds of the longest call", msMax / 1000, STATEMENT_SECONDS_MAX);
  const row = await database.d1
    .prepare("SELECT count(*) AS n FROM profile WHERE ts_joined = ? AND height = '181 cm'")
    .bind(now)
    .all<{ n: number }>();
  const shown = await database.d1
    .prepare("SELECT count(*) AS n FROM presence WHERE height = '181 cm'")
    .bind()
    .all<{ n: number }>();
  printLine("members filled, and shown so in the index", `${row.results[0]?.n}, ${shown.results[0]?.n}`);
}

async function migrateRemotely(d1: D1Database) {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bench-migration-"));
  let [calls, msMax] = [0, 0];
  const query = async (sql: string) => {
    const before = performance.now();
    const answers = await d1.batch<object>(
      unstable_splitSqlQuery(sql).map((statement) => d1.prepare(statement).bind()),
    );
    calls += 1;
    msMax = Math.max(msMax, performance.now() - before);
    return answers.map(({ results }) => results);
  };
  await using cloudflare = await startFakeCloudflare({ query });
  const { database_id } = readWranglerConfig().env.production.d1_databases[0];
  // Only the name is used, because statements run in `query` above.
  cloudflare.databases.set(database_id, {
    name: "lambda",
    location: "",
    sqlite: new DatabaseSync(":memory:"),
    replication: "auto",
  });
  const file = join(folder.path, "bench.sql");
  writeFileSync(file, MIGRATION);
  const started = performance.now();
  const command = ["node", "--disable-warning=ExperimentalWarning", "packages/tooling/src/migrate.ts", file] as const;
  const printed = await runAgainst(cloudflare, FAKE_API_TOKEN, [...command, "--remote"], ROOT);
  return { printed, calls, msMax, seconds: (performance.now() - started) / 1000 };
}
