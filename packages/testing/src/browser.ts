import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrandId, getBrand } from "@lambda/brands";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { createDatabase, freePort, type Site, startSite } from "./site.ts";

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** A Chromium on this machine; on Debian or Ubuntu as root it is installed. Undefined when there is none. */
export function findChromium(): string | undefined {
  const found = CANDIDATES.find((path) => path && existsSync(path));
  if (found) return found;
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  console.log("Installing Chromium from the system's packages ...");
  spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
  spawnSync("apt-get", ["install", "-y", "-qq", "chromium"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return CANDIDATES.find((path) => path && existsSync(path));
}

/** `more` are further switches of Chromium. */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium found: install one, or set CHROMIUM_PATH.");
  return chromium.launch({
    executablePath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
      ...["--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader"],
      ...more,
    ],
  });
}

/**
 * How long each answer to a page's call is kept back, milliseconds, to find what breaks on a slow line: a screen must bear that
 * a member is quicker than the server. From SLOW_LINE_MS; 0 when it is not set.
 */
const SLOW_LINE_MS = Number(process.env.SLOW_LINE_MS ?? 0);

async function slowDown(context: BrowserContext): Promise<void> {
  await context.route(/\/(trpc|api)\//, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_LINE_MS));
    await route.continue().catch(() => undefined);
  });
}

/** What the console calls an error and no page can help: a refused answer, a touch that came while the browser was scrolling. */
const NO_FAULT = /Failed to load resource|Ignored attempt to cancel a touch/;

export interface TestSite {
  readonly browser: Browser;
  readonly site: Site;
  /** Address of a path on a brand. */
  url(path: string, brand?: BrandId): string;
  /** A fresh browser profile (own cookies and storage) with one page. */
  open(options?: {
    viewport?: { width: number; height: number };
    brand?: BrandId;
    geolocation?: { latitude: number; longitude: number };
    locale?: string;
  }): Promise<{ context: BrowserContext; page: Page; errors: string[] }>;
  /** The login link of the newest mail to an address; waits for it. */
  loginLink(email: string): Promise<string>;
  /** Runs SQL on the site's database, through the development-only door of the worker. */
  sql<Row = Record<string, unknown>>(query: string, ...values: (string | number | null)[]): Promise<Row[]>;
  close(): Promise<void>;
}

const shared = globalThis as { lambdaTestSite?: Promise<TestSite> };

/** The running site with an empty database and a browser, started once a process and closed with it. */
export function openSite(): Promise<TestSite> {
  shared.lambdaTestSite ??= start();
  return shared.lambdaTestSite;
}

async function start(): Promise<TestSite> {
  const state = mkdtempSync(join(tmpdir(), "site-"));
  createDatabase(state);
  const site = await startSite({ port: await freePort(), state });
  const browser = await launchChromium();
  const url = (path: string, brand: BrandId = "ember") => `http://${getBrand(brand).id}.localhost:${site.port}${path}`;
  const onLocalhost = (path: string) => `http://localhost:${site.port}${path}`;
  process.once("exit", () => {
    if (site.process.exitCode === null && site.process.pid !== undefined) {
      try {
        process.kill(-site.process.pid, "SIGKILL");
      } catch {
        // It ended by itself meanwhile.
      }
    }
    rmSync(state, { recursive: true, force: true });
  });
  return {
    browser,
    site,
    url,
    open: async ({ viewport = PHONE, brand = "ember", geolocation, locale = "en-US" } = {}) => {
      const context = await browser.newContext({
        viewport,
        baseURL: url("", brand),
        locale,
        hasTouch: viewport.width < 600,
        isMobile: viewport.width < 600,
        ...(geolocation && { geolocation, permissions: ["geolocation"] }),
      });
      if (SLOW_LINE_MS > 0) await slowDown(context);
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && !NO_FAULT.test(message.text())) errors.push(message.text());
      });
      return { context, page, errors };
    },
    loginLink: async (email) => {
      const deadline = Date.now() + 10_000;
      while (Date.now() < deadline) {
        const mails = (await (await fetch(onLocalhost("/dev/mail.json"))).json()) as { to: string; text: string }[];
        const link = mails.find((mail) => mail.to === email)?.text.match(/https?:\/\/\S+/)?.[0];
        if (link) return link;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`no mail to ${email}`);
    },
    sql: async <Row>(query: string, ...values: (string | number | null)[]) => {
      const ask = () => fetch(onLocalhost("/dev/sql"), { method: "POST", body: JSON.stringify({ query, values }) });
      let answer = await ask();
      // The development server may close an idle connection in the moment it is used: nothing has run then.
      if (answer.status === 500 && (await answer.clone().text()).includes("Network connection lost"))
        answer = await ask();
      if (!answer.ok) throw new Error(`${query}: ${await answer.text()}`);
      return (await answer.json()) as Row[];
    },
    close: async () => {
      await browser.close();
      await site.stop();
      rmSync(state, { recursive: true, force: true });
    },
  };
}
