import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { messageSchema } from "@lambda/testing/message-databases";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { migrationsFor, readMigrations } from "./deploy/numbered-migrations.ts";
import { isMessageDatabase, migrateLocally, setAside } from "./local-database.ts";

const SCHEMA = readFileSync(join(ROOT, "schema.sql"), "utf8");
const MIGRATIONS = migrationsFor("main", readMigrations(join(ROOT, "migrations")));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "local-database-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Migrates a database created by this SQL; returns why it was left as it is, and its tables. */
async function migrate(
  sql: string,
  migrations = MIGRATIONS,
): Promise<{ reason: string | undefined; tables: string[] }> {
  const file = join(folder, "database.sqlite");
  if (!existsSync(file)) {
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
  }
  const reason = await migrateLocally(file, SCHEMA, migrations);
  const database = new DatabaseSync(file);
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  database.close();
  return { reason, tables: rows.map(({ name }) => String(name)) };
}

it("sets any number of states aside, and deletes none", () => {
  const state = join(folder, "state");
  const aside = ["first", "second", "third"].map((content) => {
    mkdirSync(state);
    writeFileSync(join(state, "data"), content);
    return setAside(state);
  });
  expect(aside.map((name) => readFileSync(join(name, "data"), "utf8"))).toEqual(["first", "second", "third"]);
  expect(existsSync(state)).toBe(false);
});

it("recognizes a message database by its tables", () => {
  const results = [SCHEMA, messageSchema(SCHEMA), "CREATE TABLE other (id)"].map((sql, index) => {
    const file = join(folder, `${index}.sqlite`);
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
    return isMessageDatabase(file);
  });
  expect(results).toEqual([false, true, false]);
});

describe("a local database", () => {
  it("without a record is recognized by its tables, and runs what is newer once", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const later = `${MIGRATIONS[0]?.text}\n${MIGRATIONS[1]?.text}`;
    expect((await migrate(later)).reason).toBeUndefined();
    expect(log.mock.calls.join()).not.toContain(MIGRATIONS[1]?.name);
    expect(log.mock.calls.join()).toContain(MIGRATIONS[2]?.name);
    log.mockClear();
    expect((await migrate(later)).reason).toBeUndefined();
    expect(log).not.toHaveBeenCalled();
    rmSync(join(folder, "database.sqlite"));
    expect((await migrate(SCHEMA)).reason).toBeUndefined();
    // Migrations of rows alone leave no sign in the tables, and run again.
    const newest = MIGRATIONS.findLast(({ text }) => /^(CREATE|DROP|ALTER)/m.test(text));
    expect(log.mock.calls.join()).not.toContain(newest?.name);
    log.mockRestore();
  });

  it("of no version, or of a newer one, is left as it is", async () => {
    expect(await migrate("CREATE TABLE account (id INTEGER)")).toEqual({
      reason: "its tables are those of no version since migrations began",
      tables: ["account"],
    });
    rmSync(join(folder, "database.sqlite"));
    await migrate(SCHEMA);
    expect((await migrate(SCHEMA, MIGRATIONS.slice(0, -1))).reason).toContain("this checkout is older");
  });
});
