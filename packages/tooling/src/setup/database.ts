import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageSchema } from "@lambda/testing/message-databases";
import type { Account } from "../account/client.ts";
import { createDatabase, type DataLocation, findDatabase } from "../account/resources.ts";
import {
  type DatabaseKind,
  isRecorded,
  markAllDone,
  migrationsFor,
  readMigrations,
} from "../deploy/numbered-migrations.ts";
import { remoteRunner } from "../deploy/target.ts";
import { listSchemaDifferences } from "../schema-differences.ts";

export interface DatabaseOrder {
  readonly account: Account;
  /** The project's folder. */
  readonly root: string;
  readonly location: DataLocation;
  readonly dryRun: boolean;
  say(line: string): void;
}

/** Well below D1's limit of 100 KB of SQL per call. */
const SQL_BYTES_MAX = 50_000;

/** Creates a database with its schema, or what is missing of it, and returns its id; undefined in a dry run where there is none. */
export async function makeDatabase(
  { account, root, location, dryRun, say }: DatabaseOrder,
  name: string,
  kind: DatabaseKind,
): Promise<string | undefined> {
  const whole = readFileSync(join(root, "schema.sql"), "utf8");
  const [schema, what, purpose] =
    kind === "main"
      ? [whole, "schema.sql", "of this schema"]
      : [messageSchema(whole), "the message part of schema.sql", "for messages"];
  let database = await findDatabase(account, name);
  if (database) say(`The database ${name} exists.`);
  if (!database && dryRun) say(`Would make the database ${name} (${location}) and load ${what}.`);
  if (dryRun) return database?.uuid;
  if (!database) {
    database = await createDatabase(account, name, location);
    say(`Created the database ${name} (${location}).`);
  }
  const run = remoteRunner({ account, databaseId: database.uuid });
  if (!(await isRecorded(run))) {
    // All statements are idempotent.
    for (const part of splitSchema(schema)) await run(part);
    const differences = await listSchemaDifferences(run, schema);
    if (differences.length > 0) throw new Error(`${name} is no database ${purpose}: ${differences.join(", ")}`);
    await markAllDone(migrationsFor(kind, readMigrations(join(root, "migrations"))), run, Date.now());
    say(`Loaded ${what} into ${name}.`);
  }
  return database.uuid;
}

/** Splits the schema into parts of whole statements. */
function splitSchema(schema: string): string[] {
  const parts = [""];
  for (const statement of schema.split(/^(?=CREATE |INSERT |PRAGMA )/m)) {
    const joined = parts.at(-1) + statement;
    if (Buffer.byteLength(joined) < SQL_BYTES_MAX) parts[parts.length - 1] = joined;
    else parts.push(statement);
  }
  return parts;
}
