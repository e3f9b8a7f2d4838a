import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { messageSchema } from "@lambda/testing/message-databases";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunStatement } from "../migration.ts";
import { listSchemaDifferences } from "../schema-differences.ts";
import {
  BASE_MIGRATION,
  listPending,
  markAllDone,
  migrationsFor,
  readMigrations,
  runPending,
} from "./numbered-migrations.ts";

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
  const replacesTrigger = sql.startsWith("DROP TRIGGER");
  if (replacesTrigger) database.exec(sql);
  const rows = replacesTrigger ? [] : database.prepare(sql).all();
  if (note) database.exec(note);
  return rows;
};
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const migrate = () => runPending(readMigrations(folder), run, 1, () => undefined);

it("the project's migrations produce schema.sql", async () => {
  const migrations = readMigrations(join(ROOT, "migrations"));
  const [mainBase, ...mainLater] = migrationsFor("main", migrations);
  // A database is created from the whole schema, so its base is never run in steps.
  database.exec(mainBase?.text ?? "");
  await markAllDone([mainBase!], run, 1);
  await runPending([mainBase!, ...mainLater], run, 1, () => undefined);
  const schema = readFileSync(join(ROOT, "schema.sql"), "utf8");
  expect(await listSchemaDifferences(run, schema)).toEqual([]);
  database.close();
  database = new DatabaseSync(":memory:");
  const [base, ...later] = migrationsFor("messages", migrations);
  database.exec(messageSchema(base?.text ?? ""));
  await markAllDone([base!], run, 1);
  await runPending([base!, ...later], run, 1, () => undefined);
  expect(await listSchemaDifferences(run, messageSchema(schema))).toEqual([]);
});

it("keeps every block when it drops the kept-away addresses, those that an address made too", async () => {
  const [base, ...later] = migrationsFor("main", readMigrations(join(ROOT, "migrations")));
  database.exec(base?.text ?? "");
  database.exec(`INSERT INTO account (id, email, home_brand, ts_created) VALUES (1, 'a', 'ember', 1), (2, 'b', 'ember', 1), (3, 'c', 'ember', 1);
    INSERT INTO profile (id, shared_on, random_order, ts_seen, ts_updated) VALUES (1, 1, 1, 1, 1), (2, 1, 1, 1, 1), (3, 1, 1, 1, 1);
    INSERT INTO kept_away_address (id, profile_id, mark, ts_created) VALUES (7, 1, 'mark', 1);
    INSERT INTO block VALUES (1, 2, 0, 0, 5, 7), (2, 1, 0, 0, 5, 7), (1, 3, 1, 0, 6, NULL), (3, 1, 0, 1, 6, NULL)`);
  await markAllDone([base!], run, 1);
  await runPending([base!, ...later], run, 1, () => undefined);
  const rows = database
    .prepare("SELECT profile_id || '-' || other_id AS pair, blocked_by_profile AS by FROM block")
    .all();
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { pair: "1-2", by: 0 },
    { pair: "1-3", by: 1 },
    { pair: "2-1", by: 0 },
    { pair: "3-1", by: 0 },
  ]);
});

it("tells senders nothing more of old first contacts that nobody answered, and with an answer the same of all", async () => {
  for (const kind of ["main", "messages"] as const) {
    const [base, ...later] = migrationsFor(kind, readMigrations(join(ROOT, "migrations")));
    database = new DatabaseSync(":memory:");
    database.exec(kind === "main" ? base!.text : messageSchema(base!.text));
    const insert =
      database.prepare(`INSERT INTO message (id, sender_id, recipient_id, low_id, high_id, client_id, brand, filtered, ts_created,
      ts_delivered, ts_recipient_read) VALUES (?1, ?2, ?3, min(?2, ?3), max(?2, ?3), ?1, 'ember', ?4, ?1, ?5, ?6)`);
    // Member 2 never answered 1, and answered 3 with message 12; 3 and 11 were hidden by a word.
    insert.run(1, 1, 2, 0, 50, 60);
    insert.run(2, 1, 2, 0, 50, null);
    insert.run(3, 1, 2, 1, null, null);
    insert.run(10, 3, 2, 0, 50, 60);
    insert.run(11, 3, 2, 1, null, null);
    insert.run(12, 2, 3, 0, 70, 80);
    insert.run(13, 3, 2, 0, null, null);
    await markAllDone([base!], run, 1);
    await runPending([base!, ...later], run, 1, () => undefined);
    const rows = database.prepare("SELECT id, ts_delivered, ts_recipient_read FROM message ORDER BY id").all();
    expect(rows.map((row) => Object.values(row))).toEqual([
      [1, -50, -60],
      [2, -50, null],
      [3, null, null],
      [10, 50, 60],
      [11, 12, 12],
      [12, 70, 80],
      [13, null, null],
    ]);
    if (kind === "main") database.close();
  }
});

it("selects migrations by the databases they name, which default to the main one", () => {
  const migration = (name: string, text: string) => ({ name, text });
  const all = [
    migration(BASE_MIGRATION, BASE_SQL),
    migration("0001-main.sql", AGE_SQL),
    migration("0002-messages.sql", `-- databases: messages\n${AGE_SQL}`),
    migration("0003-both.sql", `-- Why.\n-- databases: main, messages\n${AGE_SQL}`),
  ];
  const names = (kind: "main" | "messages") => migrationsFor(kind, all).map(({ name }) => name.slice(0, 4));
  expect([names("main"), names("messages")]).toEqual([
    ["0000", "0001", "0003"],
    ["0000", "0002", "0003"],
  ]);
  expect(() => migrationsFor("main", [migration("0001-a.sql", "-- databases: mane\n")])).toThrow(
    '0001-a.sql is for "mane"',
  );
});

it("finds no differences of schema.sql to itself, and names each kind of difference", async () => {
  const schema = readFileSync(join(ROOT, "schema.sql"), "utf8");
  database.exec(schema);
  expect(await listSchemaDifferences(run, schema)).toEqual([]);
  database.exec("DROP INDEX session_account; ALTER TABLE bucket_mark ADD COLUMN more TEXT; CREATE TABLE own (id)");
  expect(await listSchemaDifferences(run, schema)).toEqual(["table bucket_mark", "index session_account", "table own"]);
});

describe("runPending", () => {
  beforeEach(async () => {
    write(BASE_MIGRATION, BASE_SQL);
    database.exec(BASE_SQL);
    await markAllDone(readMigrations(folder), run, 1);
  });

  it("runs each migration once, after which the database matches the schema in any column order", async () => {
    write("0001-age.sql", AGE_SQL);
    expect(await migrate()).toEqual(["0001-age.sql"]);
    expect(await migrate()).toEqual([]);
    const schema = `CREATE TABLE member (id INTEGER PRIMARY KEY,
      age INTEGER NOT NULL DEFAULT 18 CHECK (age >= 18), name TEXT NOT NULL) STRICT;`;
    expect(await listSchemaDifferences(run, schema)).toEqual([]);
    expect(await listSchemaDifferences(run, schema.replace(">= 18", ">= 21"))).toEqual(["table member"]);
    expect(await listSchemaDifferences(run, schema.replace(" DEFAULT 18", ""))).toEqual(["table member"]);
  });

  it("rejects files that were edited, shortened, extended or removed after they ran", async () => {
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

  it("migrates a database whose base had other comments, since a base never runs in steps", async () => {
    write(BASE_MIGRATION, `-- With a reason.\n${BASE_SQL}`);
    write("0001-age.sql", AGE_SQL);
    expect(await migrate()).toEqual(["0001-age.sql"]);
  });

  it("rejects a database without a record of its migrations", async () => {
    database.exec("DROP TABLE migration_done");
    write("0001-age.sql", AGE_SQL);
    await expect(migrate()).rejects.toThrow("--adopt");
    await expect(listPending([], run)).rejects.toThrow("--adopt");
  });

  it("resumes an interrupted run in the middle of a file", async () => {
    write("0001-age.sql", `${AGE_SQL}CREATE TABLE more (id INTEGER);\n`);
    let fails = true;
    const failing: RunStatement = async (sql, note) => {
      if (fails && sql.startsWith("CREATE TABLE more")) throw new Error("interrupted");
      return run(sql, note);
    };
    const go = () => runPending(readMigrations(folder), failing, 1, () => undefined);
    await expect(go()).rejects.toThrow("interrupted");
    fails = false;
    expect(await go()).toEqual(["0001-age.sql"]);
  });
});

it("rejects gaps, duplicates and a missing base in the numbers", () => {
  write("0001-age.sql", AGE_SQL);
  expect(() => readMigrations(folder)).toThrow("0000-base.sql is missing");
  write(BASE_MIGRATION, BASE_SQL);
  write("0003-later.sql", AGE_SQL);
  expect(() => readMigrations(folder)).toThrow("should have the number 0002");
  rmSync(join(folder, "0003-later.sql"));
  write("0001-duplicate.sql", AGE_SQL);
  expect(() => readMigrations(folder)).toThrow("0001-duplicate.sql should have the number 0002");
  rmSync(join(folder, "0001-duplicate.sql"));
  write("later.sql", AGE_SQL);
  expect(() => readMigrations(folder)).toThrow("no name of a migration");
});
