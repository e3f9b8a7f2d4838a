import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BRANDS } from "@lambda/brands";
import { FAKE_API_TOKEN, type FakeCloudflare, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { memberInserter } from "@lambda/testing/members";
import { listMessageDatabases } from "@lambda/testing/message-databases";
import { ROOT } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openAccount } from "../account/client.ts";
import { PERMISSIONS, permissionFor } from "../account/permissions.ts";
import { type DatabaseKind, migrationsFor, readMigrations } from "../deploy/numbered-migrations.ts";
import { type Answers, checkAnswers } from "./answers.ts";
import { type Keys, makeKeys, publicPushKey, unseal } from "./keys.ts";
import { addMessageDatabase } from "./message-database.ts";
import { readState, writeState } from "./state.ts";
import { type SetupOptions, setUp } from "./steps.ts";

// The real cost would add half a second to each setup.
vi.mock("./keys.ts", async (importOriginal) => {
  const keys = await importOriginal<typeof import("./keys.ts")>();
  const seal: typeof keys.seal = (secrets, passphrase) => keys.seal(secrets, passphrase, { N: 2 ** 10, r: 8, p: 1 });
  return { ...keys, seal };
});

const PASSPHRASE = "correct horse battery staple";
const allDone = (kind: DatabaseKind) =>
  migrationsFor(kind, readMigrations(join(ROOT, "migrations"))).map(({ name }) => ({ name }));
const SCRIPT = "lambda-production";
const ANSWERS: Answers = {
  location: "eu",
  operator: "op@mail.test",
  admin: "Admin@mail.test",
  brands: Object.fromEntries(
    BRANDS.map(({ id }) => [
      id,
      {
        host: `${id}-men.org`,
        legalName: `"${id}" $& e.V.`,
        mailbox: "letters@mail.test",
        post: "1 Street, Town",
        authorities: "law@mail.test",
      },
    ]),
  ),
};

let cloudflare: FakeCloudflare;
let root: string;
let output: string[];
let committed: string[];
let deployedKeys: Keys[];
let finished: string[];
beforeEach(async () => {
  cloudflare = await startFakeCloudflare();
  for (const { id } of BRANDS) cloudflare.addZone(`${id}-men.org`);
  root = mkdtempSync(join(tmpdir(), "setup-"));
  mkdirSync(join(root, "packages/brands"), { recursive: true });
  for (const file of ["wrangler.toml", "schema.sql", "migrations", "packages/brands/src"])
    cpSync(join(ROOT, file), join(root, file), { recursive: true });
  [output, committed, deployedKeys, finished] = [[], [], [], []];
});
afterEach(async () => {
  await cloudflare.close();
  rmSync(root, { recursive: true });
});

const go = async (changes: Partial<SetupOptions> = {}) =>
  setUp({
    account: await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base, pauseMs: 1 }),
    answers: ANSWERS,
    root,
    script: SCRIPT,
    database: "lambda",
    dryRun: false,
    buckets: ["lambda-pictures", "lambda-tiles"],
    queues: ["lambda-push", "lambda-push-dead"],
    backupToken: "backup-token",
    escrow: join(root, ".local/keys.sealed.json"),
    askPassphrase: async () => PASSPHRASE,
    putWorld: async () => void output.push("world"),
    commit: (files) => void committed.push(...files),
    deployFirst: async (secrets) => {
      deployedKeys.push(secrets);
      cloudflare.addVersion(SCRIPT, true, "v1");
      for (const [name, value] of Object.entries(secrets)) cloudflare.scripts.get(SCRIPT)?.secrets.set(name, value);
    },
    awaitSite: async () => void output.push("awaited"),
    say: (line) => void output.push(line),
    finish: (step) => void finished.push(step),
    isFinished: (step) => finished.includes(step),
    ...changes,
  });
const changes = () => cloudflare.requests.filter((request) => !/^GET|\/query$/.test(request));
const config = () => readWranglerConfig(root);
const databases = () => [...cloudflare.databases.values()];

describe("npm run setup", () => {
  it("creates everything in the chosen location, and nothing on a second run", async () => {
    const remaining = await go();
    expect(databases().map(({ name, location }) => [name, location])).toEqual([
      ["lambda", "eu"],
      ["lambda-messages-1", "eu"],
    ]);
    expect(databases()[1]?.sqlite.prepare("SELECT name FROM migration_done").all()).toEqual(allDone("messages"));
    expect(databases().map(({ replication }) => replication)).toEqual(["auto", "auto"]);
    expect(databases()[0]?.sqlite.prepare("SELECT name FROM migration_done").all()).toEqual(allDone("main"));
    expect(databases()[0]?.replication).toBe("auto");
    expect([...cloudflare.buckets.keys()]).toEqual(["eu/lambda-pictures", "eu/lambda-tiles"]);
    expect([...cloudflare.queues]).toEqual(["lambda-push", "lambda-push-dead"]);
    expect(Object.keys(deployedKeys[0] ?? {})).toEqual(["SITE_KEY", "HOLD_KEY", "VAPID_PRIVATE_KEY"]);
    expect(committed).toEqual(expect.arrayContaining(["wrangler.toml", "packages/brands/src/ember.ts"]));
    // Only the operator can open the confirmation link and register.
    expect(cloudflare.scripts.get(SCRIPT)?.secrets.get("BACKUP_TOKEN")).toBe("backup-token");
    expect(remaining.join()).toMatch(/letters@mail.test has a mail.*Register Admin@mail.test/);
    cloudflare.requests.length = 0;
    await go();
    expect(changes()).toEqual([]);
    expect(deployedKeys).toHaveLength(1);
  });

  it("writes the answers into the production configuration, and leaves development unchanged", async () => {
    await go();
    const { production } = config().env;
    const [databaseId, messagesId] = [...cloudflare.databases.keys()];
    expect(production).toMatchObject({
      d1_databases: [{ database_id: databaseId }, { binding: "MESSAGES_1", database_id: messagesId }],
      r2_buckets: [{ jurisdiction: "eu" }, { jurisdiction: "eu" }, { jurisdiction: "eu" }],
      vars: {
        VAPID_SUBJECT: "mailto:op@mail.test",
        ALERT_ADDRESS: "op@mail.test",
        VAPID_PUBLIC_KEY: publicPushKey(deployedKeys[0] ?? {}),
        BACKUP_MESSAGES: `1:${messagesId}`,
      },
    });
    expect(JSON.stringify(production.routes)).toContain("www.harbor-men.org");
    expect(config().d1_databases[0].database_id).toBe("00000000-0000-0000-0000-000000000000");
    const { ember } = await import(join(root, "packages/brands/src/ember.ts"));
    expect(ember).toMatchObject({
      hosts: ["ember-men.org", "www.ember-men.org"],
      senderAddress: "hello@ember-men.org",
      legalName: '"ember" $& e.V.',
      contact: { post: "1 Street, Town", authorities: "law@mail.test" },
    });
  });

  it.each([
    ["creating the database", /^POST .*d1\/database$/],
    ["loading the schema", /query$/],
    ["creating a queue", /^POST .*queues$/],
    ["onboarding mail", /^POST .*subdomains$/],
    ["checking for a deployment", /deployments$/],
  ])("resumes after a failure while %s, with the same keys, and creates nothing twice", async (_step, call) => {
    cloudflare.failNext(call, 400);
    await expect(go()).rejects.toThrow("400");
    await go();
    expect(databases()).toHaveLength(2);
    expect(deployedKeys).toHaveLength(1);
    expect(unseal(readFileSync(join(root, ".local/keys.sealed.json"), "utf8"), PASSPHRASE)).toEqual(deployedKeys[0]);
    const posts = changes().filter((request) => /subdomains|queues|buckets$/.test(request));
    expect(posts.length - new Set(posts).size).toBeLessThanOrEqual(4);
  });

  it("forwards mail once the mailbox is confirmed, and promotes the admin once registered", async () => {
    await go();
    cloudflare.mailboxes.set("letters@mail.test", true);
    const { sqlite } = databases()[0]!;
    memberInserter(sqlite)({ id: 1, email: "admin@mail.test" });
    expect(await go()).toEqual([]);
    const { rules, routing, records } = cloudflare.zones.get("ember-men.org")!;
    expect([routing, rules.length]).toEqual([true, 2]);
    expect(records.filter(({ name }) => name === "_dmarc.ember-men.org")).toHaveLength(1);
    expect(databases()[0]?.sqlite.prepare("SELECT admin_brand FROM account").all()).toEqual([{ admin_brand: "*" }]);
  });

  it("names everything that the token or the account lacks before it creates anything", async () => {
    cloudflare.failNext(/^GET .*(queues|email\/routing)$/, 403, Number.POSITIVE_INFINITY);
    cloudflare.failNext(/^GET .*buckets$/, 403, Number.POSITIVE_INFINITY, 10042);
    const domains = BRANDS.map(({ id }) => `the token lacks Zone Settings Edit for ${id}-men.org`);
    const sentences = ["R2 is off in this account: switch it on in the dashboard, R2", "the token lacks Queues Edit"];
    await expect(go()).rejects.toThrow([...sentences, ...domains].join("\n- "));
    expect(changes()).toEqual([]);
    expect(output).toEqual([]);
  });

  it("goes on where mail is refused, and names the permission", async () => {
    await go();
    cloudflare.mailboxes.set("letters@mail.test", true);
    memberInserter(databases()[0]!.sqlite)({ id: 1, email: "admin@mail.test" });
    cloudflare.failNext(/^POST .*email\/routing\/dns$/, 403, Number.POSITIVE_INFINITY);
    const remaining = await go();
    expect(remaining).toEqual(
      BRANDS.map(({ id }) => expect.stringMatching(`^${id}-men.org: mail .* lacks Zone Settings Edit: add it`)),
    );
    expect(databases()[0]?.sqlite.prepare("SELECT admin_brand FROM account").all()).toEqual([{ admin_brand: "*" }]);
  });

  it("waits for the addresses in each run until they answered once", async () => {
    const awaitSite = async () => {
      throw new Error("https://ember-men.org did not answer");
    };
    expect((await go({ awaitSite })).join()).toContain("did not answer: run npm run setup again");
    expect((await go()).join()).not.toContain("did not answer");
    await go();
    expect(output.filter((line) => line === "awaited")).toHaveLength(1);
    expect(deployedKeys).toHaveLength(1);
  });

  it("makes only calls whose permission is known, and the guide lists all permissions", async () => {
    await go();
    cloudflare.mailboxes.set("letters@mail.test", true);
    await go();
    expect(cloudflare.requests.filter((call) => call !== "GET /accounts" && !permissionFor(call))).toEqual([]);
    const guide = readFileSync(join(ROOT, "docs/OPERATIONS.md"), "utf8").replaceAll(/\s+/g, " ");
    const [, account = "", zone = ""] =
      /Account: ([^.]*), each Edit\. Zone: Zone Read; ([^.]*), each Edit\./.exec(guide) ?? [];
    const listed = { account: account.split(/, | and /), zone: zone.split(/, | and /) };
    for (const scope of ["account", "zone"] as const) {
      const needed = PERMISSIONS.filter((each) => each.scope === scope && each.level === "Edit");
      expect(listed[scope].toSorted()).toEqual(needed.map(({ name }) => name).toSorted());
    }
  });

  it("continues if read replicas cannot be enabled, reports it, and enables them the next time", async () => {
    cloudflare.failNext(/^PUT .*d1\/database/, 400);
    expect((await go()).join()).toContain("every read crosses to the primary: PUT");
    expect(databases()[0]?.replication).toBe("disabled");
    expect((await go()).join()).not.toContain("crosses");
    expect(databases()[0]?.replication).toBe("auto");
  });

  it("leaves domains with another mail service alone, and reports missing records", async () => {
    const zone = cloudflare.zones.get("harbor-men.org")!;
    zone.records.push({ type: "MX", name: "harbor-men.org", content: "mx.other.test" });
    await go();
    cloudflare.scripts.get(SCRIPT)?.secrets.delete("BACKUP_TOKEN");
    zone.records = zone.records.filter(({ name }) => !name.includes("_domainkey"));
    const remaining = (await go({ backupToken: undefined })).join("\n");
    expect(remaining).toContain("There is no backup yet");
    expect(remaining).toContain("harbor-men.org gets its mail elsewhere");
    expect(remaining).toContain("the TXT record of cf-bounce._domainkey.harbor-men.org is not there");
    expect(zone.rules).toEqual([]);
  });

  it("reports in a dry run what it would do, and changes nothing", async () => {
    const before = readFileSync(join(root, "wrangler.toml"), "utf8");
    await go({ dryRun: true });
    expect(output.join("\n")).toMatch(
      /Would make the database[\s\S]*bucket[\s\S]*queue[\s\S]*keys[\s\S]*deploy the first/,
    );
    expect(changes()).toEqual([]);
    expect(readFileSync(join(root, "wrangler.toml"), "utf8")).toBe(before);
    expect(existsSync(join(root, ".local"))).toBe(false);
  });

  it("creates nothing if a host is in no zone, and rejects a database with another schema", async () => {
    cloudflare.zones.delete("bramble-men.org");
    await expect(go()).rejects.toThrow("No zone of this account has bramble-men.org");
    expect(changes()).toEqual([]);
    cloudflare.addZone("bramble-men.org");
    const { createDatabase } = await import("../account/resources.ts");
    const account = await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base });
    await createDatabase(account, "lambda", "eu");
    databases()[0]?.sqlite.exec("CREATE TABLE theirs (id INTEGER)");
    await expect(go()).rejects.toThrow("no database of this schema: table theirs");
  });
});

describe("npm run add-message-database", () => {
  const add = async (number?: number) => {
    const account = await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base });
    const [mainId = ""] = cloudflare.databases.keys();
    return addMessageDatabase({
      account,
      root,
      mainId,
      number,
      location: "eu",
      dryRun: false,
      say: (line) => void output.push(line),
      schema: readFileSync(join(root, "schema.sql"), "utf8"),
      migrations: readMigrations(join(root, "migrations")),
    });
  };
  const bound = () => listMessageDatabases(config().env.production.d1_databases);
  const measure = () => databases()[0]?.sqlite.exec("UPDATE message_database SET ts_measured = 1, bytes = 4096");

  it("adds a database once the site uses the last one, and only one on repeated runs", async () => {
    await go();
    expect(await add()).toEqual([]);
    measure();
    expect(await add()).toEqual(["wrangler.toml"]);
    expect(await add()).toEqual([]);
    expect(bound().map(({ number, name }) => [number, name])).toEqual([
      [1, "lambda-messages-1"],
      [2, "lambda-messages-2"],
    ]);
    expect(config().env.production.vars.BACKUP_MESSAGES).toBe(
      bound()
        .map(({ number, id }) => `${number}:${id}`)
        .join(" "),
    );
    // The new one is not used before it was measured.
    expect(databases()[0]?.sqlite.prepare("SELECT number, ts_measured FROM message_database").all()).toEqual([
      { number: 1, ts_measured: 1 },
      { number: 2, ts_measured: 0 },
    ]);
    const tables = databases()[2]?.sqlite.prepare(
      "SELECT name FROM sqlite_master WHERE name IN ('message', 'account')",
    );
    expect(tables?.all()).toEqual([{ name: "message" }]);
    expect(config().d1_databases).toHaveLength(3);
    await expect(add(64)).rejects.toThrow("no message database 64");
  });

  it.each([
    ["creating it", /^POST .*d1\/database$/],
    ["loading its schema", /query$/],
  ])("resumes after a failure while %s", async (_step, call) => {
    await go();
    measure();
    cloudflare.failNext(call, 400);
    await expect(add()).rejects.toThrow("400");
    expect(await add()).toEqual(["wrangler.toml"]);
    expect(databases().map(({ name }) => name)).toEqual(["lambda", "lambda-messages-1", "lambda-messages-2"]);
  });

  it("rejects a database with another schema", async () => {
    await go();
    const account = await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base });
    const { createDatabase } = await import("../account/resources.ts");
    await createDatabase(account, "lambda-messages-2", "eu");
    databases()[2]?.sqlite.exec("CREATE TABLE theirs (id INTEGER)");
    await expect(add(2)).rejects.toThrow("no database for messages: table theirs");
    expect(bound()).toHaveLength(1);
  });
});

it("names the field of an invalid answer", () => {
  const brand = ANSWERS.brands.ember!;
  const check = (field: object) => () =>
    checkAnswers({ ...ANSWERS, brands: { ...ANSWERS.brands, ember: { ...brand, ...field } } });
  expect(check({ host: "www.ember-men.org" })).toThrow("brands.ember.host");
  expect(check({ host: "ember.example" })).toThrow("nobody's");
  expect(check({ host: "harbor-men.org" })).toThrow("another brand");
  expect(check({ mailbox: "nobody" })).toThrow("brands.ember.mailbox");
  expect(check({ post: "a\nb" })).toThrow("line break");
  expect(() => checkAnswers({ ...ANSWERS, location: "moon" as never })).toThrow("location");
});

it("unseals keys only with their passphrase, and stores none in the state", async () => {
  const { seal } = await vi.importActual<typeof import("./keys.ts")>("./keys.ts");
  const keys = makeKeys();
  const file = seal(keys, PASSPHRASE);
  expect(JSON.parse(file).scrypt).toEqual({ N: 2 ** 17, r: 8, p: 1 });
  expect(unseal(file, PASSPHRASE)).toEqual(keys);
  expect(() => unseal(file, `${PASSPHRASE}!`)).toThrow("does not open");
  expect(() => seal(keys, "short")).toThrow("16 characters");
  for (const key of Object.values(keys)) expect(file).not.toContain(key);
  const state = join(root, "state.json");
  writeState(state, { answers: ANSWERS, finished: ["map"], keys } as never);
  expect(readState(state)).toEqual({ answers: ANSWERS, finished: ["map"] });
});
