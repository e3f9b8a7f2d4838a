import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { dumpDatabase, restoreDump, tableChecksums } from "@lambda/tooling/database-dump";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseMigration, runMigration } from "../../tooling/src/migration.ts";
import { makeMembers } from "./restore.ts";

const MEMBERS = 400;
let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "operations-"));
  file = join(directory, "members.sqlite");
  makeMembers(file, MEMBERS);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a restored database", () => {
  it("has the same rows in every table, and its triggers", async () => {
    const [dump, restored] = [join(directory, "dump.sql"), join(directory, "restored.sqlite")];
    dumpDatabase(dump, file);
    await restoreDump(dump, restored);
    const before = tableChecksums(file);
    expect(tableChecksums(restored)).toEqual(before);
    expect(before.get("message")?.rows).toBe(MEMBERS);
    const db = new DatabaseSync(restored);
    db.exec("UPDATE profile SET hidden = 1 WHERE id = 1");
    expect(db.prepare("SELECT count(*) AS n FROM presence").get()).toEqual({ n: MEMBERS - 1 });
    db.close();
    expect(tableChecksums(restored)).not.toEqual(before);
  });
});

describe("a migration", () => {
  const steps = parseMigration(`
    -- when the member joined
    ALTER TABLE profile ADD COLUMN ts_joined INTEGER NOT NULL DEFAULT 0;
    -- chunks of profile.id
    UPDATE profile SET ts_joined = (SELECT ts_created FROM account a WHERE a.id = profile.id)
    WHERE id > :from AND id <= :to;
  `);

  it("updates every row once, in chunks, and resumes after an interruption", async () => {
    const db = new DatabaseSync(file);
    const lines: string[] = [];
    let updatesLeft = 1;
    const migrate = () =>
      runMigration(
        "joined.sql",
        steps,
        async (sql, note) => {
          if (sql.startsWith("UPDATE profile") && updatesLeft-- === 0) throw new Error("interrupted");
          const rows = db.prepare(sql).all() as Record<string, unknown>[];
          if (note) db.exec(note);
          return rows;
        },
        (line) => lines.push(line.replace(/[\d.]+ s$/, "")),
        150,
      );
    await expect(migrate()).rejects.toThrow("interrupted");
    updatesLeft = Number.POSITIVE_INFINITY;
    await migrate();
    await migrate();
    const chunks = [150, 150, 100].map((rows) => `step 2 of 2: ${rows} rows, `);
    expect(lines).toEqual(["step 1 of 2", ...chunks]);
    expect(db.prepare("SELECT count(*) AS n FROM profile WHERE ts_joined > 0").get()).toEqual({ n: MEMBERS });
    db.close();
  });

  it("rejects a chunked statement without a key, and a key without chunks", () => {
    expect(() => parseMigration("UPDATE profile SET hidden = 0 WHERE id > :from AND id <= :to;")).toThrow("belong");
    expect(() => parseMigration("-- chunks of profile.id\nUPDATE profile SET hidden = 0;")).toThrow("belong");
  });
});
