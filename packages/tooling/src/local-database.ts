/** The local databases of `npm start` and `npm run dev`, made from schema.sql. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { messageSchema } from "@lambda/testing/message-databases";
import { createDatabase, ROOT } from "@lambda/testing/site";
import { describeObjects, describeSchema, SCHEMA_OBJECTS_QUERY, type SchemaObject } from "./schema-differences.ts";

const STATE = join(ROOT, ".wrangler/state");
const FILES = "v3/d1/miniflare-D1DatabaseObject";

/**
 * Creates or completes the databases. If one was created by an older schema.sql, the whole state, including pictures, is moved aside and
 * a new one is created.
 */
export function prepareDatabase(): void {
  const schema = readFileSync(join(ROOT, "schema.sql"), "utf8");
  const stale = databaseFiles().flatMap((file) =>
    listDifferences(file, isMessageDatabase(file) ? messageSchema(schema) : schema),
  );
  if (stale.length > 0) {
    const aside = `${STATE}-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}`;
    renameSync(STATE, aside);
    console.log(`The local database differs from schema.sql (${stale.join(", ")}).`);
    console.log(`Creating a new one; the old one is kept in ${aside.slice(ROOT.length)}.`);
    console.log("To restore it: stop this, rename that folder to .wrangler/state, and update it with npm run migrate.");
    deleteOldStates(join(ROOT, ".wrangler"));
  }
  createDatabase();
}

/** Old states to keep; each is about 85 MB with its map. */
const OLD_STATES_MAX = 2;

export function deleteOldStates(folder: string): void {
  const oldStates = readdirSync(folder).filter((name) => /^state-\d{4}-\d\d-\d\dT\d{6}$/.test(name));
  for (const name of oldStates.toSorted().slice(0, -OLD_STATES_MAX)) {
    rmSync(join(folder, name), { recursive: true });
    console.log(`Deleted an older one: .wrangler/${name}.`);
  }
}

function databaseFiles(): string[] {
  const folder = join(STATE, FILES);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((file) => file.endsWith(".sqlite") && file !== "metadata.sqlite");
  return names.map((name) => join(folder, name));
}

/** Recognizes a message database by its tables, because file names do not tell. */
export function isMessageDatabase(file: string): boolean {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE name IN ('account', 'message_pair')").all();
    return tables.length === 1 && tables[0]?.name === "message_pair";
  } finally {
    database.close();
  }
}

/**
 * Names of the objects in which a database differs from the schema: changed tables, and changed or obsolete triggers, indexes and views.
 * Missing objects do not count, because they can be added.
 */
export function listDifferences(file: string, schema: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const expected = describeSchema(schema);
    const actual = describeObjects(database.prepare(SCHEMA_OBJECTS_QUERY).all() as unknown as SchemaObject[]);
    return [...actual]
      .filter(([name, text]) => (expected.has(name) ? expected.get(name) !== text : !name.startsWith("table ")))
      .map(([name]) => name);
  } finally {
    database.close();
  }
}
