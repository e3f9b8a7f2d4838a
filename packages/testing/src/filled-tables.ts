/** Puts a row into every table of a database, with values that its constraints allow, for tests of migrations. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
  readonly hidden: number;
}

/** Values that no constraint tells, by `table.column`. */
export type FixedValues = Readonly<Record<string, SQLInputValue>>;

/** Returns the names of the tables, each of which has a row now. Throws an error that names the table whose constraints were not met. */
export function fillTables(database: DatabaseSync, fixed: FixedValues = {}): string[] {
  const tables = database
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY rowid")
    .all() as unknown as { name: string; sql: string }[];
  for (const { name, sql } of tables) {
    const [row] = database.prepare(`SELECT 1 FROM "${name}"`).all();
    // A trigger may have written it.
    if (!row) insertRow(database, name, sql, fixed);
  }
  return tables.map(({ name }) => name);
}

function insertRow(database: DatabaseSync, table: string, sql: string, fixed: FixedValues): void {
  const columns = (database.prepare("SELECT * FROM pragma_table_xinfo(?)").all(table) as unknown as Column[]).filter(
    ({ hidden }) => hidden === 0,
  );
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const statement = database.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => "?")})`);
  const valueIn = (column: Column, withNulls: boolean) => {
    const own = fixed[`${table}.${column.name}`];
    return own === undefined ? allowedValue(column, sql, withNulls) : own;
  };
  try {
    statement.run(...columns.map((column) => valueIn(column, false)));
  } catch {
    try {
      statement.run(...columns.map((column) => valueIn(column, true)));
    } catch (error) {
      throw new Error(`${table}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
}

/** A value that the column's own CHECK allows; ids are 1, so that references meet. */
function allowedValue({ name, type, notnull, pk }: Column, sql: string, withNulls: boolean): SQLInputValue {
  if (withNulls && notnull === 0 && pk === 0) return null;
  const [definition = ""] = new RegExp(`^\\s*${name}\\s.*$`, "m").exec(sql) ?? [];
  const [, first] = new RegExp(`\\b${name} IN \\(([^,)]+)`).exec(definition) ?? [];
  if (first !== undefined) return first.startsWith("'") ? first.slice(1, -1) : Number(first);
  const [, least] = new RegExp(`\\b${name} BETWEEN (-?\\d+)`).exec(definition) ?? [];
  if (least !== undefined) return Number(least);
  const [, length] = new RegExp(`length\\(${name}\\) = (\\d+)`).exec(definition) ?? [];
  if (type === "BLOB") return new Uint8Array(Number(length ?? 32));
  if (type !== "TEXT") return 1;
  if (definition.includes("= 'array'")) return "[]";
  if (definition.includes("json_valid")) return "{}";
  return "a".repeat(Number(length ?? 1));
}
