/** Statements for the metrics object's own SQLite storage, which kysely cannot use. */
import type { Counts, Minute } from "../objects.ts";
import { mergeCounts } from "./merge.ts";

/** The table: one row per minute or per hour. */
export type Grain = "minute" | "hour";

export function createTables(sql: SqlStorage): void {
  for (const grain of ["minute", "hour"])
    sql.exec(`CREATE TABLE IF NOT EXISTS ${grain} (ts INTEGER PRIMARY KEY, counts TEXT NOT NULL)`);
}

export function readRows(sql: SqlStorage, grain: Grain, from: number, until = Number.MAX_SAFE_INTEGER): Minute[] {
  return sql
    .exec<{ ts: number; counts: string }>(
      `SELECT ts, counts FROM ${grain} WHERE ts >= ? AND ts < ? ORDER BY ts`,
      from,
      until,
    )
    .toArray()
    .map(({ ts, counts }) => ({ ts, counts: JSON.parse(counts) as Counts }));
}

export function addToRow(sql: SqlStorage, grain: Grain, ts: number, counts: Counts): void {
  const [row] = readRows(sql, grain, ts, ts + 1);
  const merged = JSON.stringify(mergeCounts(row?.counts ?? {}, counts));
  sql.exec(`INSERT OR REPLACE INTO ${grain} (ts, counts) VALUES (?, ?)`, ts, merged);
}

/** Null if there is none. */
export function latestHour(sql: SqlStorage): number | null {
  return sql.exec<{ ts: number | null }>("SELECT max(ts) AS ts FROM hour").one().ts;
}

export function deleteBefore(sql: SqlStorage, grain: Grain, ts: number): void {
  sql.exec(`DELETE FROM ${grain} WHERE ts < ?`, ts);
}
