import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DAY_MS, HOUR_MS } from "@lambda/contract/limits";
import { FAKE_API_TOKEN, type FakeCloudflare, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { createMember } from "@lambda/testing/member";
import { messageSchema } from "@lambda/testing/message-databases";
import { uploadPicture } from "@lambda/testing/pictures";
import { ROOT } from "@lambda/testing/site";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { dumpStatements } from "@lambda/tooling/database-dump";
import { drill } from "@lambda/tooling/drill";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../env.ts";
import { backUpDatabase, backUpDatabases } from "./database.ts";
import { copyPictures, restorePictures } from "./pictures.ts";
import { isKept } from "./retention.ts";

const DATABASE = "the-database";
const NOW = Date.UTC(2026, 10, 22, 1, 41);

let worker: TestWorker;
let cloudflare: FakeCloudflare;
let env: Env;
let folder: string;
beforeEach(async () => {
  worker = await startWorker();
  cloudflare = await startFakeCloudflare();
  folder = mkdtempSync(join(tmpdir(), "backup-"));
  const given = { BACKUP_TOKEN: FAKE_API_TOKEN, BACKUP_ACCOUNT: cloudflare.account, BACKUP_DATABASE: DATABASE };
  env = Object.assign(Object.create(worker.env), given) as Env;
});
afterEach(async () => {
  await cloudflare.close();
  rmSync(folder, { recursive: true });
});

/** A copy of the worker's database for the fake Cloudflare API to export. */
async function createExport(): Promise<DatabaseSync> {
  const copy = new DatabaseSync(":memory:");
  copy.exec(readFileSync(join(ROOT, "schema.sql"), "utf8"));
  copy.exec("PRAGMA foreign_keys = OFF");
  const triggers = copy.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) copy.exec(`DROP TRIGGER ${name}`);
  for (const table of ["account", "profile", "picture", "bucket_mark"]) {
    const { results } = await worker.env.DB.prepare(`select * from ${table}`).all<Record<string, never>>();
    const columns = copy
      .prepare("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => String(name));
    copy.exec(`DELETE FROM ${table}`);
    const insert = copy.prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    for (const row of results) insert.run(...columns.map((column) => row[column]!));
  }
  for (const { sql } of triggers) copy.exec(sql);
  cloudflare.databases.set(DATABASE, { name: "lambda", location: "", sqlite: copy, replication: "auto" });
  return copy;
}

const backUp = async () => {
  const copy = await createExport();
  cloudflare.dumps.set(DATABASE, Buffer.from([...dumpStatements(copy)].join("\n")));
  await backUpDatabase(env, NOW, cloudflare.base, 1);
};
const keys = async (prefix: string) => (await env.BACKUPS.list({ prefix })).objects.map(({ key }) => key);
/** @param listUnused by default no row names what is gone */
const copyAll = (now: number, mayDelete = true, listUnused = async (gone: readonly string[]) => gone) =>
  copyPictures(env, now, async () => mayDelete, listUnused);
const runDrill = (messages: readonly number[] = [], now = NOW + DAY_MS) =>
  drill({
    folder,
    now,
    messages,
    schema: readFileSync(join(ROOT, "schema.sql"), "utf8"),
    fetchObject: async (key) => {
      const file = join(folder, key.replaceAll("/", "_"));
      const object = await env.BACKUPS.get(key);
      if (!object) throw new Error(`no ${key}`);
      writeFileSync(file, Buffer.from(await object.arrayBuffer()));
      return file;
    },
  });

/** Holds more objects than a local bucket takes in a second. */
function memoryBucket(): R2Bucket {
  const stored = new Map<string, string>();
  const get = async (key: string) => {
    const text = stored.get(key);
    return text === undefined ? null : { key, body: text, text: async () => text, json: async () => JSON.parse(text) };
  };
  const bucket = {
    get,
    head: get,
    put: async (key: string, text: string) => void stored.set(key, text),
    delete: async (keys: string | string[]) => [keys].flat().forEach((key) => void stored.delete(key)),
    list: async ({ prefix = "", startAfter = "" }: R2ListOptions) => {
      const all = [...stored.keys()].filter((key) => key.startsWith(prefix) && key > startAfter).sort();
      const objects = all.slice(0, 1000).map((key) => ({ key, etag: "", size: 0 }));
      return { objects, truncated: all.length > objects.length };
    },
  };
  return bucket as unknown as R2Bucket;
}

describe("the nightly export", () => {
  it("is copied into a separate bucket with its checksum and row counts, and can be restored with its pictures", async () => {
    const member = await createMember(worker);
    await uploadPicture(member);
    await backUp();
    await copyAll(Date.now() + DAY_MS);
    const { backup, pictures, tables, faults } = await runDrill();
    const comparable = new Set(["account", "profile", "picture"]);
    // The export's other tables are empty.
    expect(faults.filter((fault) => comparable.has(fault.split(" ")[0] ?? ""))).toEqual([]);
    expect(faults.filter((fault) => /copy|checksum|schema|integrity/.test(fault))).toEqual([]);
    expect(pictures).toBe(1);
    expect(tables.find(({ name }) => name === "account")?.rows).toBe(backup.rows.account?.[0]);
    const dump = Buffer.from(cloudflare.dumps.get(DATABASE) ?? []);
    expect(backup).toMatchObject({
      bytes: dump.byteLength,
      sha256: createHash("sha256").update(dump).digest("hex"),
    });
  });

  it("fails the drill if it is damaged or lacks rows or a picture", async () => {
    await uploadPicture(await createMember(worker));
    await backUp();
    await copyAll(NOW);
    const [exportKey] = (await keys("database/")).filter((key) => key.endsWith(".sql"));
    const sql = Buffer.from(await (await env.BACKUPS.get(exportKey!))!.arrayBuffer()).toString("utf8");
    const rows = sql.split("\n").filter((line: string) => /^INSERT INTO "(\w+)"/.exec(line)?.[1] !== "account");
    await env.BACKUPS.put(exportKey!, rows.join("\n"));
    const [list] = await keys("inventory/2026");
    await env.BACKUPS.put(list!, "");
    await env.BACKUPS.put("inventory/latest.json", JSON.stringify({ ts: NOW + 30 * DAY_MS, lists: [list] }));
    const { faults } = await runDrill();
    expect(faults.join("\n")).toMatch(
      /checksum differs[\s\S]*account has 0 rows and had[\s\S]*name a row that is not there[\s\S]*has no copy/,
    );
  });

  it("throws when D1 refuses the export, and keeps the previous one", async () => {
    await backUp();
    cloudflare.failNext(/export$/, 403);
    await expect(backUpDatabase(env, NOW + DAY_MS, cloudflare.base, 1)).rejects.toThrow("not allowed");
    expect(await keys("database/2026-11-2")).toEqual(["database/2026-11-22.json", "database/2026-11-22.sql"]);
    await backUpDatabase(worker.env, NOW, cloudflare.base, 1);
  });

  it("is kept for two weeks, Sunday's for 30 days, and no longer", async () => {
    const kept = Array.from({ length: 40 }, (_, days) =>
      new Date(NOW - days * DAY_MS).toISOString().slice(0, 10),
    ).filter((day) => isKept(day, NOW));
    expect([kept.length, kept.slice(15)]).toEqual([17, ["2026-11-01", "2026-10-25"]]);
    for (const day of ["2026-11-07", "2026-11-01", "2026-10-18"]) await env.BACKUPS.put(`database/${day}.sql`, "");
    await backUp();
    expect(await keys("database/2026")).toEqual([
      "database/2026-11-01.sql",
      "database/2026-11-22.json",
      "database/2026-11-22.sql",
    ]);
  });
});

describe("message databases", () => {
  /** A message database with a conversation per id, for the fake Cloudflare API to export. */
  function exportMessages(number: number, pairs: readonly number[]): void {
    const copy = new DatabaseSync(":memory:");
    copy.exec(messageSchema(readFileSync(join(ROOT, "schema.sql"), "utf8")));
    for (const high of pairs) copy.exec(`INSERT INTO message_pair (low_id, high_id, version) VALUES (1, ${high}, 1)`);
    const id = `messages-${number}`;
    cloudflare.databases.set(id, { name: id, location: "", sqlite: copy, replication: "auto" });
    cloudflare.dumps.set(id, Buffer.from([...dumpStatements(copy)].join("\n")));
  }
  const runNight = async (now: number) => backUpDatabases(env, now, cloudflare.base, 1);

  beforeEach(async () => {
    worker = await startWorker({ messageDatabases: 2 });
    env = Object.assign(Object.create(worker.env), {
      BACKUP_TOKEN: FAKE_API_TOKEN,
      BACKUP_ACCOUNT: cloudflare.account,
      BACKUP_DATABASE: DATABASE,
      BACKUP_MESSAGES: "1:messages-1 2:messages-2",
    }) as Env;
    cloudflare.dumps.set(DATABASE, Buffer.from([...dumpStatements(await createExport())].join("\n")));
    const insertPairs = (database: number) =>
      [2, 3].map((high) => ({
        query: `insert into message_pair (low_id, high_id, version) values (1, ${high}, 1)`,
        database,
      }));
    await worker.run(...insertPairs(1), ...insertPairs(2));
    exportMessages(1, [2, 3]);
    exportMessages(2, [2, 3]);
  });

  it("are each backed up once a night after the main one, and the next run retries one that failed", async () => {
    cloudflare.failNext(/messages-1\/export$/, 500);
    await expect(runNight(NOW)).rejects.toThrow("not allowed or failed");
    expect(await keys("messages-")).toEqual([
      "messages-2/2026-11-22.json",
      "messages-2/2026-11-22.sql",
      "messages-2/latest.json",
    ]);
    cloudflare.requests.length = 0;
    await runNight(NOW + 3_600_000);
    expect(
      cloudflare.requests
        .filter((request) => request.endsWith("/export"))
        .every((request) => request.includes("messages-1")),
    ).toBe(true);
    expect(await keys("messages-1/")).toHaveLength(3);
    cloudflare.requests.length = 0;
    await runNight(NOW + 2 * 3_600_000);
    expect(cloudflare.requests).toEqual([]);
  });

  it("are restored and compared by the drill, which reports missing rows", async () => {
    await copyAll(NOW);
    await runNight(NOW);
    const whole = await runDrill([1, 2]);
    expect(
      whole.messages.map(({ number, tables }) => [number, tables.find(({ name }) => name === "message_pair")?.rows]),
    ).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(whole.faults.filter((fault) => fault.startsWith("messages"))).toEqual([]);
    exportMessages(2, [2]);
    for (const number of [0, 1, 2]) rmSync(join(folder, `restored-${number}.sqlite`));
    await runNight(NOW + DAY_MS);
    const { faults } = await runDrill([1, 2], NOW + DAY_MS);
    expect(faults.join()).toContain("messages 2: message_pair has 1 rows and had 2 before");
  });
});

describe("picture copies", () => {
  const put = (key: string, text = key) => worker.env.PICTURES.put(key, text);

  it("follow additions, changes and deletions once a day, and erase deleted pictures after 30 days", async () => {
    for (const key of ["evidence/a", "pictures/1", "pictures/2", "trash/2026-11-01/x", "jobs/y", "once/z"])
      await put(key);
    await copyAll(NOW);
    expect(await keys("objects/")).toEqual(["objects/evidence/a", "objects/pictures/1", "objects/pictures/2"]);
    await put("pictures/1", "changed");
    await worker.env.PICTURES.delete("pictures/2");
    await copyAll(NOW + 3_600_000);
    expect(await keys("gone/")).toEqual([]);
    await copyAll(NOW + DAY_MS);
    expect(await (await env.BACKUPS.get("objects/pictures/1"))?.text()).toBe("changed");
    expect(await keys("gone/")).toEqual(["gone/2026-11-23/pictures/2"]);
    for (const days of [30, 31]) await copyAll(NOW + days * DAY_MS);
    expect((await keys("gone/")).length).toBe(1);
    await copyAll(NOW + 32 * DAY_MS);
    expect(await keys("gone/")).toEqual([]);
  });

  it("are kept when more than a hundredth is gone that rows still name, which is an alert, and come back by one order, which a killed run leaves to the next", async () => {
    const all = Array.from({ length: 40 }, (_, index) => `pictures/${String(index).padStart(3, "0")}`);
    await Promise.all(all.map((key) => put(key)));
    await copyAll(NOW);
    await worker.env.PICTURES.delete(all);
    await put("pictures/000", "newer");
    const errors = vi.spyOn(console, "error").mockReturnValue();
    for (const days of [1, 2, 40]) await copyAll(NOW + days * DAY_MS, true, async () => []);
    expect(errors.mock.lastCall?.[0]).toContain('"event":"pictures-gone","missing":39');
    errors.mockRestore();
    expect(await keys("gone/")).toEqual([]);
    expect(await keys("objects/")).toHaveLength(40);

    const lines = vi.spyOn(console, "log").mockReturnValue();
    await put("jobs/restore-pictures.json", "{}");
    const back = async () => (await worker.env.PICTURES.list({ prefix: "pictures/" })).objects.length;
    let puts = 0;
    const killed = Object.create(env.PICTURES, {
      put: {
        value: async (...object: Parameters<R2Bucket["put"]>) => {
          puts += 1;
          if (puts > 10) throw new Error("killed");
          return env.PICTURES.put(...object);
        },
      },
    }) as R2Bucket;
    await expect(restorePictures(Object.assign(Object.create(env), { PICTURES: killed }))).rejects.toThrow("killed");
    expect(await back()).toBe(11);
    await restorePictures(env);
    expect([await back(), await worker.env.PICTURES.head("jobs/restore-pictures.json")]).toEqual([40, null]);
    expect(lines.mock.lastCall?.[0]).toContain('"finished":true');
    lines.mockRestore();
    expect(await (await worker.env.PICTURES.get("pictures/000"))?.text()).toBe("newer");
  });

  it("follow a member who deletes many at once", async () => {
    const all = Array.from({ length: 40 }, (_, index) => `pictures/${index}`);
    await Promise.all(all.map((key) => put(key)));
    await copyAll(NOW);
    await worker.env.PICTURES.delete(all);
    await copyAll(NOW + DAY_MS);
    expect(await keys("objects/")).toEqual([]);
    expect(await keys("gone/")).toHaveLength(40);
  });

  it("are moved aside the same day however many are gone before them, except those that a row names again", async () => {
    const bucket = memoryBucket();
    const gone = Array.from({ length: 4500 }, (_, index) => `pictures/1/${index}`);
    for (const key of [...gone, "pictures/9/1"]) await bucket.put(`objects/${key}`, "");
    const named = new Set<string>();
    const listUnused = async (some: readonly string[]) => some.filter((key) => !named.has(key));
    const run = (hours: number) =>
      copyPictures(
        Object.assign(Object.create(env), { BACKUPS: bucket, PICTURES: memoryBucket() }),
        NOW + hours * HOUR_MS,
        async () => true,
        listUnused,
      );
    await run(0);
    named.add("pictures/1/7");
    for (let hours = 1; hours < 8; hours += 1) await run(hours);
    const left = (await bucket.list({ prefix: "objects/" })).objects.map(({ key }) => key);
    expect(left).toEqual(["objects/pictures/1/7"]);
    expect(await bucket.get("gone/2026-11-22/pictures/9/1")).not.toBeNull();
    // Nothing but the walk itself is left of the work.
    expect((await bucket.list({ prefix: "jobs/" })).objects.map(({ key }) => key)).toEqual(["jobs/walk.json"]);
  });

  it("are not deleted within a day of a restore", async () => {
    await put("pictures/1");
    await copyAll(NOW);
    await worker.env.PICTURES.delete("pictures/1");
    await copyAll(NOW + DAY_MS, false);
    expect(await keys("objects/")).toEqual(["objects/pictures/1"]);
  });
});
