import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { messageSchema } from "@lambda/testing/message-databases";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunStatement } from "../migration.ts";
import { BASE, listPending, migrationsFor, noteAll, readMigrations, runPending } from "./numbered-migrations.ts";
import { listSchemaDifferences } from "./target.ts";

const BASE_SQL = "CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;\n";
const AGE_SQL = "ALTER TABLE member ADD COLUMN age INTEGER NOT NULL DEFAULT 18 CHECK (age >= 18);\n";

let folder: string;
let database: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "migrations-"));
  database = new DatabaseSync(":memory:");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  database.close();
});

const run: RunStatement = async (sql, note) => {
  const rows = database.prepare(sql).all();
  if (note) database.exec(note);
  return rows;
};
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const migrate = () => runPending(readMigrations(folder), run, 1, () => undefined);

it("the project's migrations make what schema.sql says", async () => {
  const migrations = readMigrations(join(ROOT, "migrations"));
  // Before the first deployment there is nothing to migrate, and npm run setup writes the base.
  if (migrations.length === 0) return;
  await noteAll([], run, 1);
  await runPending(migrationsFor("main", migrations), run, 1, () => undefined);
  const schema = readFileSync(join(ROOT, "schema.sql"), "utf8");
  expect(await listSchemaDifferences(run, schema)).toEqual([]);
  database.close();
  database = new DatabaseSync(":memory:");
  const [base, ...later] = migrationsFor("messages", migrations);
  database.exec(messageSchema(base?.text ?? ""));
  await noteAll([base!], run, 1);
  await runPending([base!, ...later], run, 1, () => undefined);
  expect(await listSchemaDifferences(run, messageSchema(schema))).toEqual([]);
});

it("a migration says for which databases it is, and is for the main one where it does not", () => {
  const of = (name: string, text: string) => ({ name, text });
  const all = [
    of(BASE, BASE_SQL),
    of("0001-main.sql", AGE_SQL),
    of("0002-messages.sql", `-- databases: messages\n${AGE_SQL}`),
    of("0003-both.sql", `-- Why.\n-- databases: main, messages\n${AGE_SQL}`),
  ];
  const names = (kind: "main" | "messages") => migrationsFor(kind, all).map(({ name }) => name.slice(0, 4));
  expect([names("main"), names("messages")]).toEqual([
    ["0000", "0001", "0003"],
    ["0000", "0002", "0003"],
  ]);
  expect(() => migrationsFor("main", [of("0001-a.sql", "-- databases: mane\n")])).toThrow('0001-a.sql is for "mane"');
});

it("schema.sql is equal to itself, and each kind of difference is named", async () => {
  const schema = readFileSync(join(ROOT, "schema.sql"), "utf8");
  database.exec(schema);
  expect(await listSchemaDifferences(run, schema)).toEqual([]);
  database.exec("DROP INDEX session_account; ALTER TABLE bucket_mark ADD COLUMN more TEXT; CREATE TABLE own (id)");
  expect(await listSchemaDifferences(run, schema)).toEqual([
    ...["table bucket_mark", "index session_account", "table own"],
  ]);
});

describe("a database", () => {
  beforeEach(async () => {
    write(BASE, BASE_SQL);
    database.exec(BASE_SQL);
    await noteAll(readMigrations(folder), run, 1);
  });

  it("gets what it has not had, once, and is then what the schema says, whatever the order of its columns", async () => {
    write("0001-age.sql", AGE_SQL);
    expect(await migrate()).toEqual(["0001-age.sql"]);
    expect(await migrate()).toEqual([]);
    const schema = `CREATE TABLE member (id INTEGER PRIMARY KEY,
      age INTEGER NOT NULL DEFAULT 18 CHECK (age >= 18), name TEXT NOT NULL) STRICT;`;
    expect(await listSchemaDifferences(run, schema)).toEqual([]);
    expect(await listSchemaDifferences(run, schema.replace(">= 18", ">= 21"))).toEqual(["table member"]);
    expect(await listSchemaDifferences(run, schema.replace(" DEFAULT 18", ""))).toEqual(["table member"]);
  });

  it("refuses a file that was edited, cut short or made longer after it ran, and one that is gone", async () => {
    write("0001-age.sql", AGE_SQL);
    await migrate();
    const more = `${AGE_SQL}CREATE TABLE skipped (id INTEGER);\n`;
    for (const text of [more, AGE_SQL.replace("18", "21"), "", `-- why\n${AGE_SQL}`]) {
      write("0001-age.sql", text);
      await expect(migrate()).rejects.toThrow("0001-age.sql was edited");
    }
    write("0001-age.sql", AGE_SQL.replaceAll("\n", "\r\n"));
    expect(await migrate()).toEqual([]);
    rmSync(join(folder, "0001-age.sql"));
    await expect(migrate()).rejects.toThrow("this checkout is older");
    expect(database.prepare("SELECT name FROM sqlite_master WHERE name = 'skipped'").all()).toEqual([]);
  });

  it("of which nobody knows what it had is touched by nothing", async () => {
    database.exec("DROP TABLE migration_done");
    write("0001-age.sql", AGE_SQL);
    await expect(migrate()).rejects.toThrow("--adopt");
    await expect(listPending([], run)).rejects.toThrow("--adopt");
  });

  it("goes on where a run was broken off, in the middle of a file", async () => {
    write("0001-age.sql", `${AGE_SQL}CREATE TABLE more (id INTEGER);\n`);
    let breaks = true;
    const breaking: RunStatement = async (sql, note) => {
      if (breaks && sql.startsWith("CREATE TABLE more")) throw new Error("broken off");
      return run(sql, note);
    };
    const go = () => runPending(readMigrations(folder), breaking, 1, () => undefined);
    await expect(go()).rejects.toThrow("broken off");
    breaks = false;
    expect(await go()).toEqual(["0001-age.sql"]);
  });
});

it("numbers have no gap, no twin and a base", () => {
  write("0001-age.sql", AGE_SQL);
  expect(() => readMigrations(folder)).toThrow("0000-base.sql is missing");
  write(BASE, BASE_SQL);
  write("0003-later.sql", AGE_SQL);
  expect(() => readMigrations(folder)).toThrow("should have the number 0002");
  rmSync(join(folder, "0003-later.sql"));
  write("0001-twin.sql", AGE_SQL);
  expect(() => readMigrations(folder)).toThrow("0001-twin.sql should have the number 0002");
  rmSync(join(folder, "0001-twin.sql"));
  write("later.sql", AGE_SQL);
  expect(() => readMigrations(folder)).toThrow("no name of a migration");
});
