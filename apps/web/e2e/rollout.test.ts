/**
 * A deployment and its rollback, while browsers without a service worker load the first pages and two open ones go on. The stand-in draws
 * the version of each request, and its deployments are not in force everywhere at once.
 *
 * @module-tag slow
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { R2Bucket } from "@cloudflare/workers-types";
import { FEWER_PROCESSES, launchChromium, PHONE } from "@lambda/testing/browser";
import { drawVersion, FAKE_API_TOKEN, type FakeCloudflare, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { type RunningHarness, startHarness, WORKER_NAME, workerWith } from "@lambda/testing/harness";
import { seededRandom } from "@lambda/testing/random";
import { createTables } from "@lambda/testing/schema";
import { ROOT } from "@lambda/testing/site";
import { openAccount } from "@lambda/tooling/account";
import { goBack, setTrafficSplit } from "@lambda/tooling/deployments";
import { keepFiles } from "@lambda/tooling/keep-files";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { log, send } from "./chat-page.ts";
import { logIn, makeMember } from "./members.ts";

const SCRIPT = "lambda-production";
const DIST = join(ROOT, "apps/web/dist");
/** Another one draws other versions. */
const SEED = Number(process.env.SEED ?? 1);
const FRIEND_FILES = "meet/files.json";
/** In the shares of a rollout in steps, in its last one, and in the rollback. */
const LOADS_EACH: readonly number[] = [10, 30, 30, 30];

let folder: string;
let cloudflare: FakeCloudflare;
let site: RunningHarness;
let browser: Browser;
let front: Server;
let versions: { readonly previous: string; readonly current: string };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rollout-"));
  cloudflare = await startFakeCloudflare();
  cloudflare.buckets.set("eu/lambda-tiles", new Map());
  versions = { previous: cloudflare.addVersion(SCRIPT, true), current: cloudflare.addVersion(SCRIPT, false) };
  makePreviousBuild(DIST, folder);
  const previous = { ...workerWith(0), behind: { assets: folder } };
  [site, browser] = await Promise.all([startHarness([workerWith(0), previous]), launchChromium(FEWER_PROCESSES)]);
  await createTables(site.run);
  front = await serveAtRandom();
});
afterAll(async () => {
  await browser?.close();
  front?.closeAllConnections();
  front?.close();
  await Promise.all([site?.close(), cloudflare?.close()]);
  rmSync(folder, { recursive: true });
});

/** The same application, whose scripts and styles have other names, and whose friend's page tells the build of either. */
function makePreviousBuild(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const assets = readdirSync(join(to, "assets"));
  const renamed = new Map(
    assets.filter((name) => /\.(js|css)$/.test(name)).map((name) => [name, name.replace(/(?=\.\w+$)/, "0")]),
  );
  const anyName = new RegExp([...renamed.keys()].map((name) => name.replaceAll(".", "\\.")).join("|"), "g");
  const isFriends = (name: string) => friends.includes(`/${name}`);
  const friends = ["/meet/page.js", "/meet/page.css"];
  if (existsSync(join(to, FRIEND_FILES)))
    friends.push(...Object.values<string>(JSON.parse(readFileSync(join(to, FRIEND_FILES), "utf8"))));
  const files = [
    ...assets.map((name) => `assets/${name}`),
    ...friends.slice(0, 2).map((name) => name.slice(1)),
    "index.html",
  ];
  if (friends.length > 2) files.push(FRIEND_FILES);
  for (const file of files.filter((name) => /\.(js|css|html|json)$/.test(name))) {
    let text = readFileSync(join(to, file), "utf8").replace(anyName, (name) => renamed.get(name) ?? name);
    if (isFriends(file))
      text += file.endsWith(".js") ? ";document.documentElement.dataset.build='0'" : ":root{--build:0}";
    rmSync(join(to, file));
    const [name = ""] = file.split("/").slice(-1);
    writeFileSync(join(to, file.replace(name, renamed.get(name) ?? name)), text);
  }
}

/** Sends each request to the version that the stand-in draws, by the newest deployment or, where that has not arrived, the one before. */
async function serveAtRandom(): Promise<Server> {
  const random = seededRandom(SEED);
  const workerOf = (headers: IncomingHttpHeaders) => {
    const [newest, before = newest] = cloudflare.scripts.get(SCRIPT)?.deployments ?? [];
    const deployment = random.next() < 0.5 ? newest : before;
    const sent = new Headers(headers as Record<string, string>);
    const drawn = drawVersion(deployment?.versions ?? [], SCRIPT, sent, random.next);
    return drawn === versions.previous ? `${WORKER_NAME}-1` : WORKER_NAME;
  };
  const forward = ({ url = "/", method = "GET", headers }: IncomingMessage) =>
    request({
      ...{ host: "127.0.0.1", port: site.port, path: url, method, agent: false },
      headers: { ...headers, "MF-Route-Override": workerOf(headers) },
    });
  const server = createServer((incoming, response) => {
    const sent = forward(incoming);
    sent.once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.once("error", () => response.destroy());
    incoming.pipe(sent);
  });
  server.on("upgrade", (incoming, socket) => {
    const sent = forward(incoming);
    sent.once("upgrade", (answer, upstream) => {
      const { rawHeaders } = answer;
      const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? `${name}: ${rawHeaders[index + 1]}` : []));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`);
      upstream.pipe(socket).pipe(upstream);
      for (const side of [upstream, socket]) side.once("error", () => [upstream, socket].map((each) => each.destroy()));
    });
    for (const event of ["response", "error"]) sent.once(event, () => socket.destroy());
    sent.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const origin = () => `http://ember.localhost:${(front.address() as AddressInfo).port}`;

async function openContext(): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...{ viewport: PHONE, baseURL: origin(), locale: "en-US", serviceWorkers: "block", reducedMotion: "reduce" },
    deviceScaleFactor: 0.5,
    extraHTTPHeaders: { "accept-encoding": "identity" },
  });
  context.setDefaultTimeout(60_000);
  return context;
}

/** What went wrong in a page, and how many documents it loaded. */
function watch(page: Page): { readonly faults: string[]; documents: number } {
  const seen = { faults: [] as string[], documents: 0 };
  page.on("pageerror", (error) => seen.faults.push(String(error)));
  page.on("request", (sent) => {
    if (sent.isNavigationRequest()) seen.documents += 1;
  });
  page.on("response", (answer) => {
    if (answer.status() >= 400 && !/\/(api|trpc)\//.test(answer.url()))
      seen.faults.push(`${answer.status()} ${new URL(answer.url()).pathname}`);
  });
  return seen;
}

/** A first visit, until the application has taken the page over. */
async function visit(path: string): Promise<void> {
  const context = await openContext();
  const page = await context.newPage();
  const seen = watch(page);
  await page.goto(path);
  await page
    .locator("html:not([data-prerendered])")
    .waitFor()
    .catch((cause) => {
      throw new Error(`${path} did not start: ${JSON.stringify(seen)}`, { cause });
    });
  await page.getByRole("main").getByRole("link", { name: "Register" }).first().waitFor();
  expect(seen).toEqual({ faults: [], documents: 1 });
  await context.close();
}

/** A friend opens the link of a plan. Script and style are of one build, which may be any of the two. */
async function visitFriend(): Promise<void> {
  const context = await openContext();
  const page = await context.newPage();
  const seen = watch(page);
  await page.goto(`/meet/${"A".repeat(22)}`);
  const [script, style] = await page.evaluate(() => {
    const root = document.documentElement;
    return [root.dataset.build ?? "", getComputedStyle(root).getPropertyValue("--build")];
  });
  expect(script).toBe(style);
  expect(seen).toEqual({ faults: [], documents: 1 });
  await context.close();
}

it("nobody misses a file, loses a message or reloads in a hundred visits during a rollout and its rollback", {
  timeout: 600_000,
}, async () => {
  const account = await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base, account: cloudflare.account });
  const { TILES } = (await site.miniflare.getBindings()) as { TILES: R2Bucket };
  const keep = async (dist: string) => {
    await keepFiles(account, dist, "eu");
    for (const [key, bytes] of cloudflare.buckets.get("eu/lambda-tiles")!) {
      const contentType = cloudflare.mediaTypes.get(`eu/lambda-tiles/${key}`) ?? "";
      await TILES.put(key, bytes, { httpMetadata: { contentType } });
    }
  };
  // Each deployment does, before its version gets a request.
  await keep(folder);
  const [ansel, bruno, third] = [
    await makeMember(site, { name: "Ansel" }),
    await makeMember(site, { name: "Bruno" }),
    await makeMember(site, { name: "Tomas" }),
  ];
  const tabs = await Promise.all(
    (
      [
        [ansel, `/chat/personal?with=${bruno.id}`],
        [bruno, `/chat/personal?with=${ansel.id}`],
        [third, "/aboutus"],
      ] as const
    ).map(async ([member, path]) => {
      const context = await openContext();
      await logIn(site, context, member);
      const page = await context.newPage();
      const seen = watch(page);
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      return { page, seen };
    }),
  );
  const [{ page: writer }, { page: reader }] = tabs as [(typeof tabs)[0], (typeof tabs)[0]];
  await keep(DIST);
  const texts: string[] = [];
  const screens = ["/settings", "/profileEdit", "/notes", "/games"];
  const look = async (loads: number) => {
    for (let load = 0; load < loads; load += 1) {
      await visit(["/", "/login"][load % 2]!);
      if (load % 5 > 0) continue;
      await visitFriend();
      texts.push(`message ${texts.length + 1}`);
      const [from, to] = texts.length % 2 === 0 ? [writer, reader] : [reader, writer];
      await send(from, texts.at(-1)!);
      await log(to).getByText(texts.at(-1)!, { exact: true }).waitFor();
    }
    // Screens whose files the open page has not loaded yet.
    const walker = tabs[2]!.page;
    await walker.getByRole("button", { name: "Open navigation" }).click();
    const main = walker.getByRole("main");
    const before = await main.innerText();
    const screen = screens.shift()!;
    await walker.getByRole("navigation").locator(`a[href="${screen}"]`).click();
    await walker.waitForURL((url) => url.pathname === screen);
    await expect.poll(() => main.innerText()).not.toBe(before);
  };
  const looks = [...LOADS_EACH];
  for (const percentage of [0.01, 50, 100]) {
    const shares = [
      { version_id: versions.current, percentage },
      { version_id: versions.previous, percentage: 100 - percentage },
    ];
    await setTrafficSplit(account, SCRIPT, percentage === 100 ? shares.slice(0, 1) : shares, `${percentage} %`);
    await look(looks.shift()!);
  }
  await goBack(account, SCRIPT, versions.previous, "rollback");
  await look(looks.shift()!);
  for (const page of [writer, reader])
    expect((await log(page).innerText()).split("\n").filter((line) => line.startsWith("message "))).toEqual(texts);
  expect(tabs.map(({ seen }) => seen)).toEqual(tabs.map(() => ({ faults: [], documents: 1 })));
});
