/** Runs the operator's commands as real processes, against a fake of the platform's account API. */
import { execFile, execFileSync } from "node:child_process";
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
import { BRANDS } from "@lambda/brands";
import { LATEST_DATABASE_BACKUP_KEY, LATEST_PICTURE_INVENTORY_KEY } from "@lambda/contract/backup";
import { FAKE_API_TOKEN, type FakeCloudflare, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { memberInserter } from "@lambda/testing/members";
import { copyRepository, type RepositoryCopy } from "@lambda/testing/repository-copy";
import { ROOT } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAccount } from "./account/client.ts";
import { createDatabase } from "./account/resources.ts";
import { dumpDatabase } from "./backup/database-dump.ts";
import { markAllDone, readMigrations } from "./deploy/numbered-migrations.ts";
import { remoteRunner } from "./deploy/target.ts";
import { writeDatabaseId, writeProject, writePushKey } from "./setup/project-files.ts";

const SCRIPT = "lambda-production";
const SCHEMA = readFileSync(join(ROOT, "schema.sql"), "utf8");

let cloudflare: FakeCloudflare;
beforeEach(async () => {
  cloudflare = await startFakeCloudflare();
});
afterEach(() => cloudflare.close());

interface CommandResult {
  readonly code: number;
  readonly output: string;
}

/** `npm run NAME -- ...args`, without npm. */
async function run(
  root: string,
  file: string,
  args: readonly string[] = [],
  env = {},
  input = "",
): Promise<CommandResult> {
  const child = [join(root, "packages/tooling/src", file), ...args];
  const variables = {
    CLOUDFLARE_API_BASE_URL: cloudflare.base,
    CLOUDFLARE_API_TOKEN: FAKE_API_TOKEN,
    CLOUDFLARE_ACCOUNT_ID: cloudflare.account,
    WRANGLER_SEND_METRICS: "false",
    ...env,
  };
  const options = { cwd: root, env: { ...process.env, ...variables } };
  const result = promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", ...child], options);
  result.child.stdin?.end(input);
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
    json(LATEST_DATABASE_BACKUP_KEY, { key: "database/today.sql", ts, bytes, sha256, rows, commit: "c0ffee" });
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
    const brands = Object.fromEntries(
      BRANDS.map(({ id }) => [
        id,
        { host: `${id}.test`, legalName: id, mailbox: "op@mail.test", post: "1 Street", authorities: "law@mail.test" },
      ]),
    );
    writeProject(root, { location: "weur", operator: "op@mail.test", admin: "op@mail.test", brands });
    writePushKey(root, "public-key");
    mkdirSync(join(root, "apps/web/dist"), { recursive: true });
    writeFileSync(join(root, "apps/web/dist/index.html"), "<!doctype html><title></title>");
    stubBuild(root);
    const account = await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base, account: cloudflare.account });
    ({ uuid: databaseId } = await createDatabase(account, "lambda", "weur"));
    writeDatabaseId(root, databaseId, cloudflare.account);
    cloudflare.databases.get(databaseId)?.sqlite.exec(SCHEMA);
    await markAllDone(readMigrations(join(root, "migrations")), remoteRunner({ account, databaseId }), 1);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@mail.test", ...args], { cwd: root });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-q", "-m", "Set up");
    statuses = new Map([["/api/sessions", 401]]);
    site = createServer((request, response) => {
      const path = request.url ?? "";
      const body = path === "/api/version" ? '{"gitCommitHash":"c0ffee"}' : "<title></title>";
      response.writeHead(statuses.get(path) ?? (path === "/dev/sql" ? 404 : 200)).end(body);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    env = { NODE_OPTIONS: redirectTo((site.address() as AddressInfo).port) };
  });
  afterEach(() => {
    site.close();
    copy.delete();
  });

  it("npm run deploy -- --dry-run checks everything, bundles for production and changes nothing", async () => {
    deployed();
    const { root } = copy;
    cloudflare.requests.length = 0;
    const dry = await run(root, "deploy.ts", ["--dry-run"], env);
    expect(dry.output).toMatch(/Dry run: would go out as [0-9a-f]{12}, at 10, 50, 100 %\. Nothing was uploaded/);
    expect(dry.code).toBe(0);
    // Database queries are POST requests.
    expect(cloudflare.requests.filter((request) => !/^GET|query$/.test(request))).toEqual([]);
    // An uncommitted edit and a missing key are reported, and the command exits with 1.
    const toml = join(root, "wrangler.toml");
    writeFileSync(toml, readFileSync(toml, "utf8").replace('VAPID_PUBLIC_KEY = "public-key"', 'VAPID_PUBLIC_KEY = ""'));
    const rejected = await run(root, "deploy.ts", ["--dry-run"], env);
    expect(rejected.output).toMatch(/cannot be deployed:\n- wrangler.toml has no VAPID_PUBLIC_KEY\n- .*not committed/);
    expect(rejected.code).toBe(1);
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

  function deployed(): string {
    const version = cloudflare.addVersion(SCRIPT, true, readTag());
    for (const secret of readWranglerConfig().env.production.secrets?.required ?? [])
      cloudflare.scripts.get(SCRIPT)?.secrets.set(secret, "value");
    return version;
  }
});

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
  writeFileSync(join(bin, "turbo"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
}
