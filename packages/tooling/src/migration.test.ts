import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseMigration, type RunStatement, runMigration } from "./migration.ts";

const MIGRATION = `
  ALTER TABLE member ADD COLUMN age INTEGER;
  DROP TRIGGER IF EXISTS member_named;
  -- Rejects empty names.
  CREATE TRIGGER member_named AFTER UPDATE OF name ON member
  BEGIN
    SELECT CASE WHEN new.name = '' THEN RAISE(ABORT, 'no name')
    END;
    UPDATE member SET age = age + 1 WHERE id = new.id; -- older
  END;
  CREATE TRIGGER member_gone AFTER DELETE ON member BEGIN SELECT 1; END;
  CREATE INDEX member_age ON member (age);
`;

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT");
});
afterEach(() => database.close());

describe("a migration", () => {
  it("parses a trigger as one statement, and rejects one without its END", () => {
    const steps = parseMigration(MIGRATION);
    expect(steps.map(({ sql }) => sql.split(" ").slice(0, 3).join(" "))).toEqual([
      "ALTER TABLE member",
      "DROP TRIGGER IF",
      "CREATE TRIGGER member_named",
      "CREATE TRIGGER member_gone",
      "CREATE INDEX member_age",
    ]);
    for (const { sql } of steps) database.exec(sql);
    expect(() => parseMigration("CREATE TRIGGER t AFTER DELETE ON member BEGIN\n SELECT 1;\n")).toThrow("END");
  });

  it("resumes after the last completed step", async () => {
    let fails = true;
    const run: RunStatement = async (sql, note) => {
      const rows = database.prepare(sql).all();
      if (note) database.exec(note);
      if (fails && sql.startsWith("ALTER")) throw new Error("interrupted");
      return rows;
    };
    const migrate = () => runMigration("age.sql", parseMigration(MIGRATION), run, () => undefined);
    await expect(migrate()).rejects.toThrow("interrupted");
    fails = false;
    await migrate();
    expect(database.prepare("SELECT count(*) AS n FROM migration_progress").get()).toEqual({ n: 5 });
  });

  const run: RunStatement = async (sql, note) => {
    const rows = database.prepare(sql).all();
    if (note) database.exec(note);
    return rows;
  };
  const migrate = (text: string) => runMigration("age.sql", parseMigration(text), run, () => undefined);
  const tables = () => database.prepare("SELECT name FROM sqlite_master WHERE name IN ('first', 'last')").all();

  it("is rejected if steps that ran were edited, except for whitespace", async () => {
    await migrate(MIGRATION);
    await migrate(MIGRATION.replaceAll("\n", "\n\n"));
    const prepended = `CREATE TABLE first (id INTEGER);\n${MIGRATION}`;
    await expect(migrate(prepended)).rejects.toThrow(
      "age.sql was edited after its step 1 ran; it is now: CREATE TABLE first",
    );
    await expect(migrate(MIGRATION.replace("age INTEGER", "age TEXT"))).rejects.toThrow("step 1");
    await expect(migrate("ALTER TABLE member ADD COLUMN age INTEGER;\n")).rejects.toThrow(
      "step 2 ran; it is not there",
    );
    expect(tables()).toEqual([]);
    await migrate(`${MIGRATION}CREATE TABLE last (id INTEGER);\n`);
    expect(tables()).toEqual([{ name: "last" }]);
  });
});
