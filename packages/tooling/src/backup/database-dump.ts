/** Streams a database to SQL and back, in the format of `wrangler d1 export`, and computes checksums of its tables. */
import { createHash } from "node:crypto";
import { appendFileSync, createReadStream, statSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";

const LINES_PER_WRITE = 5000;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

const listTables = (db: DatabaseSync) =>
  db
    .prepare(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql NOT NULL AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'
        ORDER BY tbl_name = 'sqlite_sequence', rowid`,
    )
    .all() as { name: string; sql: string }[];

/** A text as an SQL expression on a single line. */
function literal(text: string): string {
  const escaped = `'${text.replaceAll("'", "''").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`;
  const returned = text.includes("\r") ? `replace(${escaped},'\\r',char(13))` : escaped;
  return text.includes("\n") ? `replace(${returned},'\\n',char(10))` : returned;
}

function toSql(value: unknown): string {
  if (value === null) return "NULL";
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString("hex")}'`;
  return typeof value === "string" ? literal(value) : String(value);
}

/** Tables and rows come first, indexes and triggers last, so that no trigger fires while rows are restored. */
export function* dumpStatements(db: DatabaseSync): Generator<string> {
  yield "PRAGMA defer_foreign_keys=TRUE;";
  for (const { name, sql } of listTables(db)) {
    if (name === "sqlite_sequence") yield "DELETE FROM sqlite_sequence;";
    else if (name.startsWith("sqlite_")) continue;
    else yield `${sql};`;
    // table_info omits generated columns.
    const columns = (db.prepare(`PRAGMA table_info=${quoted(name)}`).all() as { name: string }[]).map((column) =>
      quoted(column.name),
    );
    const select = db.prepare(`SELECT ${columns.join(", ")} FROM ${quoted(name)}`);
    for (const row of select.iterate()) {
      yield `INSERT INTO ${quoted(name)} (${columns.join(",")}) VALUES(${Object.values(row).map(toSql).join(",")});`;
    }
  }
  const rest = db.prepare(
    "SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL AND type IN ('index', 'trigger', 'view') ORDER BY type COLLATE NOCASE",
  );
  for (const { sql } of rest.iterate() as Iterable<{ sql: string }>) yield `${sql};`;
}

/** Returns the number of bytes written. */
export function dumpDatabase(file: string, source: string): number {
  using db = new DatabaseSync(source, { readOnly: true });
  writeFileSync(file, "");
  let lines: string[] = [];
  for (const statement of dumpStatements(db)) {
    if (lines.push(`${statement}\n`) < LINES_PER_WRITE) continue;
    appendFileSync(file, lines.join(""));
    lines = [];
  }
  appendFileSync(file, lines.join(""));
  return statSync(file).size;
}

/** Restores a dump into an empty database, in one transaction. */
export async function restoreDump(file: string, target: string, { foreignKeys = true } = {}): Promise<void> {
  const db = new DatabaseSync(target);
  db.exec(`PRAGMA foreign_keys = ${foreignKeys ? "ON" : "OFF"}; BEGIN`);
  let chunk: string[] = [];
  let size = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    chunk.push(line);
    size += line.length;
    // Splits only after a complete INSERT, since definitions span several lines but contain no such line.
    if (size > 500_000 && line.startsWith("INSERT INTO ") && line.endsWith(");")) {
      db.exec(chunk.join("\n"));
      [chunk, size] = [[], 0];
    }
  }
  db.exec(`${chunk.join("\n")}\nCOMMIT`);
  db.close();
}

export interface Checksum {
  readonly rows: number;
  readonly sha256: string;
}

/** Hashes all rows of each table, including generated columns, in primary key order. */
export function tableChecksums(file: string): Map<string, Checksum> {
  const db = new DatabaseSync(file, { readOnly: true });
  const sums = new Map<string, Checksum>();
  for (const { name } of listTables(db)) {
    const columns = db.prepare(`PRAGMA table_xinfo=${quoted(name)}`).all() as { name: string; pk: number }[];
    const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const order = (keys.length > 0 ? keys : columns).map((column) => quoted(column.name)).join(", ");
    const hash = createHash("sha256");
    let rows = 0;
    for (const row of db.prepare(`SELECT * FROM ${quoted(name)} ORDER BY ${order}`).iterate()) {
      hash.update(`${Object.values(row).map(toSql).join(",")}\n`);
      rows += 1;
    }
    sums.set(name, { rows, sha256: hash.digest("hex") });
  }
  db.close();
  return sums;
}
