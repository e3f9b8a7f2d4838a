import { Kysely } from "kysely";
import { D1Dialect } from "kysely-d1";
import type { Tables } from "./tables.ts";

/** The query builder over D1. It has no transactions: what must be atomic goes through batch(). */
export type Database = Kysely<Tables>;

export function openDatabase(d1: D1Database): Database {
  return new Kysely<Tables>({ dialect: new D1Dialect({ database: d1 }) });
}
