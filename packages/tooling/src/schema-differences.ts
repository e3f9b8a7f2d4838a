/** Compares what databases are made of, whatever order their columns came in and however their text is spaced. */
import { DatabaseSync } from "node:sqlite";

/** What the schema's makers and the platform keep for themselves. */
const NOT_OURS = /^(?:sqlite_|_cf_|migration_)/;

export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** Reads what `sqlite_master` has; it also runs on a remote database. */
export const OBJECTS = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL";

/** Tables by their columns and rules, everything else by its text; from any database, by what its `sqlite_master` says. */
export function describeObjects(objects: readonly SchemaObject[]): Map<string, string> {
  const ours = objects.filter(({ name }) => !NOT_OURS.test(name));
  const database = new DatabaseSync(":memory:");
  try {
    const tables = ours.filter(({ type }) => type === "table");
    for (const { sql } of tables) database.exec(sql);
    return new Map([
      ...tables.map(({ name, sql }) => [`table ${name}`, describeTable(database, name, sql)] as const),
      ...ours
        .filter(({ type }) => type !== "table")
        .map(({ type, name, sql }) => [`${type} ${name}`, bare(sql)] as const),
    ]);
  } finally {
    database.close();
  }
}

/** Of a schema's text. */
export function describeSchema(schema: string): Map<string, string> {
  const database = new DatabaseSync(":memory:");
  try {
    database.exec(schema);
    return describeObjects(database.prepare(OBJECTS).all() as unknown as SchemaObject[]);
  } finally {
    database.close();
  }
}

/** Names of what differs, in either direction. */
export function differencesBetween(found: ReadonlyMap<string, string>, should: ReadonlyMap<string, string>): string[] {
  const names = new Set([...should.keys(), ...found.keys()]);
  return [...names].filter((name) => found.get(name) !== should.get(name));
}

/** In the order of their names: a migration adds columns at the end. */
function describeTable(database: DatabaseSync, table: string, sql: string): string {
  const ask = (query: string) => database.prepare(query).all(table);
  return JSON.stringify([
    ask('SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY name'),
    ask('SELECT "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?) ORDER BY 1, 2, 3'),
    ask("SELECT wr, strict FROM pragma_table_list(?)"),
    checksOf(bare(sql)).toSorted(),
  ]);
}

/** The conditions of a table's CHECKs, which no pragma tells. */
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

function bare(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, "")
    .replace(/\bIF NOT EXISTS /gi, "")
    .replace(/\s+/g, " ")
    .trim();
}
