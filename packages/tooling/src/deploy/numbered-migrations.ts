/**
 * The folder of migrations: `0000-base.sql` is the schema of the first deployment, and each later file a step from there. Together they
 * make what schema.sql says. A database notes each file by its content, so that an edited one is refused and none is skipped.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ChunkReport, parseMigration, type RunStatement, runMigration } from "../migration.ts";

export const BASE = "0000-base.sql";
const NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;

export interface NumberedMigration {
  readonly name: string;
  readonly text: string;
}

/** The main database, or those for messages. */
export type DatabaseKind = "main" | "messages";
const KINDS: readonly string[] = ["main", "messages"] satisfies DatabaseKind[];

/**
 * Those that are for such databases: a file says so by a line as `-- databases: main, messages`, and is for the main one without. The base is
 * for all, each of which has its part of it. Throws over a line that names another kind.
 */
export function migrationsFor(kind: DatabaseKind, all: readonly NumberedMigration[]): NumberedMigration[] {
  return all.filter(({ name, text }) => {
    const [, line] = /^-- databases: *(.*?)\s*$/m.exec(text) ?? [];
    const kinds = line?.split(/\s*,\s*/) ?? ["main"];
    const unknown = kinds.find((word) => !KINDS.includes(word));
    if (unknown !== undefined) throw new Error(`${name} is for "${unknown}": write main, messages or both`);
    return name === BASE || kinds.includes(kind);
  });
}

/** In their order. Throws over a name or a number that does not fit. */
export function readMigrations(folder: string): NumberedMigration[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".sql")) : [];
  const sorted = names.toSorted();
  for (const [at, name] of sorted.entries()) {
    const [, number] = NAME.exec(name) ?? [];
    if (number === undefined) throw new Error(`${name} is no name of a migration: write it as 0001-what-it-does.sql`);
    if (at === 0 && name !== BASE) throw new Error(`${name} has nothing to stand on: ${BASE} is missing`);
    if (Number(number) !== at) throw new Error(`${name} should have the number ${String(at).padStart(4, "0")}`);
  }
  return sorted.map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}

const NOTES = `CREATE TABLE IF NOT EXISTS migration_done (
  name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL, ts_done INTEGER NOT NULL) STRICT, WITHOUT ROWID`;

/** Says of a database that was just made from schema.sql that all of this is in it. */
export async function noteAll(migrations: readonly NumberedMigration[], run: RunStatement, now: number): Promise<void> {
  await run(NOTES);
  for (const migration of migrations) await run(noteOf(migration, now));
}

/**
 * Runs what a database has not had. Throws before anything runs when a file is not what ran under its name, when one that ran is gone, or
 * when nobody knows what ran.
 */
export async function runPending(
  migrations: readonly NumberedMigration[],
  run: RunStatement,
  now: number,
  each: (name: string, report: ChunkReport) => void,
): Promise<readonly string[]> {
  const pending = await listPending(migrations, run);
  for (const migration of pending) {
    await runMigration(migration.name, parseMigration(migration.text), run, (report) => each(migration.name, report));
    await run(noteOf(migration, now));
  }
  return pending.map(({ name }) => name);
}

/** Reads alone. */
export async function listPending(
  migrations: readonly NumberedMigration[],
  run: RunStatement,
): Promise<readonly NumberedMigration[]> {
  const [table] = await run("SELECT 1 FROM sqlite_master WHERE name = 'migration_done'");
  if (!table)
    throw new Error("This database does not say which migrations it had: npm run migrate -- --adopt --remote");
  const rows = await run("SELECT name, content FROM migration_done ORDER BY name");
  const done = new Map(rows.map(({ name, content }) => [String(name), String(content)]));
  for (const [name, content] of done) {
    const file = migrations.find((migration) => migration.name === name);
    if (!file) throw new Error(`${name} ran in this database and is not in migrations/: this checkout is older`);
    if (contentOf(file) !== content) {
      throw new Error(`${name} was edited after it ran. Bring it back as it was, and put what is new into a new file.`);
    }
  }
  const pending = migrations.filter(({ name }) => !done.has(name));
  const last = [...done.keys()].at(-1);
  const late = pending.find(({ name }) => last !== undefined && name < last);
  if (late) throw new Error(`${late.name} is numbered before ${last}, which ran already: give it the next number`);
  return pending;
}

function noteOf(migration: NumberedMigration, now: number): string {
  return `INSERT INTO migration_done (name, content, ts_done) VALUES ('${migration.name}', '${contentOf(migration)}', ${now})
    ON CONFLICT (name) DO NOTHING`;
}

/** To the letter, but for the end of lines, which git may change. */
function contentOf({ text }: NumberedMigration): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}
