import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { BRANDS, brandsOfSite, EXAMPLE_BRANDS } from "@lambda/brands";
import { FAKE_API_TOKEN, type FakeCloudflare, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { memberInserter } from "@lambda/testing/members";
import { listMessageDatabases } from "@lambda/testing/message-databases";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openAccount } from "../account/client.ts";
import { explain, PERMISSIONS, permissionFor } from "../account/permissions.ts";
import { type DatabaseKind, migrationsFor, readMigrations } from "../deploy/numbered-migrations.ts";
import { readDeployedConfig } from "../deployment/config.ts";
import { listBrands, requireSite, updateSite } from "../deployment/site-file.ts";
import { type Answers, type Ask, askAll, checkAnswers, findCity } from "./answers.ts";
import { type Keys, makeKeys, publicPushKey, unseal } from "./keys.ts";
import { addMessageDatabase } from "./message-database.ts";
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
const STREETS = join(ROOT, "packages/tooling/data/san-francisco.pmtiles");
const ANSWERS: Answers = {
  location: "eu",
  operator: "Admin@mail.test",
  legalName: '"Town" $& e.V.',
  firstCity: { name: "San Francisco", lat: 37.76, lon: -122.43 },
  streets: STREETS,
  contact: { post: "1 Street, Town", authorities: "law@mail.test", languages: ["en"], representative: null },
  brands: Object.fromEntries(BRANDS.map(({ id, name }) => [id, { name: `${name} Men`, host: `${id}-men.org` }])),
};

let cloudflare: FakeCloudflare;
let root: string;
let output: string[];
let deployedKeys: Keys[];
beforeEach(async () => {
  cloudflare = await startFakeCloudflare();
  for (const { id } of BRANDS) cloudflare.addZone(`${id}-men.org`);
  root = mkdtempSync(join(tmpdir(), "setup-"));
  for (const file of ["wrangler.toml", "schema.sql", "migrations"])
    cpSync(join(ROOT, file), join(root, file), { recursive: true });
  [output, deployedKeys] = [[], []];
});
afterEach(async () => {
  await cloudflare.close();
  rmSync(root, { recursive: true });
});

const go = async (changes: Partial<SetupOptions> = {}) =>
  setUp({
    account: await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base }),
    answers: ANSWERS,
    root,
    script: SCRIPT,
    database: "lambda",
    dryRun: false,
    buckets: ["lambda-pictures", "lambda-tiles"],
    queues: ["lambda-push", "lambda-push-dead"],
    backupToken: "backup-token",
    escrow: join(root, "deployment/keys.sealed.json"),
    askPassphrase: async () => PASSPHRASE,
    putWorld: async () => void output.push("world"),
    putStreets: async () => void output.push("streets"),
    deployFirst: async (secrets) => {
      deployedKeys.push(secrets);
      cloudflare.addVersion(SCRIPT, true, "v1");
      for (const [name, value] of Object.entries(secrets)) cloudflare.scripts.get(SCRIPT)?.secrets.set(name, value);
    },
    setTriggers: async () => void output.push("triggers"),
    awaitSite: async () => void output.push("awaited"),
    say: (line) => void output.push(line),
    ...changes,
  });
const changes = () => cloudflare.requests.filter((request) => !/^GET|\/query$/.test(request));
const config = () => readDeployedConfig(root);
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
    expect([...cloudflare.queues]).toEqual([
      ["lambda-push", "eu"],
      ["lambda-push-dead", "eu"],
    ]);
    expect(Object.keys(deployedKeys[0] ?? {})).toEqual(["SITE_KEY", "HOLD_KEY", "VAPID_PRIVATE_KEY"]);
    // Only the operator can open the confirmation link and register.
    expect(cloudflare.scripts.get(SCRIPT)?.secrets.get("BACKUP_TOKEN")).toBe("backup-token");
    expect(remaining.join()).toMatch(/Admin@mail.test has a mail.*Register Admin@mail.test/);
    expect(remaining.filter((line) => line.includes("has a mail"))).toHaveLength(1);
    cloudflare.requests.length = 0;
    await go();
    expect(changes()).toEqual([]);
    expect(deployedKeys).toHaveLength(1);
  });

  it("keeps the answers and ids in deployment/, from which configuration and brands are made, and edits no file", async () => {
    const tracked = () => ["wrangler.toml", "schema.sql"].map((file) => readFileSync(join(root, file), "utf8"));
    const before = tracked();
    await go();
    expect(tracked()).toEqual(before);
    const { production } = config().env;
    const [databaseId, messagesId] = [...cloudflare.databases.keys()];
    expect(config()).toMatchObject({ account_id: cloudflare.account, name: "lambda" });
    expect(production).toMatchObject({
      d1_databases: [
        { binding: "DB", database_name: "lambda", database_id: databaseId },
        { binding: "MESSAGES_1", database_name: "lambda-messages-1", database_id: messagesId },
      ],
      r2_buckets: [{ jurisdiction: "eu" }, { jurisdiction: "eu" }, { jurisdiction: "eu" }],
      vars: {
        VAPID_SUBJECT: "mailto:Admin@mail.test",
        ALERT_ADDRESS: "Admin@mail.test",
        VAPID_PUBLIC_KEY: publicPushKey(deployedKeys[0] ?? {}),
        BACKUP_ACCOUNT: cloudflare.account,
        BACKUP_MESSAGES: `1:${messagesId}`,
        LOG_SHARE: "0.05",
      },
    });
    updateSite(root, { vars: { LOG_SHARE: "1" }, otherHosts: ["plans.example"] });
    expect(config().env.production.vars.LOG_SHARE).toBe("1");
    const hosts = config().env.production.routes?.map(({ pattern }) => pattern);
    expect(hosts).toEqual([...BRANDS.flatMap(({ id }) => [`${id}-men.org`, `www.${id}-men.org`]), "plans.example"]);
    expect(config().d1_databases[0].database_id).toBe("00000000-0000-0000-0000-000000000000");
    // What a deployment's bundle gets instead of the examples.
    const bundled = JSON.parse(config().env.production.define?.__SITE_BRANDS__ ?? "");
    expect(brandsOfSite(EXAMPLE_BRANDS, bundled)).toEqual(listBrands(requireSite(root)));
    expect(listBrands(requireSite(root))[0]).toMatchObject({
      ...{ id: "ember", bit: 1, name: "Ember Men", hosts: ["ember-men.org", "www.ember-men.org"] },
      ...{ senderAddress: "hello@ember-men.org", legalName: '"Town" $& e.V.', contact: ANSWERS.contact },
    });
  });

  it("makes a site of one brand, and the others stay examples", async () => {
    for (const id of ["harbor", "bramble"]) cloudflare.zones.delete(`${id}-men.org`);
    const { ember } = ANSWERS.brands;
    await go({ answers: { ...ANSWERS, brands: { ember: ember! } } });
    expect(listBrands(requireSite(root)).map(({ id }) => id)).toEqual(["ember"]);
    expect(config().env.production.routes).toHaveLength(2);
  });

  it("creates nothing while the first city has no streets, and uploads other streets anew", async () => {
    const lyon = { ...ANSWERS, firstCity: { name: "Lyon", lat: 45.76, lon: 4.84 } };
    await expect(go({ answers: lyon })).rejects.toThrow(`streets: ${STREETS} has no streets in Lyon (45.76, 4.84)`);
    await expect(go({ answers: { ...ANSWERS, streets: join(root, "schema.sql") } })).rejects.toThrow("no PMTiles");
    expect(changes()).toEqual([]);
    await go();
    await go();
    const copy = join(root, "streets.pmtiles");
    cpSync(STREETS, copy);
    await go({ answers: { ...ANSWERS, streets: copy } });
    expect(output.filter((line) => line === "streets")).toHaveLength(2);
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
    expect(unseal(readFileSync(join(root, "deployment/keys.sealed.json"), "utf8"), PASSPHRASE)).toEqual(
      deployedKeys[0],
    );
    const posts = changes().filter((request) => /subdomains|queues|buckets$/.test(request));
    expect(posts.length - new Set(posts).size).toBeLessThanOrEqual(4);
  });

  it("forwards mail once the mailbox is confirmed, and promotes the admin once registered", async () => {
    await go();
    cloudflare.mailboxes.set("Admin@mail.test", true);
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

  it.each(PERMISSIONS.filter(({ calls }) => !calls.test("POST /graphql")))(
    "creates nothing with a token that lacks $name, which it names",
    async ({ name, level }) => {
      cloudflare.permissions.delete(name);
      await expect(go()).rejects.toThrow(`${name} ${level}`);
      expect(changes()).toEqual([]);
    },
  );

  it.each(PERMISSIONS.filter(({ level, scope }) => level === "Edit" && scope === "account"))(
    "names $name if the token may only read",
    async ({ name }) => {
      cloudflare.permissions.set(name, "Read");
      expect(await go().then((left) => left.join(), explain)).toContain(`oken lacks ${name} Edit`);
    },
  );

  it("goes on where mail is refused, and names the permission", async () => {
    await go();
    cloudflare.mailboxes.set("Admin@mail.test", true);
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
    cloudflare.mailboxes.set("Admin@mail.test", true);
    await go();
    expect(cloudflare.requests.filter((call) => call !== "GET /accounts" && !permissionFor(call))).toEqual([]);
    const guide = readFileSync(join(ROOT, "docs/OPERATIONS.md"), "utf8").replaceAll(/\s+/g, " ");
    const [, account = "", zone = ""] =
      /Account: ([^.]*), each Edit; Account Analytics Read\. Zone: Zone Read; ([^.]*), each Edit\./.exec(guide) ?? [];
    const listed = { account: account.split(/, | and /), zone: zone.split(/, | and /) };
    for (const scope of ["account", "zone"] as const) {
      const needed = PERMISSIONS.filter((each) => each.scope === scope && each.level === "Edit");
      expect(listed[scope].toSorted()).toEqual(needed.map(({ name }) => name).toSorted());
    }
  });

  it("sets addresses, crons and queues if the first deployment ended before them, and only once", async () => {
    const interrupted = async () => {
      cloudflare.addVersion(SCRIPT, true, "v1");
      throw new Error("killed");
    };
    await expect(go({ deployFirst: interrupted })).rejects.toThrow("killed");
    await go();
    await go();
    expect(output.filter((line) => line === "triggers")).toHaveLength(1);
    expect(deployedKeys).toHaveLength(0);
  });

  it("continues if read replicas cannot be enabled, reports it, and enables them the next time", async () => {
    cloudflare.failNext(/^PUT .*d1\/database/, 400);
    expect((await go()).join()).toContain("every read crosses to the primary: 400 to PUT");
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
    expect(existsSync(join(root, "deployment"))).toBe(false);
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
    });
  };
  const bound = () => listMessageDatabases(config().env.production.d1_databases);
  const measure = () => databases()[0]?.sqlite.exec("UPDATE message_database SET ts_measured = 1, bytes = 4096");

  it("adds a database once the site uses the last one, and only one on repeated runs", async () => {
    await go();
    expect(await add()).toBeUndefined();
    measure();
    expect(await add()).toBe(2);
    expect(await add()).toBeUndefined();
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
    expect(await add()).toBe(2);
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

it("asks eight questions for a site of one brand, and finds the city", async () => {
  // As somebody types who knows nothing of hosts and paths.
  const host = "https://Pier-Men.org/";
  const answers = ["WEUR", "op@mail.test", "Club e.V.", "harbor", "Pier", host, "Lyon", "~/lyon.pmtiles"];
  const asked: string[] = [];
  const ask: Ask = async (question) => {
    asked.push(question);
    return answers[asked.length - 1] ?? "";
  };
  expect(await askAll(ask)).toMatchObject({
    location: "weur",
    brands: { harbor: { name: "Pier", host: "pier-men.org" } },
    firstCity: { name: "Lyon", lat: 45.7485, lon: 4.8467 },
    streets: join(homedir(), "lyon.pmtiles"),
  });
  expect(asked).toHaveLength(8);
});

it("asks again for an invalid answer, with what is wrong, and keeps the others", async () => {
  const answers = [
    "moon",
    "eu",
    "op@mail.test",
    "Club",
    "harbor",
    "Pier",
    "www.pier-men.org",
    "pier-men.org",
    "Nowhereville",
  ];
  const more = ["Lyon", "nothing.pmtiles", "lyon.pmtiles"];
  const asked: string[] = [];
  const ask: Ask = async (question) => {
    asked.push(question);
    return [...answers, ...more][asked.length - 1] ?? "";
  };
  const checkStreets = async ({ streets }: Answers) => {
    if (streets === resolve("nothing.pmtiles")) throw new Error("streets: there is no file");
  };
  expect(await askAll(ask, undefined, checkStreets)).toMatchObject({
    operator: "op@mail.test",
    streets: resolve("lyon.pmtiles"),
  });
  expect(asked).toHaveLength(12);
  expect(asked.filter((question) => question.includes("\n")).map((question) => question.split("\n")[0])).toEqual([
    "location: one of eu, weur, eeur, enam, wnam, apac, oc",
    'brands.harbor.host: "www.pier-men.org" is no host without www',
    'No city is called "Nowhereville": write its name, latitude and longitude',
    "streets: there is no file",
  ]);
});

it("suggests what was answered before it stopped at a question", async () => {
  let kept: Partial<Answers> | undefined;
  const answerUpTo = (last: number): Ask => {
    const given = ["weur", "op@mail.test", "Club", "harbor", "Pier", "pier-men.org", "Lyon", "lyon.pmtiles"];
    let asked = -1;
    return async (_question, suggestion) => {
      asked += 1;
      if (asked === last) throw new Error("stopped");
      return (kept && last > 5 ? suggestion : "") || (given[asked] ?? "");
    };
  };
  const go = (last: number) => askAll(answerUpTo(last), kept, undefined, (answered) => (kept = answered));
  // At the host, which must not be suggested, and at the streets.
  await expect(go(5)).rejects.toThrow("stopped");
  await expect(go(7)).rejects.toThrow("stopped");
  expect(kept).toMatchObject({ operator: "op@mail.test", brands: { harbor: { host: "pier-men.org" } } });
  expect(await go(8)).toMatchObject({ ...kept, streets: resolve("lyon.pmtiles") });
});

it("finds a city by name, country or coordinates", () => {
  expect(findCity("zurich")).toEqual(findCity("Zürich, CH"));
  expect(findCity("Portland, us").lon).toBeLessThan(-120);
  expect(findCity("Our Village, 50.5, 7.25")).toEqual({ name: "Our Village", lat: 50.5, lon: 7.25 });
  expect(() => findCity("Nowhereville")).toThrow("write its name, latitude and longitude");
});

it("names the field of an invalid answer", () => {
  const brand = ANSWERS.brands.ember!;
  const check = (field: object) => () =>
    checkAnswers({ ...ANSWERS, brands: { ...ANSWERS.brands, ember: { ...brand, ...field } } });
  expect(check({ host: "www.ember-men.org" })).toThrow("brands.ember.host");
  expect(check({ host: "ember.example" })).toThrow("nobody's");
  expect(check({ host: "harbor-men.org" })).toThrow("another brand");
  expect(check({ name: "<b>" })).toThrow("brands.ember.name");
  expect(check({ contact: { authorities: "nobody" } })).toThrow("brands.ember.contact.authorities");
  const checkSite = (field: object) => () => checkAnswers({ ...ANSWERS, ...field });
  expect(checkSite({ location: "moon" })).toThrow("location");
  expect(checkSite({ operator: "nobody" })).toThrow("operator");
  expect(checkSite({ brands: { quartz: brand } })).toThrow("brands.quartz");
  expect(checkSite({ streets: "" })).toThrow("streets is empty");
  expect(checkSite({ firstCity: { name: "Lyon", lat: Number.NaN, lon: 4 } })).toThrow("firstCity.lat");
});

it("unseals keys only with their passphrase", async () => {
  const { seal } = await vi.importActual<typeof import("./keys.ts")>("./keys.ts");
  const keys = makeKeys();
  const file = seal(keys, PASSPHRASE);
  expect(JSON.parse(file).scrypt).toEqual({ N: 2 ** 17, r: 8, p: 1 });
  expect(unseal(file, PASSPHRASE)).toEqual(keys);
  expect(() => unseal(file, `${PASSPHRASE}!`)).toThrow("does not open");
  expect(() => seal(keys, "short")).toThrow("16 characters");
  for (const key of Object.values(keys)) expect(file).not.toContain(key);
});
