import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  actsKey,
  type DatabaseBackup,
  databaseBackupPrefix,
  latestDatabaseBackupKey,
  type Maintenance,
} from "@lambda/contract/backup";
import { FAKE_API_TOKEN, type FakeCloudflare, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { memberInserter } from "@lambda/testing/members";
import { messageSchema } from "@lambda/testing/message-databases";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Account, openAccount } from "../account/client.ts";
import { createDatabase } from "../account/resources.ts";
import { markAllDone, migrationsFor, readMigrations, runPending } from "../deploy/numbered-migrations.ts";
import { remoteRunner } from "../deploy/target.ts";
import { readSite, updateSite } from "../deployment/site-file.ts";
import { deleteStatements } from "../member-requests.ts";
import { dumpStatements } from "./database-dump.ts";
import { ID_STEP } from "./orders.ts";
import { openAgain, type RestoreCase, type RestoreOptions, restore } from "./restore.ts";

// Each loads databases a dozen times.
vi.setConfig({ testTimeout: 60_000 });

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SCHEMA = readFileSync(join(ROOT, "schema.sql"), "utf8");
const PAIR_ID = 2 ** 45 + 1;

let cloudflare: FakeCloudflare;
let account: Account;
let root: string;
let lines: string[];
let deployments: { databases: unknown; maintenance: Maintenance }[];
beforeEach(async () => {
  cloudflare = await startFakeCloudflare();
  account = await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base, account: cloudflare.account });
  root = mkdtempSync(join(tmpdir(), "restore-"));
  for (const file of ["wrangler.toml", "schema.sql", "migrations"])
    cpSync(join(ROOT, file), join(root, file), { recursive: true });
  for (const name of ["lambda-backups", "lambda-pictures"]) cloudflare.buckets.set(`eu/${name}`, new Map());
  [lines, deployments] = [[], []];
});
afterEach(async () => {
  await cloudflare.close();
  rmSync(root, { recursive: true });
});

const backups = () => cloudflare.buckets.get("eu/lambda-backups")!;
const put = (key: string, value: unknown) =>
  backups().set(key, Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));
const maintenance = () => JSON.parse(Buffer.from(backups().get("maintenance.json") ?? []).toString()) as Maintenance;
const idOf = (number: number) =>
  (number === 0 ? readSite(root)?.database : readSite(root)?.messageDatabases?.[number]) ?? "";
const sqlite = (number = 0): DatabaseSync => cloudflare.databases.get(idOf(number))!.sqlite;
const column = (sql: string, number = 0) =>
  sqlite(number)
    .prepare(sql)
    .all()
    .map((row) => Object.values(row)[0]);

/** Members 1 to 12 with a message database, whose schema is of this commit or of one before there were acts. */
async function createSite(lastMigration = 9999): Promise<void> {
  const all = readMigrations(join(root, "migrations")).slice(0, lastMigration);
  updateSite(root, { answers: { location: "eu" } as never, account: account.id });
  for (const [number, name, kind] of [
    [0, "lambda", "main"],
    [1, "lambda-messages-1", "messages"],
  ] as const) {
    const { uuid } = await createDatabase(account, name, "eu");
    updateSite(root, number === 0 ? { database: uuid } : { messageDatabases: { 1: uuid } });
    const run = remoteRunner({ account, databaseId: uuid });
    const migrations = migrationsFor(kind, all);
    const base = migrations[0]?.text ?? "";
    const isWhole = lastMigration === 9999;
    sqlite(number).exec(
      isWhole ? (number === 0 ? SCHEMA : messageSchema(SCHEMA)) : number === 0 ? base : messageSchema(base),
    );
    await markAllDone(isWhole ? migrations : migrations.slice(0, 1), run, 1);
    await runPending(migrations, run, 1, () => undefined);
  }
  const insert = memberInserter(sqlite());
  for (let id = 1; id <= 12; id += 1) insert({ id, email: `m${id}@mail.test` });
  sqlite().exec(`INSERT INTO message_pair (low_id, high_id, shard) VALUES (1, 2, 1);
    INSERT INTO position (profile_id, use, precision, cell, key, ts_published, ts_effective_until) VALUES (10, 'DEVICE_GPS', 'street', 1, 1, 1, 9e15);
    INSERT INTO album_grant (owner_id, member_id, state, ts_created) VALUES (7, 8, 'granted', 1), (7, 9, 'granted', 1)`);
  sqlite(
    1,
  ).exec(`INSERT INTO message (id, sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
    VALUES (${PAIR_ID}, 1, 2, 1, 2, 'a', 'secret', 'ember', 1)`);
}

/** As the worker's nightly job. */
function backUp(ts: number): void {
  const day = new Date(ts).toISOString().slice(0, 10);
  for (const number of [0, 1]) {
    const sql = [...dumpStatements(sqlite(number))].join("\n");
    const key = `${databaseBackupPrefix(number)}${day}.sql`;
    const sha256 = createHash("sha256").update(sql).digest("hex");
    const backup: DatabaseBackup = { key, ts, bytes: sql.length, sha256, rows: {}, commit: "c0ffee" };
    put(key, sql);
    put(key.replace(/sql$/, "json"), backup);
    put(latestDatabaseBackupKey(number), backup);
  }
}

/** What members and staff did since. `stored`: the worker's hourly job has run. */
function act(stored: boolean): void {
  const site = sqlite();
  if (column("SELECT count(*) FROM sqlite_master WHERE name = 'protective_act'")[0] === 0) return;
  for (const sql of [
    "UPDATE account SET email = 'moved@mail.test', mailbox = 'moved@mail.test' WHERE id = 1",
    ...deleteStatements(1, Date.now() - HOUR_MS),
    ...deleteStatements(2, Date.now() - 40 * DAY_MS),
    "DELETE FROM account WHERE id = 2",
    "INSERT INTO block VALUES (3, 4, 1, 0, 1), (4, 3, 0, 1, 1)",
    "UPDATE profile SET hidden = 1 WHERE id = 5",
    `INSERT INTO moderation_action (profile_id, case_ref, brand, kind, rule, reason, by_jury, ts_created) VALUES (6, 'c', 'ember', 'ban', 'spam', 'r', 0, 1)`,
    "UPDATE profile SET status = 'banned' WHERE id = 6",
    "DELETE FROM album_grant WHERE owner_id = 7 AND member_id = 8",
  ])
    site.exec(sql);
  sqlite(1).exec(`UPDATE message SET ts_unsent = 5, body_text = '' WHERE id = ${PAIR_ID}`);
  if (!stored) return;
  for (const number of [0, 1]) {
    put(
      actsKey(number, Date.now(), 99),
      sqlite(number).prepare("SELECT kind, member, other, detail, ts FROM protective_act").all(),
    );
    sqlite(number).exec("DELETE FROM protective_act");
  }
}

/** The command, killed after each step and in the middle of the first load, and run again each time. */
async function restoreKilled(what: RestoreCase, to?: string, flags: Partial<RestoreOptions> = {}): Promise<string[]> {
  const killed = new Set<string>();
  const kill = (step: string) => {
    if (killed.has(step)) return;
    killed.add(step);
    throw new Error(`killed after ${step}`);
  };
  for (;;) {
    try {
      await restore({
        ...{ account, root, what, to, ...flags },
        load: async ({ id }, file) => {
          const text = readFileSync(file, "utf8");
          const target = cloudflare.databases.get(id)!.sqlite;
          if (!killed.has("a part of a load")) {
            target.exec(
              text
                .split("\n")
                .slice(0, 30)
                .join("\n")
                .replace(/;[^;]*$/, ";"),
            );
            kill("a part of a load");
          }
          target.exec(text);
        },
        deploy: async (pass) => {
          expect(maintenance()).toMatchObject({ on: true, pass });
          deployments.push({ databases: [idOf(0), idOf(1)], maintenance: maintenance() });
        },
        requireDeployable: async () => expect(backups().has("maintenance.json")).toBe(false),
        settle: async () => expect(maintenance().on).toBe(true),
        say: (line) => lines.push(line),
        afterStep: kill,
      });
      return [...killed];
    } catch (error) {
      if (!(error as Error).message.startsWith("killed after")) throw error;
      // Whatever happens to the operator's machine, nobody comes in meanwhile.
      if (!killed.has("close") || killed.has("open")) continue;
      expect(maintenance()).toMatchObject({ on: true, restoredTo: expect.any(String), restoredAt: expect.any(String) });
      // Not even whoever opens it by hand lets jobs delete by rows of that time.
      if (what !== "everything")
        expect(cloudflare.buckets.get("eu/lambda-pictures")?.has("jobs/database-mark.json")).toBe(true);
    }
  }
}

function expectProtected(): void {
  expect(column("SELECT id FROM account WHERE ts_deleted IS NOT NULL ORDER BY id")).toEqual([1, 2]);
  expect(column("SELECT profile_id || ' ' || other_id FROM block WHERE blocked_by_profile = 1")).toEqual(["3 4"]);
  expect(column("SELECT id FROM profile WHERE hidden = 1")).toEqual([5]);
  expect(column("SELECT id FROM profile WHERE status = 'banned'")).toEqual([6]);
  expect(column("SELECT member_id FROM album_grant WHERE owner_id = 7")).toEqual([9]);
  expect(column("SELECT email FROM account WHERE id = 1")).toEqual(["moved@mail.test"]);
  expect(column("SELECT count(*) FROM account")).toEqual([12]);
  expect(column("SELECT profile_id FROM position")).toEqual([]);
  expect(column("SELECT body_text FROM message", 1)).toEqual([""]);
  expect(column("SELECT version > synced_version FROM message_pair", 1)).toEqual([1]);
  expect(column("SELECT seq FROM sqlite_sequence WHERE name = 'account'")[0]).toBeGreaterThan(ID_STEP);
  expect(existsSync(join(root, "deployment/restore.json"))).toBe(false);
  expect(existsSync(join(root, "deployment/restore"))).toBe(false);
}

it.each([
  ["database", 8],
  ["everything", 29],
] as const)(
  "npm run recover -- %s, killed at each step: the backup of %i days ago, with nothing undone that was closed since",
  async (what, days) => {
    await createSite(days === 29 ? 31 : undefined);
    const ts = Date.now() - days * DAY_MS;
    backUp(ts);
    const old = [idOf(0), idOf(1)];
    // Meanwhile the site took newer versions.
    for (const number of [0, 1]) {
      const kind = number === 0 ? "main" : "messages";
      await runPending(
        migrationsFor(kind, readMigrations(join(root, "migrations"))),
        remoteRunner({ account, databaseId: idOf(number) }),
        1,
        () => undefined,
      );
    }
    sqlite(0).exec("DELETE FROM protective_act");
    act(true);
    for (const id of old) cloudflare.databases.delete(id);
    if (what === "everything") cloudflare.buckets.delete("eu/lambda-pictures");
    const killed = await restoreKilled(what, days === 29 ? new Date(ts).toISOString().slice(0, 10) : undefined);
    expect(killed).toHaveLength(what === "everything" ? 13 : 12);
    expectProtected();
    const names = [...cloudflare.databases.values()].map(({ name, location, replication }) => [
      name.replace(/\d{8}/, "day"),
      location,
      replication,
    ]);
    // The first load was killed halfway, so that its database is not used.
    expect(names).toEqual([
      ["lambda-day-1", "eu", "disabled"],
      ["lambda-day-2", "eu", "auto"],
      ["lambda-messages-1-day-1", "eu", "auto"],
    ]);
    expect(deployments.at(-1)?.databases).toEqual([idOf(0), idOf(1)]);
    expect(old).not.toContain(idOf(0));
    expect(maintenance()).toMatchObject({ on: false, restoredTo: new Date(ts).toISOString() });
    expect(lines.join("\n")).toContain(
      "lambda cannot be read: what members blocked, hid or deleted within its last hour is lost",
    );
    const orders = [...(cloudflare.buckets.get("eu/lambda-pictures")?.keys() ?? [])].filter((key) =>
      key.startsWith("jobs/restore"),
    );
    expect(orders).toEqual(what === "everything" ? ["jobs/restore-pictures.json"] : []);
  },
);

it("npm run recover -- time, killed at each step: Time Travel 29 days back, with what the hourly job had not stored yet", async () => {
  await createSite();
  const ts = Date.now() - 29 * DAY_MS;
  for (const number of [0, 1]) cloudflare.keepState(idOf(number), ts);
  const before = new Date(ts + 1).toISOString();
  act(false);
  sqlite().exec(
    "INSERT INTO profile_note (author_id, about_id, body_text, private_tags, ts_updated) VALUES (7, 8, 'later', '[]', 1)",
  );
  expect(await restoreKilled("time", before)).toEqual([
    "find",
    "check",
    "close",
    "save",
    "travel",
    "migrate",
    "protect",
    "open",
  ]);
  expectProtected();
  expect(column("SELECT count(*) FROM profile_note")).toEqual([0]);
  expect(maintenance()).toMatchObject({ on: false, restoredTo: before });
  expect(deployments).toEqual([]);
});

it("npm run recover -- pictures, killed: makes the lost bucket where the data is, and keeps nobody out", async () => {
  await createSite();
  cloudflare.buckets.delete("eu/lambda-pictures");
  for (let twice = 0; twice < 2; twice += 1) {
    expect(await restoreKilled("pictures")).toEqual(["pictures"]);
    const bucket = cloudflare.buckets.get("eu/lambda-pictures")!;
    // The worker copies back from here, and no job deletes what it finds without a row meanwhile.
    expect([...bucket.keys()].toSorted()).toEqual(["jobs/database-mark.json", "jobs/restore-pictures.json"]);
  }
  expect(backups().has("maintenance.json")).toBe(false);
  expect(deployments).toEqual([]);
});

it("refuses a damaged backup, a day without one and another restore in between, and closes nothing for a day that is none", async () => {
  await createSite();
  backUp(Date.now() - DAY_MS);
  await expect(restoreKilled("database", "yesterday")).rejects.toThrow("is no day");
  await expect(restoreKilled("database", "2020-01-01")).rejects.toThrow(/There is no backup .* There are: \d{4}/);
  expect(backups().has("maintenance.json")).toBe(false);
  const [key] = [...backups().keys()].filter((name) => name.endsWith(".sql"));
  put(key!, Buffer.from(backups().get(key!)!).toString().replace("m1@mail.test", "m0@mail.test"));
  await expect(restoreKilled("database")).rejects.toThrow("checksum differs");
  // The operator chooses another day, or another way.
  expect(backups().has("maintenance.json")).toBe(false);
  await expect(restoreKilled("time", "2099-11-20T18:00:00Z")).rejects.toThrow("Say to which time");
});

it("fetches no file of acts twice, and waits where the platform takes no more calls", async () => {
  await createSite();
  for (const number of [0, 1]) cloudflare.keepState(idOf(number), Date.now() - DAY_MS);
  for (let hour = 0; hour < 24; hour += 1) put(actsKey(0, Date.now() - hour * HOUR_MS, hour), []);
  Object.assign(cloudflare.rate, { calls: 40, withinMs: 1_000 });
  const warnings = vi.spyOn(console, "error").mockReturnValue();
  cloudflare.requests.length = 0;
  await restoreKilled("time", new Date(Date.now() - DAY_MS + 1).toISOString());
  expect(cloudflare.requests.filter((each) => /^GET .*objects\/acts/.test(each)).length).toBeLessThan(40);
  warnings.mockRestore();
  expect(maintenance().on).toBe(false);
});

it("refuses a time beyond those of Time Travel, and keeps nobody out for it", async () => {
  await createSite();
  const old = new Date(Date.now() - 31 * DAY_MS).toISOString();
  await expect(restoreKilled("time", old)).rejects.toThrow("not within the last 30 days");
  expect(backups().has("maintenance.json")).toBe(false);
});

it("names a damaged file of acts before it closes or changes anything, and goes on without it on demand, saying what is missing", async () => {
  await createSite();
  backUp(Date.now() - DAY_MS);
  act(true);
  const truncated = actsKey(1, Date.now() - 7, 1);
  const senseless = actsKey(0, Date.now() - 8, 2);
  put(truncated, '[{"kind":"unsent","member":1,');
  const hides = { kind: "sight", member: 12, other: 0, ts: Date.now() };
  const detail = JSON.stringify({ hides: 1, restricted: 0, brands: 3, discreet: 0 });
  put(senseless, [
    { ...hides, detail: '{"hides":1}' },
    { ...hides, kind: "sigh", detail },
    { ...hides, member: "1; --", detail },
    { ...hides, detail },
  ]);
  const refused = restoreKilled("database");
  await expect(refused).rejects.toThrow(`- ${truncated}: it is no JSON`);
  await expect(refused).rejects.toThrow(`- ${senseless}: 3 of 4 acts make no sense, the first is number 1`);
  await expect(refused).rejects.toThrow(`To go on nevertheless: npm run recover -- database --without ${senseless}`);
  expect(backups().has("maintenance.json")).toBe(false);
  await restoreKilled("database", undefined, { without: [truncated, senseless] });
  expect(column("SELECT id FROM profile WHERE hidden = 1")).toEqual([5, 12]);
  expect(maintenance().on).toBe(false);
  expect(lines.join("\n")).toContain(`Not done again: what ${truncated} says`);
});

it("does what else the database accepts again when it refuses an act, and opens only on demand", async () => {
  await createSite();
  backUp(Date.now() - DAY_MS);
  act(true);
  const detail = JSON.stringify({ private: 0, hidden: 77 });
  sqlite().exec(
    "INSERT INTO picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated) VALUES (1, 12, 'public', 1, 1, 1, 1, 1)",
  );
  backUp(Date.now() - DAY_MS);
  put(actsKey(0, Date.now() - 1, 3), [{ kind: "picture", member: 12, other: 1, detail, ts: Date.now() }]);
  await expect(restoreKilled("database")).rejects.toThrow(/refuses it:\n- picture of member 12, about 1, at .*CHECK/);
  expect(maintenance().on).toBe(true);
  await restoreKilled("database", undefined, { despiteFaults: true });
  expect(column("SELECT id FROM profile WHERE hidden = 1")).toEqual([5]);
  expect(maintenance().on).toBe(false);
});

it("says before it closes anything that the pictures are lost too", async () => {
  await createSite();
  backUp(Date.now() - DAY_MS);
  cloudflare.buckets.delete("eu/lambda-pictures");
  await expect(restoreKilled("database")).rejects.toThrow("is lost too: npm run recover -- everything");
  expect(backups().has("maintenance.json")).toBe(false);
});

it("can be given up until it has changed something, and no other begins meanwhile", async () => {
  await createSite();
  backUp(Date.now() - DAY_MS);
  const say = (line: string) => lines.push(line);
  const stopAfter = (last: string) =>
    restore({
      ...{ account, root, what: "database", say, deploy: async () => undefined, settle: async () => undefined },
      requireDeployable: async () => undefined,
      load: async ({ id }, file) => cloudflare.databases.get(id)!.sqlite.exec(readFileSync(file, "utf8")),
      afterStep: (step) => {
        if (step === last) throw new Error("killed");
      },
    });
  await expect(stopAfter("load")).rejects.toThrow("killed");
  await expect(restoreKilled("time", "2026-11-20T18:00:00Z")).rejects.toThrow(
    "Continue it: npm run recover -- database",
  );
  await openAgain({ account, root, say });
  expect([maintenance(), lines.at(-1)]).toEqual([{ on: false }, "Members are let in again. Nothing was restored."]);
  await expect(stopAfter("protect")).rejects.toThrow("killed");
  await expect(openAgain({ account, root, say })).rejects.toThrow("only going on helps. npm run recover -- database");
  expect(maintenance().on).toBe(true);
});
