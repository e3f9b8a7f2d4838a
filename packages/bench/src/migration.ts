/** A column that is added and filled on a million members, by the runner that production uses, under workerd's D1. */
import { parseMigration, runMigration } from "../../tooling/src/migration.ts";
import { openBenchDatabase } from "./database.ts";
import { goal, line, round } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { Population } from "./population.ts";

const CHUNK_ROWS_MAX = 10_000;
const STATEMENT_SECONDS_MAX = 5;

/** Fills from another table, and touches what the triggers of the presence index watch. */
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
  const database = await openBenchDatabase(new Population().members(members), now);
  try {
    let [statements, rowsMax, msMax] = [0, 0, 0];
    const started = performance.now();
    await runMigration(
      "bench.sql",
      parseMigration(MIGRATION),
      async (sql, note) => {
        const before = performance.now();
        const { results } = await database.d1.prepare(sql).bind().all<Record<string, unknown>>();
        if (note) await database.d1.prepare(note).bind().all();
        statements += 1;
        msMax = Math.max(msMax, performance.now() - before);
        return results;
      },
      ({ rows }) => {
        rowsMax = Math.max(rowsMax, rows);
      },
    );
    line(`${members} members`, `${statements} statements, ${round((performance.now() - started) / 1000)} s`);
    goal("rows in a chunk", rowsMax, CHUNK_ROWS_MAX);
    goal("seconds of the longest statement", msMax / 1000, STATEMENT_SECONDS_MAX);
    const row = await database.d1
      .prepare("SELECT count(*) AS n FROM profile WHERE ts_joined = ? AND height = '181 cm'")
      .bind(now)
      .all<{ n: number }>();
    const shown = await database.d1
      .prepare("SELECT count(*) AS n FROM presence WHERE height = '181 cm'")
      .bind()
      .all<{ n: number }>();
    line("members filled, and shown so in the index", `${row.results[0]?.n}, ${shown.results[0]?.n}`);
  } finally {
    await database.close();
  }
}
