import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { messageSchema } from "@lambda/testing/message-databases";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deleteOldStates, isMessageDatabase, listDifferences } from "./local-database.ts";

const SCHEMA = `
  -- A member.
  CREATE TABLE IF NOT EXISTS member (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS member_name ON member (name);
  CREATE TRIGGER IF NOT EXISTS member_named AFTER UPDATE OF name ON member BEGIN SELECT 1; END;
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "local-database-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Differences from SCHEMA of a database created by this SQL. */
function differencesOf(sql: string): string[] {
  const file = join(folder, "database.sqlite");
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return listDifferences(file, SCHEMA);
}

it("keeps the two newest old states, and touches nothing else", () => {
  const names = [
    "state",
    "state-mine",
    "state-2026-11-20T101112",
    "state-2026-11-21T101112",
    "state-2026-11-22T101112",
  ];
  for (const name of names) mkdirSync(join(folder, name));
  deleteOldStates(folder);
  expect(readdirSync(folder)).toEqual(names.filter((name) => !name.includes("11-20")).toSorted());
});

it("recognizes a message database by its tables", () => {
  const schema = readFileSync(join(ROOT, "schema.sql"), "utf8");
  const results = [schema, messageSchema(schema), "CREATE TABLE other (id)"].map((sql, index) => {
    const file = join(folder, `${index}.sqlite`);
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
    return isMessageDatabase(file);
  });
  expect(results).toEqual([false, true, false]);
});

describe("a local database", () => {
  it("matches the schema that created it, ignoring comments, spaces and objects that can still be added", () => {
    expect(
      differencesOf(SCHEMA.replace("-- A member.", "-- Somebody.").replace("BEGIN SELECT", "BEGIN\n  SELECT")),
    ).toEqual([]);
    rmSync(join(folder, "database.sqlite"));
    expect(differencesOf("CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")).toEqual([]);
  });

  it("matches after a migration that appends columns, and with internal tables of the platform", () => {
    const migrated = "CREATE TABLE member (name TEXT NOT NULL) STRICT; CREATE TABLE _cf_METADATA (key INTEGER)";
    expect(differencesOf(migrated.replace("name TEXT NOT NULL", "name TEXT NOT NULL, id INTEGER PRIMARY KEY"))).toEqual(
      [],
    );
  });

  it("differs with other columns, a changed trigger or index, or an obsolete trigger", () => {
    const other = SCHEMA.replace("name TEXT NOT NULL", "name TEXT NOT NULL, age INTEGER")
      .replace("ON member (name)", "ON member (name DESC)")
      .replace("SELECT 1", "SELECT 2");
    const gone = "CREATE TRIGGER old AFTER DELETE ON member BEGIN SELECT 1; END;";
    expect(differencesOf(other + gone)).toEqual([
      "table member",
      "index member_name",
      "trigger member_named",
      "trigger old",
    ]);
  });
});
