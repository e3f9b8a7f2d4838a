/**
 * The first day and the next version with the operator's own commands and the real wrangler, without stubs: from an empty account of the
 * fake platform to the uploaded worker that answers at its domains, where the smoke test uses it as a member. Then the last day.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createECDH, createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { DAY_MS, MINUTE_MS } from "@lambda/contract/limits";
import { OpeningStep } from "@lambda/contract/opening";
import { drawVersion, FAKE_API_TOKEN, type FakeCloudflare, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { type HarnessOptions, type RunningHarness, startHarness, WORKER_NAME } from "@lambda/testing/harness";
import { decryptPush } from "@lambda/testing/push-service";
import { seededRandom } from "@lambda/testing/random";
import { copyRepository, type RepositoryCopy } from "@lambda/testing/repository-copy";
import { ROOT } from "@lambda/testing/site";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { unstable_splitSqlQuery } from "wrangler";
import { readSite } from "./deployment/site-file.ts";
import type { Answers } from "./setup/answers.ts";

const random = seededRandom(1);
const SCRIPT = "lambda-production";
const HOST = "pier-men.org";
const ANSWERS: Answers = {
  location: "eu",
  operator: "op@mail.test",
  legalName: "Club e.V.",
  firstCity: { name: "San Francisco", lat: 37.76, lon: -122.43 },
  streets: join(ROOT, "packages/tooling/data/san-francisco.pmtiles"),
  contact: { post: "1 Street", authorities: "law@mail.test", languages: ["en"], representative: null },
  brands: { harbor: { name: "Pier", host: HOST } },
};
/** The smoke test's device has this private key. */
const PHONE = createECDH("prime256v1");
PHONE.generateKeys();
/** Requests to a new domain that its certificate makes wait: 530s for four minutes of the command's clock. */
const LATE_REQUESTS = 24;

let copy: RepositoryCopy;
let cloudflare: FakeCloudflare;
let domains: Domains;
let child: ChildProcess | undefined;
beforeAll(async () => {
  copy = copyRepository();
  const { root } = copy;
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "The version of that day");
  // Otherwise npm run deploy installs the packages, which the copy shares.
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  writeFileSync(join(root, "node_modules/.installed-lock"), lock);
  cloudflare = await startFakeCloudflare({ query: (sql, id) => domains.query(sql, id) });
  cloudflare.addZone(HOST);
  domains = await serveDomains(cloudflare, root);
}, 120_000);
afterAll(async () => {
  child?.kill("SIGKILL");
  await domains.close();
  await cloudflare.close();
  copy[Symbol.dispose]();
});

it("leads from an empty account to a site that works, also when each step is interrupted, and to the next version", {
  timeout: 600_000,
}, async () => {
  const { root } = copy;
  const answers = join(root, "node_modules/answers.json");
  writeFileSync(answers, JSON.stringify(ANSWERS));
  const setup = (killAt?: RegExp) => run("setup.ts", ["--answers", answers], { killAt });
  cloudflare.failNext(/^POST .*\/d1\/database$/, 429);
  cloudflare.failNext(/^PUT .*\/d1\/database/, 503, 2);
  const refuse = async (call: RegExp, status: number, code: number, args?: readonly string[]) => {
    const stop = cloudflare.failNext(call, status, Number.POSITIVE_INFINITY, code);
    const { output, code: exit } = await (args ? run("deploy.ts", args) : setup());
    stop();
    expect(exit, output).toBe(1);
    return output;
  };
  for (const step of [
    /^POST .*\/d1\/database$/,
    /^POST .*\/r2\/buckets$/,
    /^POST .*\/queues$/,
    /^PUT .*\/tiles%2Fworld|^PUT .*tiles.world/,
    /^POST .*\/email\/sending\/subdomains$/,
    /^POST .*assets-upload-session$/,
    UPLOAD,
  ]) {
    if (step === UPLOAD)
      expect(await refuse(UPLOAD, 403, 10000)).toMatch(
        /wrangler deploy failed: .*The token lacks Workers Scripts Edit\. .*\nThe first deployment stopped\.\nRun npm run setup again/,
      );
    const stopped = await setup(step);
    expect(stopped.output, String(step)).not.toContain("npm run setup again");
    expect(stopped.code, `${step}\n${stopped.output}`).toBe("killed");
  }
  expect(await refuse(/^PUT .*\/domains\/records$/, 503, 10013)).toMatch(
    /wrangler triggers deploy failed: .*partially updated: Custom domains: .*\nRun npm run setup again/,
  );
  const done = await setup();
  expect(done.output).toMatch(
    /Waiting up to 15 minutes for https:\/\/pier-men.org[\s\S]*pier-men.org answers[\s\S]*Done: reach the site/,
  );
  expect(done.output).toContain("Done: set addresses, crons and queues.");
  expect(done.code).toBe(0);
  expect(domains.refused()).toBe(LATE_REQUESTS);
  expect([...cloudflare.databases.values()].map(({ name }) => name)).toEqual(["lambda", "lambda-messages-1"]);
  const kept = [...(cloudflare.buckets.get("eu/lambda-tiles")?.keys() ?? [])].toSorted();
  expect(kept.filter((key) => !key.startsWith("assets/"))).toEqual([
    "tiles/san-francisco.pmtiles",
    "tiles/world.pmtiles",
  ]);
  const built = readdirSync(join(root, "apps/web/dist/assets")).map((name) => `assets/${name}`);
  expect(kept).toEqual(expect.arrayContaining(built));
  expect(git(root, "status", "--porcelain")).toBe("");
  // The smoke test's push, by the queue, as its device reads it.
  expect(domains.pushes).toEqual([expect.objectContaining({ kind: "message", title: "Pier" })]);
  expect(done.output).not.toContain("push did not reach");
  const page = await domains.fetch(`https://${HOST}/login`);
  expect(await page.text()).toContain("Pier");
  // The throwaway members wrote to the database for messages, and are gone.
  const rows = async (sql: string) => (await domains.query(sql, readSite(root)?.database ?? ""))?.[0];
  expect(await rows("SELECT count(*) AS n, sum(ts_deleted IS NULL) AS here FROM account")).toMatchObject([{ here: 0 }]);

  // A second run finds nothing to do but what only a person can.
  const again = await setup();
  expect(again.output).toMatch(
    /Left for you to do:\n- .*op@mail.test has a mail[\s\S]*There is no backup yet[\s\S]*Register op@mail.test/,
  );

  await openSite(setup);

  const newer = mkdtempSync(join(tmpdir(), "newer-"));
  git(root, "clone", "-q", root, newer);
  const toml = join(newer, "wrangler.toml");
  writeFileSync(
    toml,
    readFileSync(toml, "utf8")
      .replace(/routes = \[[\s\S]*?^\]/m, "routes = []")
      .replaceAll('LOG_SHARE = "0.05"', 'LOG_SHARE = "1"'),
  );
  git(newer, "commit", "-q", "-am", "The next version");
  git(root, "pull", "-q", newer, "main");
  rmSync(newer, { recursive: true });
  expect(await refuse(/^POST .*\/query$/, 503, 7500, [])).toMatch(/^503 to POST .*\/query: .*\nRun the same command/m);
  expect(await refuse(/^POST .*\/versions$/, 429, 971, [])).toMatch(
    /wrangler versions upload failed: .*\nRun the same command again/,
  );
  const deployed = await run("deploy.ts", []);
  expect(deployed.output).toContain("Deployed. To undo: npm run rollback");
  expect(git(root, "status", "--porcelain")).toBe("");
  const back = await run("rollback.ts", []);
  expect(back.output).toContain("It answers.");

  await closeSite();
});

/** Wrangler's upload of a first version. */
const UPLOAD = /^PUT .*\/workers\/scripts\/[\w-]+$/;

/** The operator announces the end, and on its day everything is erased. */
async function closeSite(): Promise<void> {
  const day = new Date(Date.now() + 32 * DAY_MS).toISOString().slice(0, 10);
  const near = await run("close-down.ts", [day.replace(/^\d{4}/, "2020")]);
  expect([near.code, near.output]).toEqual([1, expect.stringContaining("is the first possible one")]);
  const unsure = await run("close-down.ts", [day], { input: "yes\n" });
  expect([unsure.code, unsure.output]).toEqual([1, expect.stringMatching(/again to go on: .*Nothing was changed/)]);
  const announced = await run("close-down.ts", [day], { input: `${day}\n` });
  expect(announced.output).toMatch(/a mail to each member say that the site closes[\s\S]*Deployed\./);
  expect(announced.code).toBe(0);
  expect((await run("close-down.ts", [])).output).toContain(`The site closes on ${day}.`);
  const home = async () => (await domains.fetch(`https://${HOST}/login`)).text();
  expect(await home()).toContain(`data-closing="${day}"`);
  const database = readSite(copy.root)?.database ?? "";
  const publicActions = async () => {
    const rows = (
      await domains.query("SELECT DISTINCT action FROM public_entry WHERE action LIKE 'site.%'", database)
    )?.[0];
    return (rows as { action: string }[]).map(({ action }) => action);
  };
  await domains.minutes(Date.now(), 4);
  expect(domains.mails()).toContain("your account is erased with everything in it");
  expect(await publicActions()).toContain("site.closing");
  await domains.minutes(Date.parse(day) + 2 * DAY_MS, 8);
  expect(await publicActions()).toContain("site.erased");
  for (const table of ["account", "message", "session"])
    expect((await domains.query(`SELECT count(*) AS n FROM ${table}`, database))?.[0]).toEqual([{ n: 0 }]);
  // Another version asks again whether the site ever opened; visitors still read the log.
  expect((await run("deploy.ts", ["--only-visitor"])).code).toBe(0);
  expect((await domains.fetch(`https://${HOST}/api/transparency/chain`)).status).toBe(200);
}

/** The operator registers, becomes admin, ticks what the law asks, and opens the site, which showed visitors nothing before. */
async function openSite(setup: () => Promise<CommandResult>): Promise<void> {
  const origin = `https://${HOST}`;
  const call = (method: string, path: string, body?: object, cookie = "") =>
    domains.fetch(`${origin}${path}`, {
      method,
      headers: { origin, cookie, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const register = (email: string) =>
    call("POST", "/api/auth/register", { email, acknowledgements: "cookies; adult; geolocation" });
  const home = async () => (await call("GET", "/")).text();
  expect(await home()).toContain("Pier is not open yet");
  const refused = await register(ANSWERS.operator);
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("NOT_OPEN")]);
  const token = await vi.waitFor(() => {
    const found = /token=([\w-]+)/.exec(domains.mails())?.[1];
    expect(found).toBeDefined();
    return found;
  }, 20_000);
  const login = await call("POST", "/api/auth/token", { token, confirmed: true });
  const cookie = /__Host-session=[^;]+/.exec(login.headers.get("set-cookie") ?? "")?.[0];
  expect(login.status).toBe(200);
  expect((await setup()).output).not.toContain("Register op@mail.test");

  const early = await call("POST", "/api/admin/opening", {}, cookie);
  expect([early.status, await early.text()]).toEqual([409, expect.stringContaining("Not ticked yet: mail, keys")]);
  for (const step of OpeningStep.options)
    expect((await call("PUT", `/api/admin/opening/${step}`, { done: true }, cookie)).status, step).toBe(200);
  expect((await call("POST", "/api/admin/opening", {}, cookie)).status).toBe(200);
  expect(await home()).not.toContain("not open yet");
  expect((await register("first@mail.test")).status).toBe(202);
}

interface CommandResult {
  readonly code: number | "killed";
  readonly output: string;
}

/** Runs a command of the copy, and kills it and its children as soon as the platform got a request. */
function run(
  file: string,
  args: readonly string[],
  { killAt, input }: { readonly killAt?: RegExp | undefined; readonly input?: string } = {},
): Promise<CommandResult> {
  const from = cloudflare.requests.length;
  const command = [join(copy.root, "packages/tooling/src", file), ...args];
  const started = spawn(`${ROOT}node_modules/.bin/node`, ["--disable-warning=ExperimentalWarning", ...command], {
    cwd: copy.root,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      ...process.env,
      PATH: `${ROOT}node_modules/.bin:${process.env.PATH}`,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(domains.preload)}`,
      CLOUDFLARE_API_BASE_URL: cloudflare.base,
      CLOUDFLARE_API_TOKEN: FAKE_API_TOKEN,
      CLOUDFLARE_ACCOUNT_ID: "",
      SETUP_PASSPHRASE: "correct horse battery staple",
      WRANGLER_SEND_METRICS: "false",
      TURBO_TELEMETRY_DISABLED: "1",
    },
  });
  child = started;
  started.stdin.end(input);
  let output = "";
  for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  const watch = setInterval(() => {
    if (killAt && cloudflare.requests.slice(from).some((request) => killAt.test(request))) kill(started);
  }, 2);
  return new Promise((resolve) => {
    started.once("close", (code) => {
      clearInterval(watch);
      resolve({ code: code ?? "killed", output });
    });
  });
}

function kill({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

interface Domains {
  /** For the commands: requests to the site's domains reach this process, and waits of seconds pass at once. */
  readonly preload: string;
  /** Runs statements in the databases of the running worker; undefined before there is one. */
  query(sql: string, id: string): Promise<object[][] | undefined>;
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Runs the jobs of these minutes. */
  minutes(from: number, count: number): Promise<void>;
  /** What a push service got, decrypted. It knows no device. */
  readonly pushes: unknown[];
  /** What the running worker mailed. */
  mails(): string;
  /** How often a domain did not answer yet. */
  refused(): number;
  close(): Promise<void>;
}

/** Serves the uploaded worker at the domains that its deployment attached. */
async function serveDomains(platform: FakeCloudflare, root: string): Promise<Domains> {
  let refused = 0;
  const mails: string[] = [];
  let running: { readonly version: string; readonly site: RunningHarness } | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const databases = new Map<string, D1Database>();
  const pushes: unknown[] = [];
  const outbound: NonNullable<HarnessOptions["outbound"]> = async (request) => {
    const db = databases.get(readSite(root)?.database ?? "");
    const device = await db
      ?.prepare("SELECT auth_base64 AS auth FROM push_subscription WHERE endpoint = ?")
      .bind(request.url)
      .first<{ auth: string }>();
    if (device)
      pushes.push(decryptPush(PHONE, Buffer.from(device.auth, "base64url"), Buffer.from(await request.arrayBuffer())));
    return new Response(null, { status: 410 });
  };
  const folder = mkdtempSync(join(tmpdir(), "uploaded-"));
  /** Starts an uploaded version, on the data of the one before. */
  const open = async (id: string): Promise<RunningHarness> => {
    if (running?.version === id) return running.site;
    await running?.site.close();
    const { versions, secrets } = platform.scripts.get(SCRIPT)!;
    const { bindings, code } = versions.find((version) => version.id === id)!;
    writeFileSync(join(folder, "index.js"), code);
    const configPath = join(folder, "wrangler.json");
    cpSync(join(root, "deployment/wrangler.json"), configPath);
    const texts = bindings.filter(({ type }) => type === "plain_text").map(({ name, text = "" }) => [name, text]);
    const vars = Object.fromEntries([...texts, ...secrets]) as Record<string, string>;
    const site = await startHarness([{ configPath, vars, bundle: folder }], { state: join(folder, "state"), outbound });
    for (const [database, { name, sqlite }] of platform.databases) {
      const number = /^lambda-messages-(\d+)$/.exec(name)?.[1];
      const binding = number ? `MESSAGES_${number}` : "DB";
      const d1 = (await site.miniflare.getD1Database(binding, WORKER_NAME)) as unknown as D1Database;
      if (!running) await copyDatabase(sqlite, d1);
      databases.set(database, d1);
    }
    running = { version: id, site };
    return site;
  };
  const fetchSite = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { domains = [], deployments = [] } = platform.scripts.get(SCRIPT) ?? {};
    const isAttached = domains.includes(new URL(url).hostname);
    if (!isAttached || refused < LATE_REQUESTS) {
      if (isAttached) refused += 1;
      return new Response("error code: 1016", { status: 530 });
    }
    const headers = new Headers(init.headers);
    const [deployment] = deployments;
    const version = deployment ? drawVersion(deployment.versions, SCRIPT, headers, random.next) : "";
    headers.set("cf-connecting-ip", "203.0.113.9");
    const site = turn.then(() => open(version));
    turn = site.catch(() => undefined);
    return (await site).fetch(url, { redirect: "manual", ...init, headers });
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET", url = "", headers } = request;
    const { host: _host, connection: _connection, ...rest } = headers;
    const answer = await fetchSite(`https:/${url}`, {
      method,
      headers: rest as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const own = { ...Object.fromEntries(answer.headers), "set-cookie": answer.headers.getSetCookie() };
    response.writeHead(answer.status, own).end(Buffer.from(await answer.arrayBuffer()));
  });
  await listen(server);
  return {
    preload: preloadFor((server.address() as AddressInfo).port),
    query: async (sql, id) => {
      const d1 = databases.get(id);
      if (!d1) return undefined;
      const results = await d1.batch<object>(unstable_splitSqlQuery(sql).map((statement) => d1.prepare(statement)));
      return results.map((result) => result.results);
    },
    fetch: fetchSite,
    minutes: async (from, count) => {
      const { scheduled } = await running!.site.miniflare.getWorker(WORKER_NAME);
      for (let minute = 0; minute < count; minute += 1)
        await scheduled({ cron: "* * * * *", scheduledTime: new Date(from + minute * MINUTE_MS) });
    },
    mails: () => {
      mails.push(...(running?.site.takePrinted() ?? []));
      const files = mails.join("\n").matchAll(/(\/\S+\.txt)/g);
      // A version that was replaced took its files along.
      return [...files].map(([, file = ""]) => (existsSync(file) ? readFileSync(file, "utf8") : "")).join("\n");
    },
    refused: () => refused,
    pushes,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await running?.site.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

/** Only in our own commands: wrangler needs its timers. Their new devices have the private key of PHONE. */
function preloadFor(port: number): string {
  return `if (/(setup|deploy|rollback)\\.ts$/.test(process.argv[1] ?? "")) {
    const [fetchOf, wait, clock] = [globalThis.fetch, globalThis.setTimeout, Date.now];
    let passed = 0;
    const crypto = process.getBuiltinModule("node:crypto");
    const makePair = crypto.createECDH;
    crypto.createECDH = (curve) => {
      const pair = makePair(curve);
      pair.generateKeys = (encoding) => {
        pair.setPrivateKey("${PHONE.getPrivateKey("hex")}", "hex");
        return pair.getPublicKey(encoding);
      };
      return pair;
    };
    process.getBuiltinModule("node:module").syncBuiltinESMExports();
    globalThis.fetch = (url, init) => fetchOf(String(url).replace(/^https:\\/\\/(?=[\\w.-]+\\.org)/, "http://127.0.0.1:${port}/"), init);
    globalThis.setTimeout = (run, ms = 0, ...rest) => {
      // Not the deadline of a call to the platform.
      if (ms < 1000 || ms >= 60_000) return wait(run, ms, ...rest);
      passed += ms;
      return wait(run, 1, ...rest);
    };
    Date.now = () => clock() + passed;
  }`;
}

async function copyDatabase(sqlite: DatabaseSync, d1: D1Database): Promise<void> {
  const objects = sqlite
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY type = 'trigger', type = 'index', rowid",
    )
    .all() as unknown as { type: string; name: string; sql: string }[];
  await d1.batch(objects.map(({ sql }) => d1.prepare(sql)));
  for (const { name } of objects.filter(({ type }) => type === "table")) {
    for (const row of sqlite.prepare(`SELECT * FROM "${name}"`).all()) {
      const columns = Object.keys(row);
      const insert = `INSERT OR REPLACE INTO "${name}" (${columns.map((column) => `"${column}"`)}) VALUES (${columns.map(() => "?")})`;
      await d1
        .prepare(insert)
        .bind(...Object.values(row))
        .run();
    }
  }
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@mail.test", ...args], { cwd, encoding: "utf8" });
}
