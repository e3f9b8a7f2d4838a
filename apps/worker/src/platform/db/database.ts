import { Kysely, SqliteAdapter } from "kysely";
import { D1Dialect } from "kysely-d1";
import { ReadBatcher } from "./read-batcher.ts";
import type { Tables } from "./tables.ts";

/** The query builder over D1. D1 has no interactive transactions: what must be atomic goes through batch(). */
export type Database = Kysely<Tables>;

/** For SQLite kysely queues queries on a single connection; D1 runs them concurrently. */
class D1Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ConcurrentD1Dialect extends D1Dialect {
  override createAdapter(): D1Adapter {
    return new D1Adapter();
  }
}

/** Concurrent reads share a round trip. */
export function openDatabase(d1: D1Database): Database {
  const reads = new ReadBatcher(d1);
  // The dialect uses nothing else of a database.
  const database = { prepare: (query: string) => reads.prepare(query) } as D1Database;
  return new Kysely<Tables>({ dialect: new ConcurrentD1Dialect({ database }) });
}
