import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { ROOT } from "@lambda/testing/site";

/** `npm run schema-types`: generates kysely row types from schema.sql, so that they cannot diverge from the actual schema. */

const SCHEMA_TYPES_FILE = "apps/worker/src/platform/db/tables.ts";

export function writeSchemaTypes(): void {
  writeFileSync(`${ROOT}${SCHEMA_TYPES_FILE}`, generateSchemaTypes(readFileSync(`${ROOT}schema.sql`, "utf8")));
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: 0 | 1;
  readonly dflt_value: string | null;
  readonly pk: number;
  /** 2 or 3 for generated columns. */
  readonly hidden: number;
}

const TYPES: Readonly<Record<string, string>> = {
  INTEGER: "number",
  REAL: "number",
  TEXT: "string",
  BLOB: "Uint8Array",
};

/** Columns with branded number types. */
const BRANDED: Readonly<Record<string, string>> = {
  "position.cell": "Cell",
  "position.pending_cell": "Cell",
  "person_check.key": "CurveKey",
  "position.key": "CurveKey",
  "presence.key": "CurveKey",
  "trip.cell": "Cell",
  "trip.key": "CurveKey",
};

/** Returns the TypeScript module for a schema. `CHECK (column IN (...))` becomes a union type. */
export function generateSchemaTypes(schema: string): string {
  const db = new DatabaseSync(":memory:");
  db.exec(schema);
  const tables = db
    .prepare("select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid")
    .all() as unknown as { name: string; sql: string }[];
  const interfaces = tables.map(({ name, sql }) => {
    const columns = db.prepare("select * from pragma_table_xinfo(?)").all(name) as unknown as Column[];
    const lines = columns.map((column) => `  ${column.name}: ${columnType(name, column, sql)};`);
    return `export interface ${pascalCase(name)}Table {\n${lines.join("\n")}\n}\nexport type ${pascalCase(name)}Row = Selectable<${pascalCase(name)}Table>;\n`;
  });
  db.close();
  const members = tables.map(({ name }) => `  ${name}: ${pascalCase(name)}Table;`).join("\n");
  return [
    "// Made from schema.sql by `npm run schema-types`, and when packages are installed. Do not edit.",
    'import type { CurveKey } from "@lambda/geo/curve";\nimport type { Cell } from "@lambda/geo/grid";',
    'import type { ColumnType, Generated, Selectable } from "kysely";\n',
    ...interfaces,
    `export interface Tables {\n${members}\n}\n`,
  ].join("\n");
}

function columnType(tableName: string, { name, type, notnull, dflt_value, pk, hidden }: Column, table: string): string {
  const base = allowedValues(name, table) ?? BRANDED[`${tableName}.${name}`] ?? TYPES[type];
  if (!base) throw new Error(`${name}: no TypeScript type for ${type}`);
  if (hidden > 1) return `ColumnType<${base}, never, never>`;
  const value = notnull === 0 && pk === 0 ? `${base} | null` : base;
  // SQLite assigns ids that are not foreign keys.
  const autoincrement =
    new RegExp(`\\b${name}\\s+INTEGER\\s+PRIMARY KEY( AUTOINCREMENT|,)`).test(table) && name === "id";
  return dflt_value !== null || autoincrement ? `Generated<${value}>` : value;
}

/** A union of the values that a column's CHECK allows, such as `'a', 'b'` or `0, 1`. */
function allowedValues(name: string, table: string): string | undefined {
  const list = table.match(new RegExp(`CHECK \\((?:${name} IS NULL OR )?${name} IN \\(([^)]*)\\)`))?.[1];
  return list
    ?.split(",")
    .map((value) => value.trim().replace(/^'(.*)'$/, '"$1"'))
    .join(" | ");
}

const pascalCase = (name: string): string => name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

if (import.meta.main) writeSchemaTypes();
