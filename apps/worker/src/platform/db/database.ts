import { Kysely, SqliteAdapter } from "kysely";
import { D1Dialect } from "kysely-d1";
import { GatheredReads } from "./gathered-reads.ts";
import type { Tables } from "./tables.ts";

/** The query builder over D1. It has no transactions: what must be atomic goes through batch(). */
export type Database = Kysely<Tables>;

/** SQLite in a process has one connection, for which kysely makes queries wait; D1 takes them side by side. */
class D1Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SideBySideDialect extends D1Dialect {
  override createAdapter(): D1Adapter {
    return new D1Adapter();
  }
}

/** Reads that are asked at the same moment share a round trip. */
export function openDatabase(d1: D1Database): Database {
  const reads = new GatheredReads(d1);
  // Of a database the dialect uses this alone.
  const database = { prepare: (query: string) => reads.prepare(query) } as D1Database;
  return new Kysely<Tables>({ dialect: new SideBySideDialect({ database }) });
}
