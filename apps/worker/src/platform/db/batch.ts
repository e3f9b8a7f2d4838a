import type { Compilable, CompiledQuery } from "kysely";

/** A query that was built but not run; `Row` is what it returns. */
export type Query<Row = unknown> = Compilable<Row> | CompiledQuery<Row>;

/**
 * Runs queries as one D1 batch: one round trip and one transaction. Returns each query's rows in order; the caller states their types,
 * which kysely cannot carry through a compiled query.
 */
export async function batch<Results extends readonly unknown[][]>(
  d1: D1Database,
  queries: readonly Query[],
): Promise<Results> {
  if (queries.length === 0) return [] as unknown as Results;
  const results = await d1.batch(
    queries.map(compileQuery).map(({ sql, parameters }) => d1.prepare(sql).bind(...parameters)),
  );
  return results.map((result) => result.results) as unknown as Results;
}

export const compileQuery = (query: Query): CompiledQuery => ("compile" in query ? query.compile() : query);
