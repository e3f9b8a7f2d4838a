import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { getBrand } from "@lambda/brands";
import { FAKE_API_TOKEN, type FakeCloudflare, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { messageSchema } from "@lambda/testing/message-databases";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAccount } from "../account/client.ts";
import { createDatabase } from "../account/resources.ts";
import { findDevelopmentCode } from "./checks.ts";
import { type DeployOptions, deploy } from "./deploy.ts";
import { goBack, listDeployments, previousVersion, requireDatabases, setTrafficSplit } from "./deployments.ts";
import { markAllDone } from "./numbered-migrations.ts";
import { ROLLOUT_STEPS } from "./rollout.ts";
import { changeSecret } from "./secret.ts";
import { remoteRunner, type Target } from "./target.ts";
import { uploadedVersion } from "./upload.ts";

const SCRIPT = "lambda-production";
const BASE = { name: "0000-base.sql", text: "CREATE TABLE member (id INTEGER PRIMARY KEY) STRICT;\n" };
const AGE = { name: "0001-age.sql", text: "ALTER TABLE member ADD COLUMN age INTEGER;\n" };
const SECRETS = readWranglerConfig().env.production.secrets?.required ?? [];

let cloudflare: FakeCloudflare;
let target: Target;
let output: string[];
let smokeTested: (string | undefined)[];
let failsAt: number;

beforeEach(async () => {
  cloudflare = await startFakeCloudflare();
  const account = await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base });
  const { uuid } = await createDatabase(account, "lambda", "eu");
  target = { account, script: SCRIPT, databaseId: uuid };
  const run = remoteRunner(target);
  await run(BASE.text);
  await markAllDone([BASE], run, 1);
  [output, smokeTested, failsAt] = [[], [], 0];
});
afterEach(() => cloudflare.close());

/** The configuration after npm run setup. */
function configured(): DeployOptions["config"] {
  const config = readWranglerConfig();
  const { production } = config.env;
  const changed = {
    ...production,
    d1_databases: [{ binding: "DB", database_name: "lambda", database_id: target.databaseId }] as const,
    vars: { ...production.vars, VAPID_PUBLIC_KEY: "key" },
    routes: [{ pattern: "ember.test" }],
  };
  return { ...config, migrations: [{ tag: "v1" }], env: { production: changed } };
}

/** A site that is already deployed. */
function deployed(): string {
  const version = cloudflare.addVersion(SCRIPT, true, "v1");
  for (const secret of SECRETS) cloudflare.scripts.get(SCRIPT)?.secrets.set(secret, "value");
  return version;
}

const go = (changes: Partial<DeployOptions> = {}) =>
  deploy({
    target,
    config: configured(),
    schema: BASE.text,
    migrations: [BASE],
    commit: "c0ffee",
    classCommit: "c1a55",
    atOnce: false,
    uncommitted: [],
    brands: [{ id: "ember", hosts: ["ember.test"], contact: getBrand("ember").contact }],
    steps: [10, 50, 100],
    looks: 2,
    dryRun: false,
    upload: async () => cloudflare.addVersion(SCRIPT, false),
    deployAtOnce: async () => void cloudflare.addVersion(SCRIPT, true, "v1"),
    setTriggers: async () => void output.push("triggers"),
    build: async () => void output.push("built"),
    keepFiles: async () => output.push(`files before ${cloudflare.scripts.get(SCRIPT)?.versions.length ?? 0}`),
    smoke: async (version) => {
      smokeTested.push(version);
      if (smokeTested.length === failsAt) throw new Error("/api/version answered 500");
    },
    awaitSite: async () => void output.push("awaited"),
    pause: async () => undefined,
    say: (line) => void output.push(line),
    ...changes,
  });

const deployments = () => cloudflare.scripts.get(SCRIPT)?.deployments.toReversed() ?? [];
const shares = () => deployments().map(({ versions }) => versions.map(({ percentage }) => percentage));
const running = () =>
  deployments()
    .at(-1)
    ?.versions.map(({ version_id }) => version_id);
/** Requests that could replace or empty a database, or delete from it. */
const harmful = () => cloudflare.requests.filter((request) => /^DELETE|time_travel|\/import/.test(request));

describe("a deployment", () => {
  it("keeps the files of its build before its version exists, and then takes one step", async () => {
    deployed();
    await go({ steps: ROLLOUT_STEPS });
    expect(output).toContain("files before 1");
    expect(shares()).toEqual([[100], [0.01, 99.99], [100]]);
  });

  it("rolls out step by step where it is told to, runs the smoke test before and after each step, and sets triggers", async () => {
    const before = deployed();
    await go();
    expect(shares()).toEqual([[100], [0.01, 99.99], [10, 90], [50, 50], [100]]);
    const [version] = running()!;
    expect(version).not.toBe(before);
    // Once at the smallest share and 100 percent, twice at the others.
    expect(smokeTested).toEqual(Array(6).fill(version));
    expect(output).toContain("triggers");
    expect(harmful()).toEqual([]);
  });

  it.each([1, 3, 6])("is rolled back if smoke test %d fails", async (test) => {
    const before = deployed();
    failsAt = test;
    await expect(go()).rejects.toThrow("was taken back");
    expect(running()).toEqual([before]);
    expect(output).not.toContain("triggers");
  });

  it("migrates the database before the code, and stops if the schema still differs", async () => {
    deployed();
    const schema = `${BASE.text}`.replace("PRIMARY KEY", "PRIMARY KEY, age INTEGER");
    await expect(go({ schema })).rejects.toThrow("table member. Write a migration");
    expect(running()).toHaveLength(1);
    expect(shares()).toEqual([[100]]);
    await go({ schema, migrations: [BASE, AGE] });
    expect(output).toContain("Migrated lambda: 0001-age.sql");
    await expect(go({ migrations: [BASE, { ...AGE, text: `${AGE.text}--` }] })).rejects.toThrow("was edited");
  });

  it("migrates each message database to its part of the schema, and refuses to unbind one in use", async () => {
    deployed();
    const part = (columns: string) =>
      `-- message databases: begin\nCREATE TABLE message_pair (${columns}) STRICT;\n-- message databases: end\n`;
    const base = { ...BASE, text: BASE.text + part("low_id INTEGER") };
    const wide = {
      name: "0001-wide.sql",
      text: "-- databases: main, messages\nALTER TABLE message_pair ADD COLUMN more INTEGER;\n",
    };
    const schema = BASE.text + part("low_id INTEGER, more INTEGER");
    await remoteRunner(target)(messageSchema(base.text));
    await remoteRunner(target)("DROP TABLE migration_done");
    await markAllDone([base], remoteRunner(target), 1);
    const { uuid } = await createDatabase(target.account, "lambda-messages-1", "eu");
    const messages = remoteRunner({ account: target.account, databaseId: uuid });
    await messages(messageSchema(base.text));
    await markAllDone([base], messages, 1);
    const config = configured();
    const { production } = config.env;
    const bound = { binding: "MESSAGES_1", database_name: "lambda-messages-1", database_id: uuid };
    const both = {
      ...config,
      env: { production: { ...production, d1_databases: [production.d1_databases[0], bound] as const } },
    };
    await expect(go({ config: both, schema, migrations: [base] })).rejects.toThrow(
      "lambda-messages-1, deployed, is not",
    );
    await go({ config: both, schema, migrations: [base, wide] });
    expect(output).toEqual(
      expect.arrayContaining(["Migrated lambda-messages-1: 0001-wide.sql", "Migrated lambda: 0001-wide.sql"]),
    );
    await remoteRunner(target)("CREATE TABLE message_database (number INTEGER, ts_measured INTEGER)");
    await remoteRunner(target)("INSERT INTO message_database VALUES (1, 5)");
    const seen = `${schema}CREATE TABLE message_database (number INTEGER, ts_measured INTEGER);`;
    await expect(go({ schema: seen, migrations: [base, wide] })).rejects.toThrow(
      "no longer names databases with messages: MESSAGES_1",
    );
  });

  it("lists everything that must be fixed, and does nothing else", async () => {
    deployed();
    cloudflare.scripts.get(SCRIPT)?.secrets.delete("HOLD_KEY");
    const config = configured();
    const vars = {
      ...config.env.production.vars,
      VAPID_PUBLIC_KEY: "",
      AGE_POLICY: "[{}]",
      SITE_KEY: "key",
      LONG: "x".repeat(5_001),
    };
    const broken = {
      ...config.env.production,
      vars,
      define: { __DEVELOPMENT__: "true" },
      d1_databases: [{ binding: "DB", database_name: "lambda", database_id: "0000" }] as const,
    };
    const result = go({
      config: { ...config, env: { production: broken } },
      uncommitted: [" M schema.sql"],
      brands: [getBrand("ember")],
    });
    await expect(result).rejects.toThrow(
      /names no database[\s\S]*pushKey[\s\S]*development code\n- SITE_KEY is a secret[\s\S]*LONG has 5001 bytes[\s\S]*ember.example/,
    );
    await expect(result).rejects.toThrow(/the routes lack[\s\S]*schema.sql is not committed[\s\S]*HOLD_KEY/);
    expect(output).not.toContain("built");
    expect(cloudflare.requests.filter((request) => request.startsWith("POST") && !request.includes("d1"))).toEqual([]);
  });

  it("replaces the whole site on the first deployment and when Durable Object classes change", async () => {
    await expect(go()).rejects.toThrow(/no secret SITE_KEY/);
    await go({ secretsFile: "secrets" });
    expect(shares()).toEqual([[100]]);
    for (const secret of SECRETS) cloudflare.scripts.get(SCRIPT)?.secrets.set(secret, "value");
    const config = { ...configured(), migrations: [{ tag: "v1" }, { tag: "v2" }] };
    // Not together with what uses them, which could not go back.
    await expect(go({ config })).rejects.toThrow(
      /checkout c1a55\^ && npm run deploy\ngit checkout c1a55 && .*\ngit checkout main && .*\nOr .* --at-once$/,
    );
    expect(shares()).toEqual([[100]]);
    await go({ config, commit: "c1a55" });
    const alone = running();
    expect([shares(), smokeTested]).toEqual([
      [[100], [100]],
      [undefined, undefined],
    ]);
    cloudflare.scripts.get(SCRIPT)!.migrationTag = "v2";
    failsAt = 4;
    await expect(go({ config })).rejects.toThrow("was taken back");
    expect(running()).toEqual(alone);
    cloudflare.scripts.get(SCRIPT)!.migrationTag = "v1";
    failsAt = 0;
    await go({ config, atOnce: true });
    expect(output.filter((line) => line === "awaited")).toHaveLength(1);
  });

  it("changes nothing in a dry run", async () => {
    deployed();
    cloudflare.requests.length = 0;
    await go({ dryRun: true });
    await expect(go({ dryRun: true, migrations: [BASE, AGE], schema: BASE.text })).resolves.toBeUndefined();
    expect(output.join()).toMatch(/Would run in lambda: 0001-age.sql.*Nothing was uploaded/);
    expect(shares()).toEqual([[100]]);
    expect(await remoteRunner(target)("SELECT name FROM pragma_table_info('member')")).toEqual([{ name: "id" }]);
    expect(
      cloudflare.requests.filter((request) => /^(PUT|PATCH)|deployments$/.test(request) && !/^GET/.test(request)),
    ).toEqual([]);
  });
});

it("no command deletes or replaces a deployed database or bucket, and only starting commands replace the local one", () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|^seed\//.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name);
  expect(
    filesWith(
      /"DELETE"|\bapi\b[\w.]*\.delete\(|"d1", "delete"|"time-travel", "restore"|"bucket", "delete"|DROP DATABASE/,
    ),
  ).toEqual([]);
  expect(filesWith(/prepareDatabase\(/).toSorted()).toEqual(["dev.ts", "local-database.ts", "start.ts"]);
});

it("detects development code in a bundle, and a missing bundle", () => {
  const folder = mkdtempSync(join(tmpdir(), "bundle-test-"));
  expect(() => findDevelopmentCode(folder)).toThrow("no bundle");
  writeFileSync(join(folder, "index.js"), 'if (path === "/dev/sql") run();');
  expect(findDevelopmentCode(folder)).toEqual(["/dev/sql"]);
  writeFileSync(join(folder, "index.js"), "serve();");
  expect(findDevelopmentCode(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

describe("going back", () => {
  const previous = async () => previousVersion(target.account, SCRIPT, await listDeployments(target.account, SCRIPT));
  const change = (name: string, value: string | null) => changeSecret(target.account, SCRIPT, name, value);
  const script = () => cloudflare.scripts.get(SCRIPT)!;
  const runs = (id: string) => script().versions.find((version) => version.id === id);

  it("leads to the previous version or, during a rollout, to the one it started from", async () => {
    const first = deployed();
    await expect(previous()).rejects.toThrow("the first");
    await go();
    expect(await previous()).toBe(first);
    const [second] = running()!;
    const third = cloudflare.addVersion(SCRIPT, false);
    const half = [
      { version_id: third, percentage: 50 },
      { version_id: second!, percentage: 50 },
    ];
    await setTrafficSplit(target.account, SCRIPT, half, "half");
    expect(await previous()).toBe(second);
  });

  it("leads to no version of before a restore, which would write into the databases that the site left", async () => {
    const first = deployed();
    const bind = (id: string) => Object.assign(runs(first)!, { bindings: [{ name: "DB", type: "d1", id }] });
    const required = () => requireDatabases(target.account, SCRIPT, first, ["restored", "messages"]);
    bind("restored");
    await required();
    bind("lost");
    await expect(required()).rejects.toThrow(`${first} has DB of before a restore (lost)`);
  });

  it("leads to other code after a secret was set, and names the secrets that are old again", async () => {
    const first = deployed();
    await go();
    await change("HOLD_KEY", "new");
    expect(await previous()).toBe(first);
    expect(await goBack(target.account, SCRIPT, first, "rollback")).toContain("secrets have changed: HOLD_KEY");
    expect(running()).toEqual([first]);
    // Typed twice, it does not bring the fault back.
    await expect(previous()).rejects.toThrow("was itself gone back to");
  });

  it("and then changing a secret changes the code that runs, and no other", async () => {
    const first = deployed();
    await go();
    const [faulty] = running()!;
    await goBack(target.account, SCRIPT, first, "rollback");
    // What wrangler secret put does.
    await expect(
      target.account.api.put(`/accounts/${target.account.id}/workers/scripts/${SCRIPT}/secrets`, {
        body: { name: "HOLD_KEY", text: "new" },
      }),
    ).rejects.toThrow("10215");
    const { version, isNew } = await change("HOLD_KEY", "new");
    expect([isNew, running()]).toEqual([false, [version]]);
    expect(runs(version)?.etag).toBe(runs(first)?.etag);
    expect(runs(version)?.etag).not.toBe(runs(faulty!)?.etag);
    expect(Object.fromEntries(runs(version)!.secrets)).toEqual({
      ...Object.fromEntries(SECRETS.map((name) => [name, "value"])),
      HOLD_KEY: "new",
    });
    await expect(previous()).rejects.toThrow("was itself gone back to");
    await change("HOLD_KEY", null);
    expect(script().secrets.has("HOLD_KEY")).toBe(false);
    expect(output.join()).not.toContain("new");
  });

  it("leaves what runs alone if the platform copies other code, or none but the newest", async () => {
    const first = deployed();
    await go();
    await goBack(target.account, SCRIPT, first, "rollback");
    cloudflare.failNext(/^PATCH .*versions/, 405);
    await expect(change("HOLD_KEY", "new")).rejects.toThrow(/no copy of .*git revert.*run this again/);
    const { id, api } = target.account;
    const patch = (path: string, options: object) => api.patch(path.replace(/[\w-]+$/, "latest"), options);
    const toLatest = Object.assign(Object.create(api) as typeof api, { patch });
    await expect(changeSecret({ id, api: toLatest }, SCRIPT, "HOLD_KEY", "new")).rejects.toThrow("It has no requests");
    expect(running()).toEqual([first]);
    await expect(change("hold_key", "new")).rejects.toThrow("no name of a secret");
    await expect(change("HOLD_KEY", "")).rejects.toThrow("got no value");
  });

  it("happens by itself when the failing version came with a changed secret", async () => {
    const first = deployed();
    failsAt = 1;
    const upload = async () => {
      const version = cloudflare.addVersion(SCRIPT, false);
      script().secrets.set("HOLD_KEY", "new");
      return version;
    };
    await expect(go({ upload })).rejects.toThrow("was taken back");
    expect(running()).toEqual([first]);
  });
});

it("retries calls that can be repeated, and creates nothing twice", async () => {
  cloudflare.failNext(/deployments$/, 503, 2);
  await listDeployments(target.account, SCRIPT);
  cloudflare.failNext(/^POST .*d1\/database$/, 503, 1);
  await expect(createDatabase(target.account, "other", "weur")).rejects.toThrow("503");
  cloudflare.failNext(/^POST .*d1\/database$/, 429, 1);
  await createDatabase(target.account, "other", "weur");
  expect([...cloudflare.databases.values()].map(({ name, location }) => [name, location])).toEqual([
    ["lambda", "eu"],
    ["other", "weur"],
  ]);
});

it("parses the version that wrangler uploaded", () => {
  const entries = [{ type: "wrangler-session" }, { type: "version-upload", version_id: "v-1" }];
  expect(uploadedVersion(entries)).toBe("v-1");
  expect(() => uploadedVersion(entries.slice(0, 1))).toThrow("did not say");
});
