import { spend } from "../spend.ts";

/** The database cost of a request or run: D1 round trips and billed rows. */
export interface DatabaseCost {
  trips: number;
  rowsRead: number;
  rowsWritten: number;
}

/**
 * Wraps a D1 database so that every call adds to `cost`, for the metrics and, in development, for the x-d1-* response headers that tests
 * check against the budget of each route.
 *
 * @param chargesRequest whether the request that asks pays for the rows
 */
export function meterDatabase(d1: D1Database, cost: DatabaseCost, chargesRequest = false): D1Database {
  const count = (meta: D1Meta | undefined) => {
    const { rows_read: read = 0, rows_written: written = 0 } = meta ?? {};
    cost.rowsRead += read;
    cost.rowsWritten += written;
    spend("D1 rows read", read, chargesRequest);
    spend("D1 rows written", written, chargesRequest);
  };
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const meterStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const run = async () => {
      cost.trips += 1;
      const result = await statement.all();
      count(result.meta as D1Meta);
      return result;
    };
    const metered = {
      bind: (...values: unknown[]) => meterStatement(statement.bind(...values)),
      all: run,
      run,
    } as D1PreparedStatement;
    originals.set(metered, statement);
    return metered;
  };
  return {
    prepare: (query: string) => meterStatement(d1.prepare(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      cost.trips += 1;
      const results = await d1.batch(statements.map((statement) => originals.get(statement) ?? statement));
      for (const result of results) count(result.meta as D1Meta);
      return results;
    },
    withSession: (constraint?: D1SessionConstraint) => d1.withSession(constraint),
  } as D1Database;
}
