/** Runs the operator's commands as real processes, against a fake of the platform's account API. */
import { type ChildProcess, execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { LATEST_PICTURE_INVENTORY_KEY, latestDatabaseBackupKey } from "@lambda/contract/backup";
import { FAKE_API_TOKEN, type FakeCloudflare, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { memberInserter } from "@lambda/testing/members";
import { copyRepository, type RepositoryCopy } from "@lambda/testing/repository-copy";
import { ROOT } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { newestKeyId } from "@lambda/worker/keys";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openAccount } from "./account/client.ts";
import { createDatabase } from "./account/resources.ts";
import { dumpDatabase } from "./backup/database-dump.ts";
import { markAllDone, readMigrations } from "./deploy/numbered-migrations.ts";
import { remoteRunner } from "./deploy/target.ts";
import { DEPLOYMENT, readSite, updateSite } from "./deployment/site-file.ts";
import { makeKeys, seal, unseal } from "./setup/keys.ts";

const SCRIPT = "lambda-production";
/** Of a site that was set up when the secret was the private half alone. */
const [PUSH_HALF = ""] = makeKeys().VAPID_PRIVATE_KEY?.split(".") ?? [];
const SCHEMA = readFileSync(join(ROOT, "schema.sql"), "utf8");

// Each command starts Node, and some start wrangler.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let cloudflare: FakeCloudflare;
beforeEach(async () => {
  cloudflare = await startFakeCloudflare();
});
afterEach(() => cloudflare.close());

interface CommandResult {
  readonly code: number;
  readonly output: string;
}

const operatorVariables = () => ({
  CLOUDFLARE_API_BASE_URL: cloudflare.base,
  CLOUDFLARE_API_TOKEN: FAKE_API_TOKEN,
  CLOUDFLARE_ACCOUNT_ID: cloudflare.account,
  WRANGLER_SEND_METRICS: "false",
  // The test harness quiets wrangler for all its children.
  WRANGLER_LOG: "log",
});

/** `npm run NAME -- ...args`, without npm. */
async function run(
  root: string,
  file: string,
  args: readonly string[] = [],
  env = {},
  input = "",
  watch: (child: ChildProcess) => void = () => undefined,
): Promise<CommandResult> {
  const child = [join(root, "packages/tooling/src", file), ...args];
  const options = { cwd: root, env: { ...process.env, ...operatorVariables(), ...env } };
  const result = promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", ...child], options);
  result.child.stdin?.end(input);
  watch(result.child);
  return result.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}

describe("npm run drill", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "drill-test-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const bucket = () => cloudflare.buckets.get("default/lambda-backups")!;
  const json = (key: string, value: object) => bucket().set(key, Buffer.from(JSON.stringify(value)));

  /** Creates a backup like the worker's nightly job. */
  async function backUp(): Promise<void> {
    const source = join(folder, "site.sqlite");
    const db = new DatabaseSync(source);
    db.exec(SCHEMA);
    const insert = memberInserter(db);
    for (const id of [1, 2, 3]) insert({ id });
    db.close();
    const dump = join(folder, "dump.sql");
    const bytes = await dumpDatabase(dump, source);
    cloudflare.buckets.set("default/lambda-backups", new Map());
    const text = readFileSync(dump);
    bucket().set("database/today.sql", text);
    const sha256 = createHash("sha256").update(text).digest("hex");
    const ts = Date.now() - 3_600_000;
    const rows = { account: [3, 3], profile: [3, 3] };
    json(latestDatabaseBackupKey(0), { key: "database/today.sql", ts, bytes, sha256, rows, commit: "c0ffee" });
    bucket().set("inventory/today", Buffer.from(""));
    json(LATEST_PICTURE_INVENTORY_KEY, { ts, lists: ["inventory/today"], objects: 0, bytes: 0 });
  }

  it("restores the newest backup, reports that nothing is wrong, and cleans up", async () => {
    await backUp();
    const { code, output } = await run(ROOT, "drill.ts", [], { TMPDIR: folder });
    expect(output).toMatch(/account: 3 rows[\s\S]*made .* by c0ffee[\s\S]*Nothing is wrong with it/);
    expect(code).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith("drill-"))).toEqual([]);
    expect(cloudflare.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  });

  it("exits with 1 if a backup lacks rows, and reports which", async () => {
    await backUp();
    const text = Buffer.from(bucket().get("database/today.sql")!).toString();
    bucket().set("database/today.sql", Buffer.from(text.replace(/^INSERT INTO "(?=account").*\n/m, "")));
    const { code, output } = await run(ROOT, "drill.ts", [], { TMPDIR: folder });
    expect(output).toMatch(/Wrong:[\s\S]*checksum differs[\s\S]*account has 2 rows and had 3/);
    expect(code).toBe(1);
  });
});

/** As npm run setup leaves a project, whose web application was built before. */
describe("a configured project", () => {
  let copy: RepositoryCopy;
  let site: Server;
  let statuses: Map<string, number>;
  let env: Record<string, string>;
  let databaseId: string;
  beforeEach(async () => {
    copy = copyRepository();
    const { root } = copy;
    mkdirSync(join(root, "apps/web/dist/assets"), { recursive: true });
    writeFileSync(join(root, "apps/web/dist/index.html"), "<!doctype html><title></title>");
    stubBuild(root);
    const account = await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base, account: cloudflare.account });
    ({ uuid: databaseId } = await createDatabase(account, "lambda", "weur"));
    updateSite(root, {
      account: cloudflare.account,
      database: databaseId,
      pushKey: "public-key",
      answers: {
        location: "weur",
        operator: "op@mail.test",
        legalName: "Club",
        firstCity: { name: "Lyon", lat: 45.76, lon: 4.84 },
        streets: "lyon.pmtiles",
        contact: { post: "1 Street", authorities: "law@mail.test", languages: ["en"], representative: null },
        brands: { harbor: { name: "Pier", host: "pier.test" } },
      },
    });
    cloudflare.databases.get(databaseId)?.sqlite.exec(SCHEMA);
    await markAllDone(readMigrations(join(root, "migrations")), remoteRunner({ account, databaseId }), 1);
    git(root, "init", "-q", "-b", "main");
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "The version of that day");
    statuses = new Map([["/api/sessions", 401]]);
    site = createServer((request, response) => {
      const path = request.url ?? "";
      const commit = git(root, "rev-parse", "HEAD").trim();
      const body = path === "/api/version" ? JSON.stringify({ gitCommitHash: commit }) : "<title></title>";
      response.writeHead(statuses.get(path) ?? (path === "/dev/sql" ? 404 : 200)).end(body);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    env = { NODE_OPTIONS: redirectTo((site.address() as AddressInfo).port) };
  });
  afterEach(() => {
    site.close();
    copy[Symbol.dispose]();
  });

  it("npm run deploy -- --dry-run checks everything, bundles for production and changes nothing", async () => {
    deployed();
    const { root } = copy;
    cloudflare.requests.length = 0;
    const dry = await run(root, "deploy.ts", ["--dry-run"], env);
    expect(dry.output).toMatch(/Dry run: would go out as [0-9a-f]{12}, at 100 %\. Nothing was uploaded/);
    expect(dry.code).toBe(0);
    // Database queries are POST requests.
    expect(cloudflare.requests.filter((request) => !/^GET|query$/.test(request))).toEqual([]);
    // An uncommitted edit and a missing key are reported, and the command exits with 1.
    writeFileSync(join(root, "README.md"), "edited");
    updateSite(root, { pushKey: "" });
    const rejected = await run(root, "deploy.ts", ["--dry-run"], env);
    expect(rejected.output).toMatch(/cannot be deployed:\n- deployment\/site.json has no pushKey\n- .*not committed/);
    expect(rejected.code).toBe(1);
  });

  it("takes a newer version by git pull and npm run deploy: no conflict, the same ids and keys, its migrations run", async () => {
    deployed();
    createStores();
    const { root } = copy;
    const before = readSite(root);
    const newer = mkdtempSync(join(tmpdir(), "newer-"));
    try {
      git(root, "clone", "-q", root, newer);
      const edit = (file: string, change: (text: string) => string) =>
        writeFileSync(join(newer, file), change(readFileSync(join(newer, file), "utf8")));
      // The lines that setup wrote into tracked files once, and their neighbors.
      edit("wrangler.toml", (text) =>
        text
          .replace(/routes = \[[\s\S]*?^\]/m, 'routes = [{ pattern = "new.example", custom_domain = true }]')
          .replace(/^LOG_SHARE = .*$/m, 'LOG_SHARE = "0.1"')
          .replace(/^(VAPID|ALERT|BACKUP|database_id).*$/gm, "# New.\n$&"),
      );
      for (const brand of ["ember", "harbor", "bramble"])
        edit(`packages/brands/src/${brand}.ts`, (text) =>
          text.replaceAll(/^.*(hosts|legalName|Address):/gm, "  // New.\n$&"),
        );
      const number = String(readMigrations(join(root, "migrations")).length).padStart(4, "0");
      const table = "CREATE TABLE IF NOT EXISTS newer (id INTEGER PRIMARY KEY) STRICT;\n";
      writeFileSync(join(newer, `migrations/${number}-newer.sql`), table);
      edit("schema.sql", (text) => text + table);
      git(newer, "add", "-A");
      git(newer, "commit", "-q", "-m", "The next version");
      git(root, "pull", "-q", newer, "main");
    } finally {
      rmSync(newer, { recursive: true });
    }
    const result = await run(root, "deploy.ts", ["--pause", "0", "--looks", "1", "--only-visitor"], env);
    expect(result.output).toContain("Deployed. To undo: npm run rollback");
    expect(git(root, "status", "--porcelain")).toBe("");
    expect(readSite(root)).toEqual(before);
    const script = cloudflare.scripts.get(SCRIPT);
    const bindings = Object.fromEntries(script?.versions[0]?.bindings.map((each) => [each.name, each]) ?? []);
    expect(bindings).toMatchObject({
      DB: { id: databaseId },
      VAPID_PUBLIC_KEY: { text: "public-key" },
      VAPID_SUBJECT: { text: "mailto:op@mail.test" },
      LOG_SHARE: { text: "0.1" },
      GIT_COMMIT_HASH: { text: git(root, "rev-parse", "HEAD").trim() },
    });
    expect(script?.domains).toEqual(["pier.test", "www.pier.test"]);
    const { sqlite } = cloudflare.databases.get(databaseId)!;
    expect(sqlite.prepare("SELECT count(*) AS n FROM newer").get()).toEqual({ n: 0 });
    // The web application is built with the operator's brands, and so is the worker.
    expect(JSON.parse(readFileSync(join(root, "node_modules/brands-of-the-build"), "utf8"))).toMatchObject({
      harbor: { name: "Pier", host: "pier.test", legalName: "Club" },
    });
    await run(root, "wrangler.ts", ["deploy", "--dry-run", "--outdir", join(root, "node_modules/bundle")]);
    const bundle = readFileSync(join(root, "node_modules/bundle/index.js"), "utf8");
    expect([bundle.includes("pier.test"), bundle.includes("__SITE_BRANDS__")]).toEqual([true, false]);
  });

  it("Ctrl-C in a rollout gives all requests back, and erases the test's members", async () => {
    const previous = deployed();
    createStores();
    const { sqlite } = cloudflare.databases.get(databaseId)!;
    const members = () => sqlite.prepare("SELECT ts_deleted IS NULL AS here FROM account").all();
    const shares = () => cloudflare.scripts.get(SCRIPT)?.deployments.map(({ versions }) => versions[0]?.percentage);
    // The stub of a site logs nobody in, so that the test tries for a while.
    const stopped = await run(copy.root, "deploy.ts", ["--pause", "0"], env, "", (child) => {
      const watch = setInterval(() => {
        if (child.exitCode === null && members().length < 2) return;
        clearInterval(watch);
        // npm passes it on.
        for (let times = 0; times < 2; times += 1) child.kill("SIGINT");
      }, 20);
      child.once("exit", () => clearInterval(watch));
    });
    expect(stopped.output).toMatch(
      new RegExp(
        `Stopping: [\\s\\S]*was taken back, and ${previous} has all requests again: it was stopped\nRun the same`,
      ),
    );
    expect([stopped.code, shares(), members()]).toMatchObject([1, [100, 0.01, 100], [{ here: 0 }, { here: 0 }]]);
  });

  it("npm run rollback gives all requests to the previous version, npm run secret keeps it, and a failing smoke test exits with 1", async () => {
    const previous = deployed();
    const current = cloudflare.addVersion(SCRIPT, true, "v1");
    const running = () => cloudflare.scripts.get(SCRIPT)?.deployments[0]?.versions.map(({ version_id }) => version_id);
    expect(running()).toEqual([current]);
    const back = await run(copy.root, "rollback.ts", [], env);
    expect(back.output).toContain(`${previous} has all requests.`);
    expect(back.output).toContain("It answers.");
    expect([back.code, running()]).toEqual([0, [previous]]);
    const secret = await run(copy.root, "secret.ts", ["HOLD_KEY"], env, "changed\n");
    expect(secret.output).toMatch(/the same code with the new HOLD_KEY\.\nIt answers/);
    expect([secret.code, secret.output.includes("changed")]).toEqual([0, false]);
    expect(cloudflare.scripts.get(SCRIPT)?.secrets.get("HOLD_KEY")).toBe("changed");
    expect(running()).not.toEqual([current]);
    statuses.set("/api/sessions", 500);
    const broken = await run(copy.root, "rollback.ts", [current], env);
    expect(broken.output).toMatch(/api\/sessions answered 500 and not 401/);
    expect([broken.code, running()]).toEqual([1, [current]]);
    const unknown = await run(copy.root, "rollback.ts", ["no-such-version"], env);
    expect(unknown.output).toContain("There is no version no-such-version");
    expect([unknown.code, running()]).toEqual([1, [current]]);
  });

  it("after a leak: npm run rollback, then a new key, and after a loss the sealed keys again, one command each", async () => {
    const previous = deployed();
    cloudflare.addVersion(SCRIPT, true, "v1");
    const { root } = copy;
    const file = join(root, DEPLOYMENT, "keys.sealed.json");
    const passphrase = "a passphrase of tests";
    writeFileSync(file, seal({ POSITION_KEY: "old", HOLD_KEY: "hold", VAPID_PRIVATE_KEY: PUSH_HALF }, passphrase));
    const withPassphrase = { ...env, SETUP_PASSPHRASE: passphrase };
    const secrets = () => cloudflare.scripts.get(SCRIPT)?.secrets;
    const publicKey = () => readSite(root)?.pushKey ?? "no pushKey";
    const back = await run(root, "rollback.ts", [], env);
    expect(back.output).toContain(`${previous} has all requests.`);
    const rotated = await run(root, "keys.ts", ["rotate", "SITE_KEY"], withPassphrase);
    expect(rotated.output).toMatch(
      /Sealed the new SITE_KEY[\s\S]*with the SITE_KEY of the sealed file[\s\S]*It answers/,
    );
    const newKey = secrets()?.get("SITE_KEY") ?? "";
    expect(newKey).toMatch(/^2:[\w+/]{43}=,1:old$/);
    expect([rotated.code, rotated.output.includes(newKey), secrets()?.get("HOLD_KEY")]).toEqual([0, false, "value"]);
    // Devices of the old push key go on to get pushes: it stays behind the new one, with its public half.
    const pushed = await run(root, "keys.ts", ["rotate", "VAPID_PRIVATE_KEY"], withPassphrase);
    expect(pushed.output).toMatch(/with the VAPID_PRIVATE_KEY of the sealed file[\s\S]*It answers/);
    const [, publicHalf] =
      new RegExp(`^2:[\\w-]{43}\\.([\\w-]{87}),1:${PUSH_HALF}\\.[\\w-]{87}$`).exec(
        secrets()?.get("VAPID_PRIVATE_KEY") ?? "",
      ) ?? [];
    expect([pushed.code, readSite(root)?.pushKey]).toEqual([0, publicHalf]);
    for (const name of ["SITE_KEY", "HOLD_KEY"]) secrets()?.delete(name);
    const restored = await run(root, "keys.ts", ["restore"], withPassphrase);
    expect([restored.code, secrets()?.get("SITE_KEY"), secrets()?.get("HOLD_KEY")]).toEqual([0, newKey, "hold"]);
    // The sealed file of another site changes nothing.
    const { sqlite } = cloudflare.databases.get(databaseId)!;
    memberInserter(sqlite)({ id: 1 });
    sqlite.exec("UPDATE account SET lattices = x'0011223344'");
    const foreign = await run(root, "keys.ts", ["rotate", "SITE_KEY"], withPassphrase);
    expect(foreign.output).toContain("another SITE_KEY than the site. Nothing was changed");
    expect([foreign.code, secrets()?.get("SITE_KEY")]).toEqual([1, newKey]);
    // Without any copy, a new key: what the old one made is gone.
    rmSync(file);
    for (const args of [["restore"], ["rotate", "SITE_KEY"]])
      expect((await run(root, "keys.ts", args, env)).output).toMatch(/^There is no .*keys.sealed.json: .*A lost key/);
    const unsure = await run(root, "keys.ts", ["replace", "SITE_KEY"], withPassphrase);
    expect([unsure.code, secrets()?.get("SITE_KEY"), existsSync(file)]).toEqual([1, newKey, false]);
    const replaced = await run(root, "keys.ts", ["replace", "SITE_KEY", "--lost"], withPassphrase);
    expect(replaced.output).toContain("It answers");
    expect(secrets()?.get("SITE_KEY")).toMatch(/^[\w+/]{43}=$/);
    expect(unseal(readFileSync(file, "utf8"), passphrase)).toEqual({ SITE_KEY: secrets()?.get("SITE_KEY") });
    const account = () => sqlite.prepare("SELECT lattices, length(lattice_seed) AS seed FROM account").get();
    expect({ ...account() }).toEqual({ lattices: null, seed: 32 });
    // The file that was just made is the site's: nothing to replace.
    const id = newestKeyId({ SITE_KEY: secrets()?.get("SITE_KEY") ?? "" }).toString("hex");
    sqlite.exec(`UPDATE account SET lattices = x'${id}55'`);
    const again = await run(root, "keys.ts", ["replace", "SITE_KEY", "--lost"], withPassphrase);
    expect(again.output).toContain("has the site's SITE_KEY. Nothing was changed");
    const push = await run(root, "keys.ts", ["replace", "VAPID_PRIVATE_KEY", "--lost"], withPassphrase);
    expect([push.code, secrets()?.get("VAPID_PRIVATE_KEY")]).toEqual([0, expect.stringContaining(publicKey())]);
    const pushAgain = await run(root, "keys.ts", ["replace", "VAPID_PRIVATE_KEY", "--lost"], withPassphrase);
    expect(pushAgain.output).toContain("has VAPID_PRIVATE_KEY. Nothing was changed");
    // Holds under the lost key keep its number for themselves.
    sqlite.exec(`INSERT INTO legal_hold (hold_ref, report_id, case_ref, brand, rule, reason, key_version, salt, ts_started, ts_until)
      VALUES ('one', 1, 'case', 'harbor', 'minor', '', 1, 'salt', 1, 2)`);
    const hold = await run(root, "keys.ts", ["replace", "HOLD_KEY", "--lost"], withPassphrase);
    expect([hold.code, secrets()?.get("HOLD_KEY")]).toEqual([0, expect.stringMatching(/^2:[\w+/]{43}=$/)]);
  });

  it("says a failure of wrangler in a sentence, keeps what it printed, and prints it with --verbose", async () => {
    const { root } = copy;
    const failed = await run(root, "recover.ts", ["sweep", "--remote"], env);
    const sentence =
      /^wrangler r2 object put lambda-pictures\/jobs\/sweep-allowed.json failed: .*bucket.*\. All it printed: deployment\/wrangler\.log$/;
    expect(failed.output.trimEnd()).toMatch(sentence);
    expect(readFileSync(join(root, DEPLOYMENT, "wrangler.log"), "utf8")).toContain("ERROR");
    const verbose = await run(root, "recover.ts", ["sweep", "--remote", "--verbose"], env);
    expect(verbose.output).toContain("ERROR");
    expect(verbose.output.trimEnd().split("\n").at(-1)).toMatch(sentence);
    expect([failed.code, verbose.code]).toEqual([1, 1]);
  });

  it("goes back by Time Travel, and from a backup after the loss of the database, by one command each, and deletes again who had deleted themselves", async () => {
    deployed();
    createStores();
    const { root } = copy;
    const database = () => cloudflare.databases.get(readSite(root)?.database ?? "")!;
    const accounts = () => database().sqlite.prepare("SELECT id, ts_deleted AS ts FROM account ORDER BY id").all();
    const insert = memberInserter(database().sqlite);
    for (const id of [1, 2]) insert({ id });
    const bucket = () => cloudflare.buckets.get("default/lambda-backups")!;
    const maintenance = () => JSON.parse(Buffer.from(bucket().get("maintenance.json") ?? []).toString());
    const recover = async (...args: string[]) => {
      const { code, output } = await run(root, "recover.ts", [...args, "--settle", "0"], env);
      expect(code, output).toBe(0);
      return output;
    };
    const info = await run(root, "wrangler.ts", ["d1", "time-travel", "info", "lambda"], env);
    expect(info.output).toContain("The current bookmark is");
    const before = new Date().toISOString();
    database().sqlite.exec(`UPDATE account SET email = 'moved@mail.test' WHERE id = 2; UPDATE account SET ts_deleted = 1700000000000 WHERE id = 2;
      UPDATE account SET email = 'gone@mail.test' WHERE id = 1; DELETE FROM account WHERE id = 1`);
    expect(await recover("time", before)).toMatch(
      /Members are kept out[\s\S]*Done again since then: .*deleted 1[\s\S]*Members are let in again/,
    );
    expect(accounts()).toMatchObject([{ ts: expect.any(Number) }, { ts: 1_700_000_000_000 }]);
    expect(maintenance()).toMatchObject({ on: false, restoredTo: before });

    const day = new Date().toISOString().slice(0, 10);
    const file = join(root, "node_modules/site.sqlite");
    database().sqlite.prepare("VACUUM INTO ?").run(file);
    const bytes = dumpDatabase(join(root, "node_modules/dump.sql"), file);
    const text = readFileSync(join(root, "node_modules/dump.sql"));
    bucket().set(`database/${day}.sql`, text);
    const sha256 = createHash("sha256").update(text).digest("hex");
    const backup = { key: `database/${day}.sql`, ts: Date.now(), bytes, sha256, rows: {}, commit: "c0ffee" };
    bucket().set(latestDatabaseBackupKey(0), Buffer.from(JSON.stringify(backup)));
    cloudflare.databases.delete(databaseId);
    const output = await recover("database");
    expect(output).toMatch(
      /lambda cannot be read[\s\S]*lambda-\d{8}-1 has every row[\s\S]*Deployed[\s\S]*Members are let in again/,
    );
    expect(accounts()).toMatchObject([{ ts: expect.any(Number) }, { ts: 1_700_000_000_000 }]);
    const bound = cloudflare.scripts.get(SCRIPT)?.versions[0]?.bindings.find(({ name }) => name === "DB");
    expect(bound).toMatchObject({ id: readSite(root)?.database });
    expect(readSite(root)?.database).not.toBe(databaseId);
    await recover("pictures");
    await recover("sweep", "--remote");
    expect([...cloudflare.buckets.get("default/lambda-pictures")!.keys()]).toEqual([
      "jobs/database-mark.json",
      "jobs/restore-pictures.json",
      "jobs/sweep-allowed.json",
    ]);
    // Whoever forgets --remote learns that nothing happened to the site.
    const local = await run(root, "recover.ts", ["sweep"], env);
    expect(local.output).toContain("The same command with --remote is for the deployed site.");
    const lost = { ...env, npm_lifecycle_event: "recover", npm_config_remote: "true" };
    expect(await run(root, "recover.ts", ["sweep"], lost)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^npm took --remote for itself.* npm run recover -- --remote\n/),
    });
    const listed = await run(root, "migrate.ts", ["--list"], env);
    expect([listed.code, listed.output]).toEqual([1, expect.stringContaining("npm start")]);
  });

  it("npm run hash-lists -- add FILE --remote loads a list into the site's own database", async () => {
    const list = join(copy.root, "node_modules/list.csv");
    writeFileSync(list, "f8f8f0cee0f4a84f06370a22038f63f0b36e2ed596621e1d33e6b39c4e9c9b22,one\n");
    const { code, output } = await run(copy.root, "hash-lists/main.ts", ["add", list, "--remote"], env);
    expect(output).toMatch(/1 entries\none \(minor\): 1 entries/);
    expect(code).toBe(0);
    const { sqlite } = cloudflare.databases.get(databaseId)!;
    expect({ ...sqlite.prepare("SELECT source FROM known_picture").get() }).toEqual({ source: "list:one" });
  });

  it("asks for no secret before it knows whose", async () => {
    for (const [file, args] of [
      ["secret.ts", []],
      ["keys.ts", ["rotate"]],
    ] as const)
      expect(await run(copy.root, file, args, env)).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^(Say |npm run keys -- rotate NAME)/),
      });
  });

  function createStores(): void {
    for (const { bucket_name } of readWranglerConfig().env.production.r2_buckets)
      cloudflare.buckets.set(`default/${bucket_name}`, new Map());
    for (const queue of ["lambda-push", "lambda-push-dead"]) cloudflare.queues.set(queue, "default");
  }

  function deployed(): string {
    const version = cloudflare.addVersion(SCRIPT, true, readTag());
    for (const secret of readWranglerConfig().env.production.secrets?.required ?? [])
      cloudflare.scripts.get(SCRIPT)?.secrets.set(secret, "value");
    return version;
  }
});

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@mail.test", ...args], { cwd, encoding: "utf8" });
}

function readTag(): string {
  const { migrations = [] } = readWranglerConfig() as unknown as { migrations?: { tag: string }[] };
  return migrations.at(-1)?.tag ?? "";
}

/** Node options that redirect requests for the brands' hosts, which do not exist, to a local port. */
function redirectTo(port: number): string {
  const script = `const originalFetch = globalThis.fetch;
    globalThis.fetch = (url, init) => originalFetch(String(url).replace(/^https:\\/\\/[\\w.]+\\.test/, "http://127.0.0.1:${port}"), init);`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}

/** Replaces turbo in the copy by a stub, because the build takes half a minute and has its own tests. */
function stubBuild(root: string): void {
  const bin = join(root, "node_modules/.bin");
  const names = readdirSync(join(ROOT, "node_modules/.bin"));
  if (lstatSync(bin).isSymbolicLink()) rmSync(bin);
  mkdirSync(bin, { recursive: true });
  for (const name of names.filter((command) => command !== "turbo" && !existsSync(join(bin, command))))
    symlinkSync(join(ROOT, "node_modules/.bin", name), join(bin, name));
  writeFileSync(join(bin, "turbo"), '#!/bin/sh\nprintf %s "$SITE_BRANDS" > node_modules/brands-of-the-build\n', {
    mode: 0o755,
  });
}
