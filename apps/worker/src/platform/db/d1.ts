/**
 * What D1's bill for rows read asks of SQL, as parts of queries that kysely types; docs/SQL.md says what each saves.
 * Names of tables, aliases and indexes are constants of the code, never input.
 */
import { type AliasedRawBuilder, type Selectable, sql } from "kysely";
import type { Tables } from "./tables.ts";

/** A table read through this index: D1 keeps no statistics, so the planner may take one that reads far more. */
export function indexedBy<Table extends keyof Tables & string, Alias extends string>(
  table: Table,
  alias: Alias,
  index: string,
): AliasedRawBuilder<Selectable<Tables[Table]>, Alias> {
  return sql<Selectable<Tables[Table]>>`${sql.table(table)}`.as<Alias>(sql.raw(`${alias} indexed by ${index}`));
}

/** Numbers as a table with the column `column1`: VALUES reads no row, where `in` and json_each read one for each number. */
export function valuesOf<Alias extends string>(
  numbers: readonly number[],
  alias: Alias,
): AliasedRawBuilder<{ column1: number }, Alias> {
  return sql<{ column1: number }>`(values ${sql.join(numbers.map((number) => sql`(${number})`))})`.as(alias);
}

/** The items of a JSON list as a table, in one bound value: D1 binds 100 at most. */
export function itemsOf<Item extends number | string, Alias extends string>(
  list: readonly Item[],
  alias: Alias,
): AliasedRawBuilder<{ value: Item }, Alias> {
  return sql<{ value: Item }>`json_each(${JSON.stringify(list)})`.as(alias);
}

/** Rows as a table of the named columns, in one bound value: D1 binds 100 at most. */
export function rowsOf<Row extends object, Column extends keyof Row & string, Alias extends string>(
  rows: readonly Row[],
  columns: readonly Column[],
  alias: Alias,
): AliasedRawBuilder<Pick<Row, Column>, Alias> {
  const read = columns.map((column) => sql`value ->> ${sql.lit(column)} as ${sql.ref(column)}`);
  return sql<Pick<Row, Column>>`(select ${sql.join(read)} from json_each(${JSON.stringify(rows)}))`.as(alias);
}
