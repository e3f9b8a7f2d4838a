import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageSchema } from "@lambda/testing/message-databases";
import { STAND_IN_TOKEN, type StandIn, startStandIn } from "@lambda/testing/platform-account";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAccount } from "../account/client.ts";
import { createDatabase } from "../account/resources.ts";
import { wordsOfDevelopment } from "./checks.ts";
import { type Deploy, deploy } from "./deploy.ts";
import { listDeployments, setShares, versionBefore } from "./deployments.ts";
import { noteAll } from "./numbered-migrations.ts";
import { remoteRunner, type Target } from "./target.ts";
import { versionOf } from "./upload.ts";

const SCRIPT = "lambda-production";
const BASE = { name: "0000-base.sql", text: "CREATE TABLE member (id INTEGER PRIMARY KEY) STRICT;\n" };
const AGE = { name: "0001-age.sql", text: "ALTER TABLE member ADD COLUMN age INTEGER;\n" };
const SECRETS = readWranglerConfig().env.production.secrets?.required ?? [];

let standIn: StandIn;
let target: Target;
let said: string[];
let asked: (string | undefined)[];
let failsAt: number;

beforeEach(async () => {
  standIn = await startStandIn();
  const account = await openAccount({ token: STAND_IN_TOKEN, base: standIn.base, pauseMs: 1 });
  const { uuid } = await createDatabase(account, "lambda", "eu");
  target = { account, script: SCRIPT, databaseId: uuid };
  const run = remoteRunner(target);
  await run(BASE.text);
  await noteAll([BASE], run, 1);
  [said, asked, failsAt] = [[], [], 0];
});
afterEach(() => standIn.close());

/** As npm run setup leaves it. */
function configured(): Deploy["config"] {
  const config = readWranglerConfig();
  const { production } = config.env;
  const made = {
    ...production,
    d1_databases: [{ binding: "DB", database_name: "lambda", database_id: target.databaseId }] as const,
    vars: { ...production.vars, VAPID_PUBLIC_KEY: "key" },
    routes: [{ pattern: "ember.test" }],
  };
  return { ...config, migrations: [{ tag: "v1" }], env: { production: made } };
}

/** A site with members. */
function deployed(): string {
  const version = standIn.addVersion(SCRIPT, true, "v1");
  for (const secret of SECRETS) standIn.scripts.get(SCRIPT)?.secrets.set(secret, "value");
  return version;
}

const go = (changes: Partial<Deploy> = {}) =>
  deploy({
    ...{ target, config: configured(), schema: BASE.text, migrations: [BASE], commit: "c0ffee", uncommitted: [] },
    ...{ brands: [{ id: "ember", hosts: ["ember.test"] }], steps: [10, 50, 100], looks: 2, dryRun: false },
    upload: async () => standIn.addVersion(SCRIPT, false),
    replace: async () => void standIn.addVersion(SCRIPT, true, "v1"),
    setTriggers: async () => void said.push("triggers"),
    build: async () => void said.push("built"),
    smoke: async (version) => {
      asked.push(version);
      if (asked.length === failsAt) throw new Error("/api/version answered 500");
    },
    pause: async () => undefined,
    say: (line) => void said.push(line),
    ...changes,
  });

const deployments = () => standIn.scripts.get(SCRIPT)?.deployments.toReversed() ?? [];
const shares = () => deployments().map(({ versions }) => versions.map(({ percentage }) => percentage));
const running = () =>
  deployments()
    .at(-1)
    ?.versions.map(({ version_id }) => version_id);
/** Whatever could set a database aside, empty it or take something from it. */
const harmful = () => standIn.requests.filter((request) => /^DELETE|time_travel|\/import/.test(request));

describe("a deployment", () => {
  it("comes step by step, is asked before anybody meets it and after each step, and sets what triggers it", async () => {
    const before = deployed();
    await go();
    expect(shares()).toEqual([[100], [0, 100], [10, 90], [50, 50], [100]]);
    const [version] = running()!;
    expect(version).not.toBe(before);
    // Once at 0 and 100 percent, twice at the others.
    expect(asked).toEqual(Array(6).fill(version));
    expect(said).toContain("triggers");
    expect(harmful()).toEqual([]);
  });

  it.each([1, 3, 6])("is taken back when the smoke test fails at look %d", async (look) => {
    const before = deployed();
    failsAt = look;
    await expect(go()).rejects.toThrow("was taken back");
    expect(running()).toEqual([before]);
    expect(said).not.toContain("triggers");
  });

  it("brings the database to the schema before the code, and stops where it does not come there", async () => {
    deployed();
    const schema = `${BASE.text}`.replace("PRIMARY KEY", "PRIMARY KEY, age INTEGER");
    await expect(go({ schema })).rejects.toThrow("table member. Write a migration");
    expect(running()).toHaveLength(1);
    expect(shares()).toEqual([[100]]);
    await go({ schema, migrations: [BASE, AGE] });
    expect(said).toContain("Migrated lambda: 0001-age.sql");
    await expect(go({ migrations: [BASE, { ...AGE, text: `${AGE.text}--` }] })).rejects.toThrow("was edited");
  });

  it("brings each database for messages to its part of the schema, and drops none that is in use", async () => {
    deployed();
    const part = (columns: string) =>
      `-- message databases: begin\nCREATE TABLE talk (${columns}) STRICT;\n-- message databases: end\n`;
    const base = { ...BASE, text: BASE.text + part("low_id INTEGER") };
    const wide = {
      name: "0001-wide.sql",
      text: "-- databases: main, messages\nALTER TABLE talk ADD COLUMN more INTEGER;\n",
    };
    const schema = BASE.text + part("low_id INTEGER, more INTEGER");
    await remoteRunner(target)(messageSchema(base.text));
    await remoteRunner(target)("DROP TABLE migration_done");
    await noteAll([base], remoteRunner(target), 1);
    const { uuid } = await createDatabase(target.account, "lambda-messages-1", "eu");
    const messages = remoteRunner({ account: target.account, databaseId: uuid });
    await messages(messageSchema(base.text));
    await noteAll([base], messages, 1);
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
    expect(said).toEqual(
      expect.arrayContaining(["Migrated lambda-messages-1: 0001-wide.sql", "Migrated lambda: 0001-wide.sql"]),
    );
    await remoteRunner(target)("CREATE TABLE message_database (number INTEGER, ts_measured INTEGER)");
    await remoteRunner(target)("INSERT INTO message_database VALUES (1, 5)");
    const seen = `${schema}CREATE TABLE message_database (number INTEGER, ts_measured INTEGER);`;
    await expect(go({ schema: seen, migrations: [base, wide] })).rejects.toThrow(
      "no longer binds databases with messages: MESSAGES_1",
    );
  });

  it("names all that must be mended, and does nothing before", async () => {
    deployed();
    standIn.scripts.get(SCRIPT)?.secrets.delete("HOLD_KEY");
    const config = configured();
    const vars = { ...config.env.production.vars, VAPID_PUBLIC_KEY: "", AGE_POLICY: "[{}]", POSITION_KEY: "key" };
    const broken = {
      ...config.env.production,
      ...{
        vars,
        define: { __DEVELOPMENT__: "true" },
        d1_databases: [{ binding: "DB", database_name: "lambda", database_id: "0000" }] as const,
      },
    };
    const refused = go({
      config: { ...config, env: { production: broken } },
      uncommitted: [" M schema.sql"],
      brands: [{ id: "ember", hosts: ["ember.example"] }],
    });
    await expect(refused).rejects.toThrow(
      /names no database[\s\S]*VAPID[\s\S]*development code\n- POSITION_KEY is a secret[\s\S]*ember.example/,
    );
    await expect(refused).rejects.toThrow(
      /routes of wrangler.toml lack[\s\S]*schema.sql is not committed[\s\S]*HOLD_KEY/,
    );
    expect(said).not.toContain("built");
    expect(standIn.requests.filter((request) => request.startsWith("POST") && !request.includes("d1"))).toEqual([]);
  });

  it("goes out whole where it is the first, and where classes of objects change", async () => {
    await expect(go()).rejects.toThrow(/no secret POSITION_KEY/);
    await go({ secretsFile: "secrets" });
    expect(shares()).toEqual([[100]]);
    for (const secret of SECRETS) standIn.scripts.get(SCRIPT)?.secrets.set(secret, "value");
    await go({ config: { ...configured(), migrations: [{ tag: "v1" }, { tag: "v2" }] } });
    expect(shares()).toEqual([[100], [100]]);
    expect(asked).toEqual([undefined, undefined]);
  });

  it("changes nothing in a dry run", async () => {
    deployed();
    standIn.requests.length = 0;
    await go({ dryRun: true });
    await expect(go({ dryRun: true, migrations: [BASE, AGE], schema: BASE.text })).resolves.toBeUndefined();
    expect(said.join()).toMatch(/Would run in lambda: 0001-age.sql.*Nothing was uploaded/);
    expect(shares()).toEqual([[100]]);
    expect(await remoteRunner(target)("SELECT name FROM pragma_table_info('member')")).toEqual([{ name: "id" }]);
    expect(
      standIn.requests.filter((request) => /^(PUT|PATCH)|deployments$/.test(request) && !/^GET/.test(request)),
    ).toEqual([]);
  });
});

it("no command removes or exchanges a deployed database or bucket, and the local one is set aside by who starts it alone", () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|^seed\//.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  const named = (what: RegExp) => sources.filter(({ text }) => what.test(text)).map(({ name }) => name);
  expect(named(/"DELETE"|"d1", "delete"|"time-travel", "restore"|"bucket", "delete"|DROP DATABASE/)).toEqual([]);
  expect(named(/prepareDatabase\(/).toSorted()).toEqual(["dev.ts", "local-database.ts", "start.ts"]);
});

it("a bundle with words of the development build is found out, and so is none at all", () => {
  const folder = mkdtempSync(join(tmpdir(), "bundle-test-"));
  expect(() => wordsOfDevelopment(folder)).toThrow("no bundle");
  writeFileSync(join(folder, "index.js"), 'if (path === "/dev/sql") run();');
  expect(wordsOfDevelopment(folder)).toEqual(["/dev/sql"]);
  writeFileSync(join(folder, "index.js"), "serve();");
  expect(wordsOfDevelopment(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

it("goes back to the version before, in the middle of a rollout to the one that it began from", async () => {
  const first = deployed();
  expect(() => versionBefore([])).toThrow("the first");
  await go();
  const list = () => listDeployments(target.account, SCRIPT);
  expect(versionBefore(await list())).toBe(first);
  const [second] = running()!;
  const third = standIn.addVersion(SCRIPT, false);
  const half = [
    { version_id: third, percentage: 50 },
    { version_id: second!, percentage: 50 },
  ];
  await setShares(target.account, SCRIPT, half, "half");
  expect(versionBefore(await list())).toBe(second);
});

it("repeats what may be repeated, and makes nothing twice", async () => {
  standIn.failNext(/deployments$/, 503, 2);
  await listDeployments(target.account, SCRIPT);
  standIn.failNext(/^POST .*d1\/database$/, 503, 1);
  await expect(createDatabase(target.account, "other", "weur")).rejects.toThrow("503");
  standIn.failNext(/^POST .*d1\/database$/, 429, 1);
  await createDatabase(target.account, "other", "weur");
  expect([...standIn.databases.values()].map(({ name, place }) => [name, place])).toEqual([
    ["lambda", "eu"],
    ["other", "weur"],
  ]);
});

it("reads the version that wrangler uploaded", () => {
  const lines = ['{"type":"wrangler-session","version":1}', '{"type":"version-upload","version_id":"v-1"}', ""];
  expect(versionOf(lines.join("\n"))).toBe("v-1");
  expect(() => versionOf(lines[0]!)).toThrow("did not say");
});
