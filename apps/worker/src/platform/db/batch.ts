import type { Compilable, RawBuilder } from "kysely";
import type { Database } from "./database.ts";

/** A query that was built but not run. `Row` is what it returns. */
export interface Query<Row = unknown> extends Compilable<Row> {
  execute(): Promise<Row[]>;
}

type RowsOf<Queries extends readonly Query[]> = {
  -readonly [Index in keyof Queries]: Queries[Index] extends Query<infer Row> ? Row[] : never;
};

/** Runs queries as one D1 batch: one round trip and one transaction. Returns each query's rows in order. */
export async function batch<const Queries extends readonly Query[]>(d1: D1Database, queries: Queries) {
  if (queries.length === 0) return [] as unknown as RowsOf<Queries>;
  const compiled = queries.map((query) => query.compile());
  const results = await d1.batch(compiled.map(({ sql, parameters }) => d1.prepare(sql).bind(...parameters)));
  return results.map((result) => result.results) as unknown as RowsOf<Queries>;
}

/** A statement in SQL as a query. */
export function rawQuery<Row>(db: Database, statement: RawBuilder<Row>): Query<Row> {
  return {
    compile: () => statement.compile(db),
    execute: async () => (await statement.execute(db)).rows,
  };
}

/** Whether a query finds a row, or a change returns one. */
export async function hasRow(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}
