/** Compares database schemas, ignoring the order of columns and whitespace. */
import { DatabaseSync } from "node:sqlite";
import type { RunStatement } from "./migration.ts";

/** Internal objects of SQLite, the platform and migrations. */
const INTERNAL = /^(?:sqlite_|_cf_|migration_)/;

/** Tables first. */
const OBJECTS_QUERY = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type <> 'table', rowid";

/** Names of the objects in which a database, which may be a remote one, differs from a schema: its text, or a database made from it. */
export async function listSchemaDifferences(run: RunStatement, schema: string | DatabaseSync): Promise<string[]> {
  using ofText = new DatabaseSync(":memory:");
  if (typeof schema === "string") ofText.exec(schema);
  const expected = describeObjects((typeof schema === "string" ? ofText : schema).prepare(OBJECTS_QUERY).all());
  const actual = describeObjects(await run(OBJECTS_QUERY));
  const names = new Set([...expected.keys(), ...actual.keys()]);
  return [...names].filter((name) => actual.get(name) !== expected.get(name));
}

/** Comparable descriptions by name: tables by columns and constraints, everything else by its SQL. */
function describeObjects(rows: readonly Record<string, unknown>[]): Map<string, string> {
  const objects = (rows as readonly Record<"type" | "name" | "sql", string>[]).filter(
    ({ name }) => !INTERNAL.test(name),
  );
  using database = new DatabaseSync(":memory:");
  for (const { type, sql } of objects) if (type === "table") database.exec(sql);
  return new Map(
    objects.map(({ type, name, sql }) => [
      `${type} ${name}`,
      type === "table" ? describeTable(database, name, sql) : normalizeSql(sql),
    ]),
  );
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
