import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Row, RunSql } from "./sql.ts";

export interface BoundStatement {
  readonly query: string;
  readonly values: readonly unknown[];
}

export interface StatementResult {
  readonly results: readonly Row[];
  readonly meta?: object;
}

/**
 * Implements the part of D1's interface that the worker and its tests use. `run` executes the given statements as one
 * transaction.
 */
export function createD1(
  run: (statements: readonly BoundStatement[]) => Promise<readonly StatementResult[]>,
): D1Database {
  const bound = new WeakMap<object, BoundStatement>();
  const prepare = (query: string, values: readonly unknown[] = []): D1PreparedStatement => {
    const all = async () => toD1Result((await run([{ query, values }]))[0]);
    const statement = {
      bind: (...next: unknown[]) => prepare(query, next),
      all,
      run: all,
      first: async (column?: string) => {
        const [row] = (await all()).results;
        if (row === undefined) return null;
        return column === undefined ? row : (row[column] ?? null);
      },
    } as unknown as D1PreparedStatement;
    bound.set(statement, { query, values });
    return statement;
  };
  return {
    prepare: (query: string) => prepare(query),
    batch: async (statements: D1PreparedStatement[]) =>
      (await run(statements.map((statement) => bound.get(statement)!))).map((result) => toD1Result(result)),
  } as unknown as D1Database;
}

function toD1Result(
  { results, meta = { changes: 0, last_row_id: 0 } }: StatementResult = { results: [] },
): D1Result<Row> {
  return { results, success: true, meta } as D1Result<Row>;
}

export interface SqliteOptions {
  /** Wraps the execution of each statement, to observe or time it. */
  readonly intercept?: (statement: BoundStatement, execute: () => readonly Row[]) => readonly Row[];
  /** How many compiled statements to cache. */
  readonly statementsMax?: number;
}

/** D1's interface on a node:sqlite database, for tests and benches with more queries than workerd can handle. */
export function createSqliteD1(
  sqlite: DatabaseSync,
  { intercept = (_, execute) => execute(), statementsMax = 500 }: SqliteOptions = {},
): D1Database {
  const compiled = new Map<string, StatementSync>();
  const compile = (query: string): StatementSync => {
    const known = compiled.get(query);
    if (known) return known;
    if (compiled.size >= statementsMax) compiled.clear();
    const statement = sqlite.prepare(query);
    compiled.set(query, statement);
    return statement;
  };
  const execute = (statement: BoundStatement): StatementResult => ({
    results: intercept(statement, () => compile(statement.query).all(...(statement.values as SQLInputValue[]))),
  });
  return createD1(async (statements) => {
    if (statements.length === 1) return statements.map(execute);
    sqlite.exec("BEGIN");
    try {
      const results = statements.map(execute);
      sqlite.exec("COMMIT");
      return results;
    } catch (error) {
      sqlite.exec("ROLLBACK");
      throw error;
    }
  });
}

/** Runs statements on several databases, by number; those of each database are one transaction. */
export function createRunSqlForDatabases(databases: ReadonlyMap<number, D1Database>): RunSql {
  return async (...statements) => {
    const rows: Row[][] = [];
    for (const number of new Set(statements.map(({ database = 0 }) => database))) {
      const d1 = databases.get(number);
      if (!d1) throw new Error(`no database ${number}`);
      const ownStatements = [...statements.entries()].filter(([, { database = 0 }]) => database === number);
      const prepared = ownStatements.map(([, { query, values = [] }]) => d1.prepare(query).bind(...values));
      const results = await d1.batch<Row>(prepared);
      for (const [at, [index]] of ownStatements.entries()) rows[index] = results[at]?.results ?? [];
    }
    return rows;
  };
}
