/**
 * The migrations folder: `0000-base.sql` is the schema of the first deployment, and each later file is a step from there; together they
 * produce schema.sql. Each database records the content hash of every file it ran, so that edited files are rejected and none is skipped.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseMigration, type RunStatement, runMigration, type SayProgress } from "../migration.ts";

export const BASE_MIGRATION = "0000-base.sql";
const NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;

export interface NumberedMigration {
  readonly name: string;
  readonly text: string;
}

/** The main database, or a message database. */
export type DatabaseKind = "main" | "messages";
const KINDS: readonly string[] = ["main", "messages"] satisfies DatabaseKind[];

/**
 * The migrations for one kind of database. A line such as `-- databases: main, messages` in a file selects them; without it the file is
 * for the main database. The base is for both. Throws if a line names an unknown kind.
 */
export function migrationsFor(kind: DatabaseKind, all: readonly NumberedMigration[]): NumberedMigration[] {
  return all.filter(({ name, text }) => {
    const [, line] = /^-- databases: *(.*?)\s*$/m.exec(text) ?? [];
    const kinds = line?.split(/\s*,\s*/) ?? ["main"];
    const unknown = kinds.find((each) => !KINDS.includes(each));
    if (unknown !== undefined) throw new Error(`${name} is for "${unknown}": write main, messages or both`);
    return name === BASE_MIGRATION || kinds.includes(kind);
  });
}

/** Reads the migrations in order. Throws if a name or number is invalid. */
export function readMigrations(folder: string): NumberedMigration[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".sql")) : [];
  const sorted = names.toSorted();
  for (const [index, name] of sorted.entries()) {
    const [, number] = NAME.exec(name) ?? [];
    if (number === undefined) throw new Error(`${name} is no name of a migration: write it as 0001-what-it-does.sql`);
    if (index === 0 && name !== BASE_MIGRATION) throw new Error(`${name} has no base: ${BASE_MIGRATION} is missing`);
    if (Number(number) !== index) throw new Error(`${name} should have the number ${String(index).padStart(4, "0")}`);
  }
  return sorted.map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}

const CREATE_MIGRATION_DONE = `CREATE TABLE IF NOT EXISTS migration_done (
  name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL, ts_done INTEGER NOT NULL) STRICT, WITHOUT ROWID`;

/** Whether a database says which migrations it had. */
export const isRecorded = async (run: RunStatement): Promise<boolean> =>
  (await run("SELECT 1 FROM sqlite_master WHERE name = 'migration_done'")).length > 0;

/** Marks all migrations as done in a database that was just created from schema.sql. */
export async function markAllDone(
  migrations: readonly NumberedMigration[],
  run: RunStatement,
  now: number,
): Promise<void> {
  await run(CREATE_MIGRATION_DONE);
  for (const migration of migrations) await run(markDone(migration, now));
}

/**
 * Runs the pending migrations. Throws before running anything if a file was edited or removed after it ran, or if the database has no
 * record of its migrations.
 */
export async function runPending(
  migrations: readonly NumberedMigration[],
  run: RunStatement,
  now: number,
  say: SayProgress,
): Promise<readonly string[]> {
  const pending = await listPending(migrations, run);
  for (const migration of pending) {
    await runMigration(migration.name, parseMigration(migration.text), run, (line) =>
      say(`${migration.name}, ${line}`),
    );
    await run(markDone(migration, now));
  }
  return pending.map(({ name }) => name);
}

/** Throws like runPending, but only reads. */
export async function listPending(
  migrations: readonly NumberedMigration[],
  run: RunStatement,
): Promise<readonly NumberedMigration[]> {
  if (!(await isRecorded(run)))
    throw new Error("This database does not say which migrations it had: npm run migrate -- --adopt --remote");
  const rows = await run("SELECT name, content FROM migration_done ORDER BY name");
  const done = new Map(rows.map(({ name, content }) => [String(name), String(content)]));
  for (const [name, content] of done) {
    const file = migrations.find((migration) => migration.name === name);
    if (!file) throw new Error(`${name} ran in this database and is not in migrations/: this checkout is older`);
    // The base never runs in steps, so nothing is missed when its text changes.
    if (name !== BASE_MIGRATION && contentHash(file) !== content) {
      throw new Error(`${name} was edited after it ran. Bring it back as it was, and put what is new into a new file.`);
    }
  }
  const pending = migrations.filter(({ name }) => !done.has(name));
  const last = [...done.keys()].at(-1);
  const late = pending.find(({ name }) => last !== undefined && name < last);
  if (late) throw new Error(`${late.name} is numbered before ${last}, which ran already: give it the next number`);
  return pending;
}

function markDone(migration: NumberedMigration, now: number): string {
  return `INSERT INTO migration_done (name, content, ts_done) VALUES ('${migration.name}', '${contentHash(migration)}', ${now})
    ON CONFLICT (name) DO NOTHING`;
}

/** Ignores the style of line breaks, which git may change. */
function contentHash({ text }: NumberedMigration): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}
