/**
 * Lighthouse's mobile scores for visitors' and members' screens of the built application. npx downloads Lighthouse for the run, because
 * nothing else needs its hundred packages. It measures a separate site without pictures, or the seeded site that `SITE` names
 * (`SITE=http://ember.localhost:8787`), where it logs in as the demo member.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { findChromium } from "@lambda/testing/browser";
import { type RunningHarness, startHarness } from "@lambda/testing/harness";
import { createTables } from "@lambda/testing/schema";
import { freePort } from "@lambda/testing/site";
import { chromium, type Page } from "playwright-core";
import { putBasemap } from "../../tooling/src/basemap/put.ts";
import { logInAsNewMember } from "./browser-session.ts";
import { type BenchOptions, printGoal, printLine } from "./figures.ts";

const LIGHTHOUSE = "lighthouse@13.5.0";
const VISITOR = ["/", "/login", "/register"];
const MEMBER = ["/", "/search/tile", "/chat/personal", "/settings", "/search/map"];

/** Real throttling: simulated throttling would count every script that loopback delivers before the first paint as blocking. */
const THROTTLING = "--throttling-method=devtools";

/** By default Lighthouse clears cookies and caches, which members would have from earlier pages. */
const KEEP_SESSION = ["--disable-storage-reset"];

interface Report {
  readonly finalDisplayedUrl: string;
  readonly categories: Record<string, { readonly score: number | null }>;
  readonly audits: Record<
    string,
    { readonly numericValue?: number; readonly score: number | null; readonly title: string }
  >;
}

export async function run({ only }: BenchOptions): Promise<void> {
  const isWanted = (name: string) => !only || only.split(",").some((part) => name.endsWith(part));
  const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));
  const own = process.env.SITE ? undefined : await openOwn(join(folder, "state"));
  const origin = process.env.SITE ?? `http://localhost:${own?.port}`;
  const port = await freePort();
  const profile = join(folder, "profile");
  const browser = spawn(
    findChromium({ windows: true }) ?? "chromium",
    [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-sync",
      "--disable-background-networking",
      "--disable-component-update",
      "--enable-unsafe-swiftshader",
      `--remote-debugging-port=${port}`,
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  try {
    // "DevTools listening on ws://127.0.0.1:..."
    for await (const line of createInterface(browser.stderr)) if (line.includes("DevTools")) break;
    browser.stderr.resume();
    for (const path of VISITOR.filter((path) => isWanted(`visitor ${path}`)))
      await measure(`visitor ${path}`, origin + path, port, []);
    const page = await openPage(port);
    if (own) await logInAsNewMember(own.run, page.context(), origin);
    else await logIn(page, origin);
    for (const path of MEMBER.filter((path) => isWanted(`member ${path}`)))
      await measure(`member ${path}`, origin + path, port, KEEP_SESSION);
  } finally {
    browser.kill("SIGKILL");
    await own?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A site without pictures, but with the world basemap. */
async function openOwn(state: string): Promise<RunningHarness> {
  await putBasemap(state);
  const site = await startHarness(undefined, { state });
  await createTables(site.run);
  return site;
}

async function openPage(port: number): Promise<Page> {
  const connected = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const context = connected.contexts()[0];
  if (!context) throw new Error("Chromium has no context");
  return context.newPage();
}

async function logIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/aboutus`);
  const status = await page.evaluate(async () => {
    const form = new FormData();
    form.set("username", "member@example.test");
    form.set("password", "demo-password");
    return (await fetch("/api/auth", { method: "POST", body: form })).status;
  });
  if (status !== 200) throw new Error(`the demo member could not log in: ${status}`);
}

async function measure(name: string, url: string, port: number, extraArgs: readonly string[]): Promise<void> {
  const { stdout } = await promisify(execFile)(
    "npx",
    ["--yes", LIGHTHOUSE, url, `--port=${port}`, THROTTLING, ...extraArgs, "--output=json", "--quiet"],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  const report = JSON.parse(stdout) as Report;
  const score = (category: string) => Math.round(100 * (report.categories[category]?.score ?? 0));
  const value = (audit: string) => report.audits[audit]?.numericValue ?? Number.NaN;
  if (new URL(report.finalDisplayedUrl).pathname !== new URL(url).pathname)
    printLine(`${name} went to`, report.finalDisplayedUrl);
  printLine(
    name,
    `performance ${score("performance")}, accessibility ${score("accessibility")}, best practices ${score("best-practices")}`,
  );
  printGoal("  largest contentful paint, s", value("largest-contentful-paint") / 1000, 2);
  printGoal("  layout shift", value("cumulative-layout-shift"), 0.02);
  printGoal("  blocking, ms", value("total-blocking-time"), 150);
  const failed = Object.values(report.audits).filter((audit) => audit.score === 0);
  printLine("  audits at 0", failed.map((audit) => audit.title).join("; ") || "none");
}
