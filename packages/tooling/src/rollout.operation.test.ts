/**
 * A deployment and its rollback as the platform carries them out: each request, files included, is answered by a version drawn anew. A
 * browser without a service worker loads pages meanwhile, and a tab that was open before goes on.
 */
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as send } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { R2Bucket } from "@cloudflare/workers-types";
import { FEWER_PROCESSES, launchChromium, PHONE } from "@lambda/testing/browser";
import { drawVersion } from "@lambda/testing/fake-cloudflare";
import { configuredWorker, type RunningHarness, startHarness, WORKER_NAME, workerWith } from "@lambda/testing/harness";
import { insertMember, insertSession } from "@lambda/testing/members";
import { seededRandom } from "@lambda/testing/random";
import { createTables } from "@lambda/testing/schema";
import { ROOT } from "@lambda/testing/site";
import { expect, it } from "vitest";
import { buildWeb } from "./build-web.ts";

const LOADS = 100;
/** Percentages of the requests that the next version gets: out and back. */
const SHARES = [0, 10, 50, 90, 100, 90, 50, 10, 0] as const;
const NEXT = `${WORKER_NAME}-1`;
const SCREENS = ["/notifications", "/account", "/chat/personal", "/tos", "/likes"];

it("misses no file, loses no message and reloads nothing while requests are drawn from two versions", {
  timeout: 1_200_000,
}, async () => {
  await buildWeb();
  const built = join(ROOT, "apps/web/dist");
  const folder = mkdtempSync(join(tmpdir(), "next-build-"));
  renameBuild(built, folder);
  await using harness = await startHarness([workerWith(0), { ...configuredWorker(), behind: { assets: folder } }]);
  await createTables(harness.run);
  await keepFiles(harness, built);
  await keepFiles(harness, folder);
  await using front = await serveDrawn(harness);
  const origin = `http://ember.localhost:${front.port}`;
  const browser = await launchChromium(FEWER_PROCESSES);
  try {
    const faults: string[] = [];
    const open = async () => {
      const context = await browser.newContext({
        viewport: PHONE,
        baseURL: origin,
        locale: "en-US",
        serviceWorkers: "block",
      });
      const page = await context.newPage();
      page.on("pageerror", (error) => faults.push(`${page.url()}: ${error}`));
      page.on("response", (response) => {
        if (response.status() >= 400 && new URL(response.url()).pathname.startsWith("/assets/"))
          faults.push(`${page.url()}: ${response.status()} ${response.url()}`);
      });
      return { context, page };
    };
    const [me, other] = [
      await insertMember(harness.run, { name: "Ansel" }),
      await insertMember(harness.run, { name: "Bruno" }),
    ];
    const tab = await open();
    const cookie = { domain: "ember.localhost", path: "/", secure: true, sameSite: "Lax" as const };
    await tab.context.addCookies([
      { name: "__Host-session", value: await insertSession(harness.run, me.id), httpOnly: true, ...cookie },
      { name: "logged_in", value: "1", ...cookie },
    ]);
    let documents = 0;
    tab.page.on("load", () => {
      documents += 1;
    });
    await tab.page.goto(`/chat/personal?with=${other.id}`);
    const texts: string[] = [];
    for (let load = 0; load < LOADS; load += 1) {
      front.percentage = SHARES[Math.floor((load * SHARES.length) / LOADS)]!;
      const visitor = await open();
      await visitor.page.goto(load % 2 === 0 ? "/aboutus" : "/", { waitUntil: "load" });
      if (load % 2 === 0) await visitor.page.getByRole("heading").first().waitFor();
      await visitor.context.close();
      // A deployment ends the sockets.
      if (load % 10 === 0)
        await harness.miniflare.unsafeEvictDurableObject(WORKER_NAME, "MemberObject", {
          name: String(me.id),
          webSockets: "close",
        });
      if (load % 5 > 0) continue;
      await show(tab.page, SCREENS[(load / 5) % SCREENS.length]!);
      await show(tab.page, `/chat/personal?with=${other.id}`);
      const text = `written at load ${load}`;
      texts.push(text);
      await tab.page.getByRole("textbox", { name: "Message" }).fill(text);
      await tab.page.getByRole("button", { name: "Send" }).click();
      await tab.page.getByRole("log").getByText(text, { exact: true }).waitFor();
    }
    const stored = async () => {
      const query = "select body_text as text from message where sender_id = ? order by id";
      return ((await harness.run({ query, values: [me.id] }))[0] as { text: string }[]).map(({ text }) => text);
    };
    await expect.poll(stored, { timeout: 60_000 }).toEqual(texts);
    expect({ faults, documents }).toEqual({ faults: [], documents: 1 });
    expect(front.drawn).toEqual(new Set([WORKER_NAME, NEXT]));
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});

/** Moves within the application, as its links do. */
const show = (page: { evaluate(move: (path: string) => void, path: string): Promise<void> }, path: string) =>
  page.evaluate((to) => history.pushState(null, "", to), path);

/** Copies a build under other names, as of another version in which every file changed. */
function renameBuild(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const names = readdirSync(join(to, "assets")).filter((name) => /[\w-]{7}\.\w+$/.test(name));
  const nextName = (name: string) => name.replace(/.(?=\.\w+$)/, (last) => (last === "0" ? "1" : "0"));
  const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    if (/\.(js|css|html|json)$/.test(name)) {
      const text = names.reduce((all, each) => all.replaceAll(each, nextName(each)), readFileSync(file, "utf8"));
      writeFileSync(file, parentPath.endsWith("prerendered") ? withHashes(text) : text);
    }
    if (names.includes(name)) renameSync(file, join(parentPath, nextName(name)));
  }
}

/** The content security policy allows inline text by its hash. */
function withHashes(json: string): string {
  const page = JSON.parse(json) as Record<string, { text: string; hash: string } | string>;
  for (const part of Object.values(page)) {
    if (typeof part !== "string" && part.hash)
      part.hash = `'sha256-${createHash("sha256").update(part.text).digest("base64")}'`;
  }
  return JSON.stringify(page);
}

/** As npm run deploy does before a version gets requests. */
async function keepFiles({ miniflare }: RunningHarness, build: string): Promise<void> {
  const { TILES } = (await miniflare.getBindings(WORKER_NAME)) as { TILES: R2Bucket };
  for (const name of readdirSync(join(build, "assets"))) {
    const contentType = name.endsWith(".js") ? "text/javascript" : name.endsWith(".css") ? "text/css" : "font/woff2";
    await TILES.put(`assets/${name}`, readFileSync(join(build, "assets", name)), { httpMetadata: { contentType } });
  }
}

interface Front extends AsyncDisposable {
  readonly port: number;
  percentage: number;
  readonly drawn: Set<string>;
}

/** The platform's edge: draws the version of each request. */
async function serveDrawn({ port }: RunningHarness): Promise<Front> {
  const random = seededRandom(5);
  const drawn = new Set<string>();
  const draw = () => {
    const versions = [
      { version_id: WORKER_NAME, percentage: 100 - front.percentage },
      { version_id: NEXT, percentage: front.percentage },
    ];
    const version = drawVersion(versions, "lambda-production", new Headers(), random.next);
    drawn.add(version);
    return version;
  };
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const options = { host: "127.0.0.1", port, method, path, headers: { ...headers, "mf-route-override": draw() } };
    const forwarded = send(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    forwarded.once("error", () => response.destroy());
    request.pipe(forwarded);
  });
  server.on("upgrade", ({ url, rawHeaders }, socket, head) => {
    const lines = Array.from(
      { length: rawHeaders.length / 2 },
      (_, at) => `${rawHeaders[2 * at]}: ${rawHeaders[2 * at + 1]}`,
    );
    const upstream = connect(port, "127.0.0.1", () => {
      upstream.write([`GET ${url} HTTP/1.1`, ...lines, `MF-Route-Override: ${draw()}`, "", ""].join("\r\n"));
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket]) end.on("error", () => [upstream, socket].map((each) => each.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const front: Front = {
    port: (server.address() as AddressInfo).port,
    percentage: 0,
    drawn,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return front;
}
