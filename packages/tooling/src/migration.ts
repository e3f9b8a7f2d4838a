/**
 * Migrations for large databases: a statement that touches many rows runs in chunks of ids, each in its own transaction, so that nothing
 * blocks the database for long and an interrupted run can resume.
 *
 * Each statement of a file ends with `;` at the end of a line. One with `:from` and `:to` is chunked and needs a comment that names the
 * key, such as `-- chunks of profile.id`; it must only touch rows with `:from < key <= :to`. `DROP TRIGGER name; CREATE TRIGGER` on one
 * line replaces a trigger in one transaction, so that no write in between goes without it.
 */
import { createHash } from "node:crypto";

/** Maximum rows per chunk: about a second of work. */
const CHUNK_ROWS = 10_000;

export interface MigrationStep {
  readonly sql: string;
  /** The integer key of a chunked statement. */
  readonly chunks?: { readonly table: string; readonly key: string };
}

/** Runs a statement and returns its rows. `note`, which records that it is done, runs in the same transaction. */
export type RunStatement = (sql: string, note?: string) => Promise<readonly Record<string, unknown>[]>;

/** Gets a sentence about a step or chunk that is done. */
export type SayProgress = (line: string) => void;

/** Throws if a chunked statement has no comment, or the reverse. */
export function parseMigration(text: string): MigrationStep[] {
  return splitStatements(text)
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

/** Splits at each `;` that ends a line, except inside a trigger, which ends with END after a `;`. */
function splitStatements(text: string): string[] {
  const parts: string[] = [];
  let open = "";
  for (const part of text.split(/;[ \t]*(?:\r?\n|$)/)) {
    open += part;
    const code = open.replace(/--.*/g, "").trim();
    if (/^(DROP\s+TRIGGER\s+\w+;\s*)?CREATE\s+(TEMP\w*\s+)?TRIGGER\b/i.test(code) && !/;\s*END$/i.test(code)) {
      open += ";\n";
      continue;
    }
    parts.push(open);
    open = "";
  }
  if (open !== "") throw new Error(`a trigger without its END: ${open.trim().slice(0, 80)}`);
  return parts;
}

const CREATE_MIGRATION_PROGRESS = `CREATE TABLE IF NOT EXISTS migration_progress (
  name TEXT NOT NULL, step INTEGER NOT NULL, done_to INTEGER, content TEXT, PRIMARY KEY (name, step)) STRICT, WITHOUT ROWID`;

/**
 * Runs the remaining steps of a migration. Each step or chunk is recorded in its own transaction, so that none runs twice after an
 * interruption. Throws before running anything if a completed step was edited.
 *
 * @param name identifies the recorded progress; a file name
 */
export async function runMigration(
  name: string,
  steps: readonly MigrationStep[],
  run: RunStatement,
  say: SayProgress,
  chunkRows: number = CHUNK_ROWS,
): Promise<void> {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`${name} is no name of a migration`);
  await run(CREATE_MIGRATION_PROGRESS);
  await rejectEdited(name, steps, run);
  for (const [step, { sql, chunks }] of steps.entries()) {
    const [progress] = await run(`SELECT done_to FROM migration_progress WHERE name = '${name}' AND step = ${step}`);
    const note = (doneTo: number | "NULL") =>
      `INSERT INTO migration_progress (name, step, done_to, content)
        VALUES ('${name}', ${step}, ${doneTo}, '${contentHash(sql)}')
        ON CONFLICT (name, step) DO UPDATE SET done_to = excluded.done_to`;
    if (!chunks) {
      if (progress) continue;
      await run(sql, note("NULL"));
      say(`step ${step + 1} of ${steps.length}`);
      continue;
    }
    const { table, key } = chunks;
    let from = progress ? Number(progress.done_to) : await keyBeforeFirst(run, table, key);
    for (;;) {
      const [next] = await run(`SELECT count(*) AS n, max(k) AS last FROM
        (SELECT ${key} AS k FROM ${table} WHERE ${key} > ${from} ORDER BY ${key} LIMIT ${chunkRows})`);
      if (!next || Number(next.n) === 0) break;
      const to = Number(next.last);
      const started = performance.now();
      await run(sql.replaceAll(":from", String(from)).replaceAll(":to", String(to)), note(to));
      say(
        `step ${step + 1} of ${steps.length}: ${next.n} rows, ${((performance.now() - started) / 1000).toFixed(1)} s`,
      );
      from = to;
    }
  }
}

/** Throws if a completed step was edited or moved, because the changes would never run. */
async function rejectEdited(name: string, steps: readonly MigrationStep[], run: RunStatement): Promise<void> {
  const done = await run(`SELECT step, content FROM migration_progress WHERE name = '${name}' ORDER BY step`);
  for (const { step, content } of done) {
    const sql = steps[Number(step)]?.sql;
    if (sql !== undefined && content === contentHash(sql)) continue;
    const now = sql === undefined ? "it is not there any more" : `it is now: ${sql.slice(0, 80)}`;
    throw new Error(
      `${name} was edited after its step ${Number(step) + 1} ran; ${now}. Put what is new into a new file.`,
    );
  }
}

/** Ignores differences in whitespace. */
function contentHash(sql: string): string {
  return createHash("sha256").update(sql.replace(/\s+/g, " ").trim()).digest("hex").slice(0, 32);
}

/** One below the smallest key, or 0 in an empty table. */
async function keyBeforeFirst(run: RunStatement, table: string, key: string): Promise<number> {
  const [row] = await run(`SELECT min(${key}) AS least FROM ${table}`);
  return Number(row?.least ?? 1) - 1;
}
