/** Our queries on SQLite in this process, where its time can be measured without a round trip. */
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pointOfKey } from "@lambda/geo/curve";
import type { Point } from "@lambda/geo/distance";
import { createSqliteD1 } from "@lambda/testing/d1";
import { openDatabase } from "@lambda/worker/database";
import type { NearestPage } from "@lambda/worker/nearest";
import { fillDatabase } from "../database.ts";
import type { BenchMember } from "../population.ts";

export type FoundRow = NearestPage["members"][number]["row"];

/** A member as returned by a search, with their location. */
export interface Brief {
  readonly row: FoundRow;
  readonly point: Point;
}

export function openOurs(list: readonly BenchMember[], now: number) {
  const folder = mkdtempDisposableSync(join(tmpdir(), "bench-ours-"));
  const file = join(folder.path, "members.sqlite");
  fillDatabase(file, list, now);
  const sqlite = new DatabaseSync(file);
  sqlite.exec("PRAGMA cache_size = -262144; PRAGMA mmap_size = 1073741824");
  let engineMs = 0;
  let isTimed = false;
  // Statements stay prepared, as in PostGIS here and in workerd.
  const sums = new Map<string, StatementSync>();
  const timeAlone = (sql: string, values: readonly SQLInputValue[]) => {
    const found = sql.includes("squares") ? "length(squares) + ifnull(length(next_squares), 0)" : "profile_id";
    const statement = sums.get(sql) ?? sqlite.prepare(`SELECT sum(${found}) FROM (${sql})`);
    sums.set(sql, statement);
    const started = performance.now();
    statement.get(...values);
    engineMs += performance.now() - started;
  };
  const d1 = createSqliteD1(sqlite, {
    intercept: ({ query, values }, execute) => {
      const rows = execute();
      if (isTimed) timeAlone(query, values as SQLInputValue[]);
      return rows;
    },
  });
  return {
    d1,
    db: openDatabase(d1),
    /** Measures the milliseconds to find the ids, and of the whole call until its rows are objects. */
    time: async <T>(act: () => Promise<T>) => {
      engineMs = 0;
      isTimed = true;
      const started = performance.now();
      const value = await act();
      isTimed = false;
      return { value, engineMs, wholeMs: performance.now() - started - engineMs };
    },
    *briefs(): Generator<Brief> {
      const rows = sqlite.prepare(
        `select profile_id, key, random_order, profile_name, characteristics, birth_day, height, weight, pics_public, ts_seen
         from presence`,
      );
      for (const found of rows.iterate()) {
        const row = found as unknown as FoundRow;
        yield { row, point: pointOfKey(row.key) };
      }
    },
    [Symbol.dispose]: () => {
      sqlite.close();
      folder.remove();
    },
  };
}
