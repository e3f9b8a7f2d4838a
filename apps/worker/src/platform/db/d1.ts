/**
 * Typed query fragments that reduce the rows D1 bills; docs/SQL.md says what each saves. Names of tables, aliases and indexes must be
 * constants, never input.
 */
import { type AliasedRawBuilder, type RawBuilder, type Selectable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./tables.ts";

/** A table read through this index: D1 keeps no statistics, so the planner may choose an index that reads far more rows. */
export function indexedBy<Table extends keyof Tables & string, Alias extends string>(
  table: Table,
  alias: Alias,
  index: string,
): AliasedRawBuilder<Selectable<Tables[Table]>, Alias> {
  return sql<Selectable<Tables[Table]>>`${sql.table(table)}`.as<Alias>(sql.raw(`${alias} indexed by ${index}`));
}

/** Numbers as a table with the column `column1`: VALUES reads no rows, while `in` and json_each read one per number. */
export function valuesOf<Alias extends string>(numbers: readonly number[], alias: Alias) {
  return sql<{ column1: number }>`(values ${sql.join(numbers.map((number) => sql`(${number})`))})`.as(alias);
}

/** List items as a table with the column `value`, in one bound parameter, of which D1 allows 100. */
export function itemsOf<Item extends number | string, Alias extends string>(list: readonly Item[], alias: Alias) {
  return sql<{ value: Item }>`json_each(${JSON.stringify(list)})`.as(alias);
}

/** Rows as a table of the named columns, in one bound parameter, of which D1 allows 100. */
export function rowsOf<Row extends object, Column extends keyof Row & string, Alias extends string>(
  rows: readonly Row[],
  columns: readonly Column[],
  alias: Alias,
): AliasedRawBuilder<Pick<Row, Column>, Alias> {
  const selected = columns.map((column) => sql`value ->> ${sql.lit(column)} as ${sql.ref(column)}`);
  return sql<Pick<Row, Column>>`(select ${sql.join(selected)} from json_each(${JSON.stringify(rows)}))`.as(alias);
}

/**
 * A fragment of text with values for the names in it, as in "$now": with the values in its text, a statement would be compiled anew at each
 * call, which takes longer than most take to run.
 */
export function bindNames(text: string, values: Readonly<Record<string, number>>): RawBuilder<boolean> {
  const parts = text.split(/\$(\w+)/).map((part, index) => (index % 2 === 0 ? sql.raw(part) : sql`${values[part]}`));
  return sql<boolean>`${sql.join(parts, sql``)}`;
}

/** A row as a selection from no table, for an insert that happens only under the conditions that the caller adds to it. */
export function selectRow<Row extends object>(db: Database, row: Row) {
  const columns = Object.keys(row) as (keyof Row & string)[];
  return { columns, selection: db.selectNoFrom(columns.map((column) => sql.val(row[column]).as(column))) };
}
