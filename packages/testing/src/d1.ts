import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Row, RunSql } from "./sql.ts";

export interface BoundStatement {
  readonly query: string;
  readonly values: readonly unknown[];
}

export interface Answer {
  readonly results: readonly Row[];
  readonly meta?: object;
}

/**
 * The part of D1 that the worker and its tests use, over whatever runs statements. Several statements that come together are one
 * transaction.
 */
export function d1Over(run: (statements: readonly BoundStatement[]) => Promise<readonly Answer[]>): D1Database {
  const bound = new WeakMap<object, BoundStatement>();
  const prepare = (query: string, values: readonly unknown[] = []): D1PreparedStatement => {
    const all = async () => resultOf((await run([{ query, values }]))[0]);
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
      (await run(statements.map((statement) => bound.get(statement)!))).map((answer) => resultOf(answer)),
  } as unknown as D1Database;
}

function resultOf({ results, meta = { changes: 0, last_row_id: 0 } }: Answer = { results: [] }): D1Result<Row> {
  return { results, success: true, meta } as D1Result<Row>;
}

export interface SqliteOptions {
  /** Stands around each statement, to watch or to time it. */
  readonly around?: (statement: BoundStatement, execute: () => readonly Row[]) => readonly Row[];
  /** Compiled statements that are kept. */
  readonly statementsMax?: number;
}

/** D1 over a database of node:sqlite, for what asks far more often than workerd would bear. */
export function d1OverSqlite(
  sqlite: DatabaseSync,
  { around = (_, execute) => execute(), statementsMax = 500 }: SqliteOptions = {},
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
  const execute = (statement: BoundStatement): Answer => ({
    results: around(statement, () => compile(statement.query).all(...(statement.values as SQLInputValue[]))),
  });
  return d1Over(async (statements) => {
    if (statements.length === 1) return statements.map(execute);
    sqlite.exec("BEGIN");
    try {
      const answers = statements.map(execute);
      sqlite.exec("COMMIT");
      return answers;
    } catch (error) {
      sqlite.exec("ROLLBACK");
      throw error;
    }
  });
}

export function runOn(d1: D1Database): RunSql {
  return runOnEach(new Map([[0, d1]]));
}

/** Statements of each database are a transaction of it. */
export function runOnEach(databases: ReadonlyMap<number, D1Database>): RunSql {
  return async (...statements) => {
    const answers: Row[][] = [];
    for (const number of new Set(statements.map(({ database = 0 }) => database))) {
      const d1 = databases.get(number);
      if (!d1) throw new Error(`no database ${number}`);
      const own = [...statements.entries()].filter(([, { database = 0 }]) => database === number);
      const prepared = own.map(([, { query, values = [] }]) => d1.prepare(query).bind(...values));
      const results = await d1.batch<Row>(prepared);
      for (const [at, [place]] of own.entries()) answers[place] = results[at]?.results ?? [];
    }
    return answers;
  };
}
