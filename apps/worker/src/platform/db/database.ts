import {
  type AliasedRawBuilder,
  AliasNode,
  ColumnNode,
  type Compilable,
  type ExpressionOrFactory,
  type IdentifierNode,
  type Insertable,
  type InsertObject,
  Kysely,
  type OperationNode,
  type RawBuilder,
  ReferenceNode,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { createDialect } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/** The query builder over D1. D1 has no interactive transactions: what must be atomic goes through batch(). */
export type Database = Kysely<Tables>;

export const openDatabase = (d1: D1Database): Database => new Kysely<Tables>({ dialect: createDialect(d1) });

/** A query that was built but not run. `Row` is what it returns. */
export interface Query<Row = unknown> extends Compilable<Row> {
  execute(): Promise<Row[]>;
}

type RowsOf<Queries extends readonly Query[]> = {
  -readonly [Index in keyof Queries]: Queries[Index] extends Query<infer Row> ? Row[] : never;
};

/** Runs queries as one D1 batch: one round trip and one transaction. Returns each query's rows in order. */
export async function batch<const Queries extends readonly Query[]>(
  d1: D1Database,
  queries: Queries,
): Promise<RowsOf<Queries>> {
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

/**
 * A query that aborts its whole batch unless `condition` holds: D1 batches are transactions but cannot branch. SQLite then raises
 * "malformed JSON", which `isGuardFailure` recognizes.
 */
export function guardQuery(db: Database, condition: RawBuilder<boolean>): Query {
  return db.selectNoFrom(sql<number>`case when ${condition} then 1 else json('guard') end`.as("held"));
}

export const isGuardFailure = (error: unknown): boolean => /malformed JSON/.test(String(error));

/** Whether a batch was run; false if one of its guards failed, as somebody else was faster. */
export async function passesGuards(run: Promise<unknown>): Promise<boolean> {
  try {
    await run;
    return true;
  } catch (error) {
    if (isGuardFailure(error)) return false;
    throw error;
  }
}

/** Concurrent writers cause retries; more than this many in a row is a bug. */
const ATTEMPTS_MAX = 8;

/** Reads and writes anew whenever somebody else's write came in between. */
export async function retryIfOvertaken<Result>(
  attempt: () => Promise<Result>,
  isOvertaken: (error: unknown) => boolean = isGuardFailure,
): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (count === ATTEMPTS_MAX || !isOvertaken(error)) throw error;
    }
  }
}

// Typed query fragments that reduce the rows D1 bills; docs/SQL.md says what each saves. Names of tables, aliases and indexes must be
// constants, never input.

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

/** An insert of what a query selects, each value into the column of its name, together with values or expressions that are the same in all rows. */
export function insertFrom<
  Table extends keyof Tables & string,
  Source,
  Sources extends keyof Source,
  Selected extends Partial<Insertable<Tables[Table]>>,
>(
  db: Database,
  table: Table,
  query: SelectQueryBuilder<Source, Sources, Selected>,
  values: Omit<InsertObject<Tables, Table>, keyof Selected>,
) {
  const selection = query.select(Object.entries(values).map(([column, value]) => sql`${value}`.as(column)));
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
  row: InsertObject<Tables, Table>,
  condition: ExpressionOrFactory<Tables, never, SqlBool>,
) {
  return insertFrom(db, table, db.selectNoFrom([]).where(condition), row);
}
