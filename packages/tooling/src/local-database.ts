/** The local databases of `npm start` and `npm run dev`, made from schema.sql and brought up to date by the files of migrations/. */
import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { listMessageDatabases, messageSchema } from "@lambda/testing/message-databases";
import { createDatabase, ROOT } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import {
  type DatabaseKind,
  isRecorded,
  listPending,
  markAllDone,
  migrationsFor,
  type NumberedMigration,
  readMigrations,
  runPending,
} from "./deploy/numbered-migrations.ts";
import type { RunStatement } from "./migration.ts";
import { listSchemaDifferences } from "./schema-differences.ts";

const STATE = join(ROOT, ".wrangler/state");
const FILES = "v3/d1/miniflare-D1DatabaseObject";

/**
 * Creates, completes or migrates the databases. If one is of no known version, the whole state, including pictures, is moved aside and a
 * new one is created.
 */
export async function prepareDatabase(state = STATE): Promise<void> {
  const schema = readFileSync(join(ROOT, "schema.sql"), "utf8");
  const migrations = readMigrations(join(ROOT, "migrations"));
  const unknown: string[] = [];
  for (const file of databaseFiles(state)) {
    const isMessages = isMessageDatabase(file);
    const own = migrationsFor(isMessages ? "messages" : "main", migrations);
    const reason = await migrateLocally(file, isMessages ? messageSchema(schema) : schema, own);
    if (reason) unknown.push(reason);
  }
  if (unknown.length > 0) {
    const aside = setAside(state);
    console.log(`The local database cannot be brought up to date: ${unknown.join("; ")}.`);
    console.log(`Creating a new one; the old one is kept in ${aside.replace(ROOT, "")}: delete it yourself.`);
  }
  // As many as there should be, all of them just compared: nothing is missing.
  if (databaseFiles(state).length === 1 + listMessageDatabases(readWranglerConfig().d1_databases).length) return;
  createDatabase(state);
  for (const file of databaseFiles(state)) {
    const kind: DatabaseKind = isMessageDatabase(file) ? "messages" : "main";
    await withDatabase(file, (run) => markAllDone(migrationsFor(kind, migrations), run, Date.now()));
  }
}

/**
 * Runs the pending migrations of one kind of database. Returns why it cannot be brought to the schema, without having changed it;
 * undefined if it is.
 */
export function migrateLocally(
  file: string,
  schema: string,
  migrations: readonly NumberedMigration[],
): Promise<string | undefined> {
  return withDatabase(file, async (run) => {
    if (!(await isRecorded(run))) {
      const version = await findVersion(run, schema, migrations);
      if (version === undefined) return "its tables are those of no version since migrations began";
      await markAllDone(migrations.slice(0, version + 1), run, Date.now());
    }
    try {
      await listPending(migrations, run);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    const done = await runPending(migrations, run, Date.now(), () => undefined);
    if (done.length > 0) console.log(`Brought the local database up to date: ${done.join(", ")}.`);
    const differences = await listSchemaDifferences(run, schema);
    return differences.length > 0 ? `it differs from schema.sql in ${differences.join(", ")}` : undefined;
  });
}

/** The number of the migration after which a database without a record has its tables. Databases of `npm start` had none at first. */
async function findVersion(
  run: RunStatement,
  schema: string,
  [base, ...later]: readonly NumberedMigration[],
): Promise<number | undefined> {
  const isMessages = !schema.includes("CREATE TABLE IF NOT EXISTS account ");
  using database = new DatabaseSync(":memory:");
  database.exec(isMessages ? messageSchema(base?.text ?? "") : (base?.text ?? ""));
  for (const [version, next] of [...later, undefined].entries()) {
    if ((await listSchemaDifferences(run, database)).length === 0) return version;
    // There are no rows, so any range does.
    if (next) database.exec(next.text.replace(/:from|:to/g, "0"));
  }
  return (await listSchemaDifferences(run, schema)).length === 0 ? later.length : undefined;
}

async function withDatabase<Result>(file: string, use: (run: RunStatement) => Promise<Result>): Promise<Result> {
  using database = new DatabaseSync(file);
  return await use(async (sql, note) => {
    if (note === undefined) return database.prepare(sql).all();
    database.exec("BEGIN");
    try {
      database.exec(`${sql};\n${note}`);
      database.exec("COMMIT");
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
    return [];
  });
}

/** Renames a state to a name that is free, and returns that. */
export function setAside(state: string): string {
  const name = `${state}-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}`;
  let aside = name;
  for (let number = 2; existsSync(aside); number += 1) aside = `${name}-${number}`;
  renameSync(state, aside);
  return aside;
}

function databaseFiles(state: string): string[] {
  const folder = join(state, FILES);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((file) => file.endsWith(".sqlite") && file !== "metadata.sqlite");
  return names.map((name) => join(folder, name));
}

/** Recognizes a message database by its tables, because file names do not tell. */
export function isMessageDatabase(file: string): boolean {
  using database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE name IN ('account', 'message_pair')").all();
  return tables.length === 1 && tables[0]?.name === "message_pair";
}
