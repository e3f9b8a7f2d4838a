import type { CompiledQuery } from "kysely";

/** A query that was built but not run, from `.compile()` or anything with the same two fields. */
export type Compiled = Pick<CompiledQuery, "sql" | "parameters">;

/**
 * Runs queries as one D1 batch: one round trip and one transaction. Returns each query's rows in order; the caller states their types,
 * which kysely cannot carry through a compiled query.
 */
export async function batch<Results extends readonly unknown[][]>(
  d1: D1Database,
  queries: readonly Compiled[],
): Promise<Results> {
  if (queries.length === 0) return [] as unknown as Results;
  const results = await d1.batch(queries.map((query) => d1.prepare(query.sql).bind(...query.parameters)));
  return results.map((result) => result.results) as unknown as Results;
}
