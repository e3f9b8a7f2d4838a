/** The local databases of `npm start` and `npm run dev`, made from schema.sql. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { messageSchema } from "@lambda/testing/message-databases";
import { createDatabase, ROOT } from "@lambda/testing/site";
import { describeObjects, describeSchema, OBJECTS, type SchemaObject } from "./schema-differences.ts";

const STATE = join(ROOT, ".wrangler/state");
const FILES = "v3/d1/miniflare-D1DatabaseObject";

/**
 * Creates or completes the databases. One that an older schema.sql made can only be migrated: all are set aside with their
 * pictures and everything else, and new ones are begun.
 */
export function prepareDatabase(): void {
  const schema = readFileSync(join(ROOT, "schema.sql"), "utf8");
  const stale = databaseFiles().flatMap((file) =>
    differences(file, isForMessages(file) ? messageSchema(schema) : schema),
  );
  if (stale.length > 0) {
    const aside = `${STATE}-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}`;
    renameSync(STATE, aside);
    console.log(`The local database is not what schema.sql says (${stale.join(", ")}).`);
    console.log(`A new one is begun; what was there is kept in ${aside.slice(ROOT.length)}.`);
    console.log(
      "To have it back: stop this, rename that folder to .wrangler/state, and bring it up to date with npm run migrate.",
    );
    clearAside(join(ROOT, ".wrangler"));
  }
  createDatabase();
}

/** How many states that were set aside are kept, the newest: each is some 85 MB with its map. */
const ASIDE_KEPT = 2;

export function clearAside(folder: string): void {
  const aside = readdirSync(folder).filter((name) => /^state-\d{4}-\d\d-\d\dT\d{6}$/.test(name));
  for (const name of aside.toSorted().slice(0, -ASIDE_KEPT)) {
    rmSync(join(folder, name), { recursive: true });
    console.log(`An older one is cleared away: .wrangler/${name}.`);
  }
}

function databaseFiles(): string[] {
  const folder = join(STATE, FILES);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((file) => file.endsWith(".sqlite") && file !== "metadata.sqlite");
  return names.map((name) => join(folder, name));
}

/** No name of a file says which database it is. */
export function isForMessages(file: string): boolean {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE name IN ('account', 'talk')").all();
    return tables.length === 1 && tables[0]?.name === "talk";
  } finally {
    database.close();
  }
}

/**
 * Names of what a database has otherwise than the schema says: tables with other columns or rules, and triggers, indexes and views of
 * other text or unknown to it. What it lacks altogether is no difference, since it can be completed.
 */
export function differences(file: string, schema: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const should = describeSchema(schema);
    const found = describeObjects(database.prepare(OBJECTS).all() as unknown as SchemaObject[]);
    return [...found]
      .filter(([name, text]) => (should.has(name) ? should.get(name) !== text : !name.startsWith("table ")))
      .map(([name]) => name);
  } finally {
    database.close();
  }
}
