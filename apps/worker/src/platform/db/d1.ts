/**
 * Typed query fragments that reduce the rows D1 bills; docs/SQL.md says what each saves. Names of tables, aliases and indexes must be
 * constants, never input.
 */
import {
  type AliasedRawBuilder,
  AliasNode,
  ColumnNode,
  type ExpressionOrFactory,
  type IdentifierNode,
  type Insertable,
  type OperationNode,
  type RawBuilder,
  ReferenceNode,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
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

/** An insert of what a query selects, each value into the column of its name, together with values that are the same in all rows. */
export function insertFrom<
  Table extends keyof Tables & string,
  Source,
  Sources extends keyof Source,
  Selected extends Partial<Insertable<Tables[Table]>>,
>(
  db: Database,
  table: Table,
  query: SelectQueryBuilder<Source, Sources, Selected>,
  values: Omit<Insertable<Tables[Table]>, keyof Selected>,
) {
  const selection = query.select(Object.entries(values).map(([column, value]) => sql.val(value).as(column)));
  const columns = selection.toOperationNode().selections?.map((node) => nameOf(node.selection)) ?? [];
  return db
    .insertInto(table)
    .columns(columns as (keyof Tables[Table] & string)[])
    .expression(selection);
}

function nameOf(node: OperationNode): string {
  if (AliasNode.is(node)) return nameOf(node.alias);
  return ReferenceNode.is(node) || ColumnNode.is(node) ? nameOf(node.column) : (node as IdentifierNode).name;
}

/** An insert of a row that happens only under a condition. */
export function insertIf<Table extends keyof Tables & string>(
  db: Database,
  table: Table,
  row: Insertable<Tables[Table]>,
  condition: ExpressionOrFactory<Tables, never, SqlBool>,
) {
  return insertFrom(db, table, db.selectNoFrom([]).where(condition), row);
}
