/** Compares database schemas, ignoring the order of columns and whitespace. */
import { DatabaseSync } from "node:sqlite";

/** Internal objects of SQLite, the platform and migrations. */
const INTERNAL = /^(?:sqlite_|_cf_|migration_)/;

export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** Lists all schema objects; also works on a remote database. */
export const SCHEMA_OBJECTS_QUERY = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL";

/** Comparable descriptions by name: tables by columns and constraints, everything else by its SQL. */
export function describeObjects(objects: readonly SchemaObject[]): Map<string, string> {
  const ours = objects.filter(({ name }) => !INTERNAL.test(name));
  using database = new DatabaseSync(":memory:");
  const tables = ours.filter(({ type }) => type === "table");
  for (const { sql } of tables) database.exec(sql);
  return new Map([
    ...tables.map(({ name, sql }) => [`table ${name}`, describeTable(database, name, sql)] as const),
    ...ours
      .filter(({ type }) => type !== "table")
      .map(({ type, name, sql }) => [`${type} ${name}`, normalizeSql(sql)] as const),
  ]);
}

/** Like describeObjects, for the text of a schema. */
export function describeSchema(schema: string): Map<string, string> {
  using database = new DatabaseSync(":memory:");
  database.exec(schema);
  return describeObjects(database.prepare(SCHEMA_OBJECTS_QUERY).all() as unknown as SchemaObject[]);
}

/** Names of the objects that differ or exist in only one of the two. */
export function diffSchemas(actual: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): string[] {
  const names = new Set([...expected.keys(), ...actual.keys()]);
  return [...names].filter((name) => actual.get(name) !== expected.get(name));
}

/** Sorts columns by name, because migrations append columns at the end. */
function describeTable(database: DatabaseSync, table: string, sql: string): string {
  const query = (sql: string) => database.prepare(sql).all(table);
  return JSON.stringify([
    query('SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY name'),
    query('SELECT "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?) ORDER BY 1, 2, 3'),
    query("SELECT wr, strict FROM pragma_table_list(?)"),
    checksOf(normalizeSql(sql)).toSorted(),
  ]);
}

/** The conditions of a table's CHECK constraints, which no pragma returns. */
function checksOf(sql: string): string[] {
  const checks: string[] = [];
  for (const { index } of sql.matchAll(/\bCHECK \(/gi)) {
    const start = sql.indexOf("(", index);
    let depth = 0;
    let end = start;
    do {
      if (sql[end] === "(") depth += 1;
      if (sql[end] === ")") depth -= 1;
      end += 1;
    } while (depth > 0 && end < sql.length);
    checks.push(sql.slice(start, end));
  }
  return checks;
}

function normalizeSql(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, "")
    .replace(/\bIF NOT EXISTS /gi, "")
    .replace(/\s+/g, " ")
    .trim();
}
