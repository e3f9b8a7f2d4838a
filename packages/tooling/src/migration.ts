/**
 * Migrations of a database with a million members: a statement that touches many rows runs in chunks of ids, each a transaction of
 * its own, so that nothing holds the database for long, and a run that was broken off goes on where it stopped.
 *
 * A file holds statements, each ending with `;` at the end of a line. One with `:from` and `:to` is a chunked one and is led by
 * a comment that says over which key: `-- chunks of profile.id`. It must touch the rows with `:from < key <= :to` alone.
 */

import { createHash } from "node:crypto";

/** Rows of a chunk at most: about a second of work. */
const CHUNK_ROWS = 10_000;

export interface MigrationStep {
  readonly sql: string;
  /** Over which integer key a chunked statement runs. */
  readonly chunks?: { readonly table: string; readonly key: string };
}

/** Runs one statement and answers its rows; a note that it is done goes into the same transaction. */
export type RunStatement = (sql: string, note?: string) => Promise<readonly Record<string, unknown>[]>;

export interface ChunkReport {
  readonly step: number;
  readonly rows: number;
  readonly ms: number;
}

/** Throws when a chunked statement and its comment do not belong together. */
export function parseMigration(text: string): MigrationStep[] {
  return split(text)
    .map((part) => part.trim())
    .filter((part) => part.replace(/^\s*--.*$/gm, "").trim() !== "")
    .map((part) => {
      const [, table, key] = /^\s*-- chunks of (\w+)\.(\w+)$/m.exec(part) ?? [];
      const sql = part.replace(/^\s*--.*\r?\n/gm, "").trim();
      const chunked = sql.includes(":from") && sql.includes(":to");
      if (chunked !== (table !== undefined && key !== undefined)) {
        throw new Error(`":from" and ":to" and a line "-- chunks of table.key" belong together: ${sql.slice(0, 80)}`);
      }
      return table !== undefined && key !== undefined ? { sql, chunks: { table, key } } : { sql };
    });
}

/** At each `;` that ends a line, but for those inside of a trigger: it ends with an END after a `;`. */
function split(text: string): string[] {
  const parts: string[] = [];
  let open = "";
  for (const part of text.split(/;[ \t]*(?:\r?\n|$)/)) {
    open += part;
    const code = open.replace(/--.*/g, "").trim();
    if (/^CREATE\s+(TEMP\w*\s+)?TRIGGER\b/i.test(code) && !/;\s*END$/i.test(code)) {
      open += ";\n";
      continue;
    }
    parts.push(open);
    open = "";
  }
  if (open !== "") throw new Error(`a trigger without its END: ${open.trim().slice(0, 80)}`);
  return parts;
}

const PROGRESS = `CREATE TABLE IF NOT EXISTS migration_progress (
  name TEXT NOT NULL, step INTEGER NOT NULL, done_to INTEGER, content TEXT, PRIMARY KEY (name, step)) STRICT, WITHOUT ROWID`;
/** Of a database whose progress was noted without content. */
const HAS_CONTENT = "SELECT 1 FROM pragma_table_info('migration_progress') WHERE name = 'content'";
const ADD_CONTENT = "ALTER TABLE migration_progress ADD COLUMN content TEXT";

/**
 * Runs what is left of a migration. A step or chunk and the note that it is done go together, so that none is done twice
 * when a run is broken off. Throws before anything runs when a step that was done is not the step that the file has there now.
 *
 * @param name under which progress is kept; a file's name
 */
export async function runMigration(
  name: string,
  steps: readonly MigrationStep[],
  run: RunStatement,
  each: (report: ChunkReport) => void,
  chunkRows: number = CHUNK_ROWS,
): Promise<void> {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`${name} is no name of a migration`);
  await run(PROGRESS);
  if ((await run(HAS_CONTENT)).length === 0) await run(ADD_CONTENT);
  await refuseEdited(name, steps, run);
  for (const [step, { sql, chunks }] of steps.entries()) {
    const [before] = await run(`SELECT done_to FROM migration_progress WHERE name = '${name}' AND step = ${step}`);
    const note = (doneTo: number | "NULL") =>
      `INSERT INTO migration_progress (name, step, done_to, content)
        VALUES ('${name}', ${step}, ${doneTo}, '${contentOf(sql)}')
        ON CONFLICT (name, step) DO UPDATE SET done_to = excluded.done_to`;
    if (!chunks) {
      if (before) continue;
      const started = performance.now();
      await run(sql, note("NULL"));
      each({ step, rows: 0, ms: performance.now() - started });
      continue;
    }
    const { table, key } = chunks;
    let from = before ? Number(before.done_to) : await leastKey(run, table, key);
    for (;;) {
      const [next] = await run(`SELECT count(*) AS n, max(k) AS last FROM
        (SELECT ${key} AS k FROM ${table} WHERE ${key} > ${from} ORDER BY ${key} LIMIT ${chunkRows})`);
      if (!next || Number(next.n) === 0) break;
      const to = Number(next.last);
      const started = performance.now();
      await run(sql.replaceAll(":from", String(from)).replaceAll(":to", String(to)), note(to));
      each({ step, rows: Number(next.n), ms: performance.now() - started });
      from = to;
    }
  }
}

/** A step keeps its place and its words once it ran: what was put before it, or changed in it, would never run. */
async function refuseEdited(name: string, steps: readonly MigrationStep[], run: RunStatement): Promise<void> {
  const done = await run(`SELECT step, content FROM migration_progress WHERE name = '${name}' ORDER BY step`);
  for (const { step, content } of done) {
    const sql = steps[Number(step)]?.sql;
    // Noted before contents were.
    if (sql !== undefined && content === null) continue;
    if (sql !== undefined && content === contentOf(sql)) continue;
    const now = sql === undefined ? "it is not there any more" : `it is now: ${sql.slice(0, 80)}`;
    throw new Error(
      `${name} was edited after its step ${Number(step) + 1} ran; ${now}. Put what is new into a new file.`,
    );
  }
}

/** Spaces and line breaks say nothing. */
function contentOf(sql: string): string {
  return createHash("sha256").update(sql.replace(/\s+/g, " ").trim()).digest("hex").slice(0, 32);
}

/** One below the smallest key, or 0 in an empty table. */
async function leastKey(run: RunStatement, table: string, key: string): Promise<number> {
  const [row] = await run(`SELECT min(${key}) AS least FROM ${table}`);
  return Number(row?.least ?? 1) - 1;
}
