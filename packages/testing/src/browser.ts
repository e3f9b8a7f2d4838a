import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { R2Bucket } from "@cloudflare/workers-types";
import { type BrandId, getBrand } from "@lambda/brands";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { startHarness } from "./harness.ts";
import { createTables } from "./schema.ts";
import type { RunSql } from "./sql.ts";
import { findStoredJsonFaults } from "./stored-json.ts";

/** Chromium without the windows around its pages, which cost a fifth of a test's time. */
const SHELLS = ["/usr/bin/chromium-headless-shell"];
const BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/**
 * A Chromium on this machine; on Debian or Ubuntu as root it is installed. Undefined when there is none. `windows`: as members have it.
 */
export function findChromium({ windows = false } = {}): string | undefined {
  const candidates = [process.env.CHROMIUM_PATH, ...(windows ? BROWSERS : [...SHELLS, ...BROWSERS])];
  const find = () => candidates.find((path) => path && existsSync(path));
  const found = find();
  if (found) return found;
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  console.log("Installing Chromium from the system's packages ...");
  spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
  for (const name of windows ? ["chromium"] : ["chromium-headless-shell", "chromium"]) {
    const { status } = spawnSync("apt-get", ["install", "-y", "-qq", name], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    if (status === 0) break;
  }
  return find();
}

/** `more` are further switches of Chromium. */
export async function launchChromium(more: readonly string[] = [], { windows = false } = {}): Promise<Browser> {
  const executablePath = findChromium({ windows });
  if (!executablePath) throw new Error("No Chromium found: install one, or set CHROMIUM_PATH.");
  return chromium.launch({
    executablePath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
      ...["--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader"],
      // A microphone that beeps, and the answer to whether it may be used.
      ...["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"],
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

const MAIL_MS = 30_000;

export interface TestSite {
  readonly browser: Browser;
  /** Node resolves no names under .localhost: what asks without a browser asks `localhost`, which is the first brand's too. */
  readonly port: number;
  /** Runs statements as one transaction. */
  readonly run: RunSql;
  /** Address of a path on a brand. */
  url(path: string, brand?: BrandId): string;
  /** A fresh browser profile (own cookies and storage) with one page. */
  open(options?: {
    viewport?: { width: number; height: number };
    brand?: BrandId;
    geolocation?: { latitude: number; longitude: number };
    locale?: string;
    /** Only a browser with windows shows them. */
    notifications?: boolean;
    /** Starting one takes an eighth of a page's time: only what is about it, or plays the whole way, asks for it. */
    serviceWorker?: boolean;
    /** Things move as members see them who did not ask for less of it. */
    motion?: boolean;
  }): Promise<{ context: BrowserContext; page: Page; errors: string[] }>;
  /** Puts an archive of the map into the site's bucket. */
  putArchive(name: string, file: string): Promise<void>;
  /** The login link of the newest mail to an address; waits for it. */
  loginLink(email: string): Promise<string>;
  /** The six digits of the newest mail to an address; waits for it. */
  loginDigits(email: string): Promise<string>;
  /** Runs one statement on the site's database. */
  sql<Row = Record<string, unknown>>(query: string, ...values: (string | number | null)[]): Promise<Row[]>;
  close(): Promise<void>;
}

const shared = globalThis as {
  lambdaTestBrowser?: Promise<Browser>;
  lambdaTestWindows?: Promise<Browser>;
  lambdaTestSite?: Promise<TestSite> | undefined;
  lambdaTestPages?: BrowserContext[];
  lambdaTestPagesKept?: number;
};

/** Pages opened before a test begins belong to the whole file. */
export function markPages(): void {
  shared.lambdaTestPagesKept = shared.lambdaTestPages?.length ?? 0;
}

/** Closes what a test opened: an open page goes on drawing, asking and waking up. */
export async function closePages(): Promise<void> {
  const opened = shared.lambdaTestPages?.splice(shared.lambdaTestPagesKept ?? 0) ?? [];
  await Promise.all(opened.map((context) => context.close()));
}

/**
 * The site of a test file, with a database, buckets and objects that no other file has seen; every call of the same file gets the
 * same one. The browser is started once a process.
 */
export function openSite(): Promise<TestSite> {
  shared.lambdaTestSite ??= start();
  return shared.lambdaTestSite;
}

/** Ends the site of a test file, so that the next one gets its own. Throws when the file left JSON of another shape behind. */
export async function closeSite(): Promise<void> {
  const site = await shared.lambdaTestSite;
  shared.lambdaTestSite = undefined;
  if (!site) return;
  const faults = await findStoredJsonFaults(site.run).finally(site.close);
  if (faults.length > 0) throw new Error(`stored JSON of another shape:\n${faults.join("\n")}`);
}

async function start(): Promise<TestSite> {
  shared.lambdaTestBrowser ??= launchChromium();
  const [browser, worker] = await Promise.all([shared.lambdaTestBrowser, startHarness()]);
  const { port, run } = worker;
  await createTables(run);
  const url = (path: string, brand: BrandId = "ember") => `http://${getBrand(brand).id}.localhost:${port}${path}`;
  const contexts: BrowserContext[] = [];
  shared.lambdaTestPages = contexts;
  const inNewestMail = (email: string, wanted: RegExp) =>
    findInNewestMail(() => worker.fetch("/dev/mail.json"), email, wanted);
  return {
    browser,
    port,
    run,
    url,
    putArchive: async (name, file) => {
      const { TILES } = (await worker.miniflare.getBindings()) as { TILES: R2Bucket };
      await TILES.put(`tiles/${name}.pmtiles`, readFileSync(file));
    },
    open: async ({ viewport = PHONE, brand = "ember", geolocation, locale = "en-US", ...needs } = {}) => {
      const { notifications = false, serviceWorker = notifications, motion = false } = needs;
      const granted = [...(geolocation ? ["geolocation"] : []), ...(notifications ? ["notifications"] : [])];
      if (notifications) shared.lambdaTestWindows ??= launchChromium([], { windows: true });
      const context = await (notifications ? await shared.lambdaTestWindows! : browser).newContext({
        viewport,
        baseURL: url("", brand),
        locale,
        // Half the pixels each way and no motion: what a test asks of a page is the same, and drawing it costs a tenth less.
        deviceScaleFactor: 0.5,
        reducedMotion: motion ? "no-preference" : "reduce",
        serviceWorkers: serviceWorker ? "allow" : "block",
        hasTouch: viewport.width < 600,
        isMobile: viewport.width < 600,
        ...(geolocation && { geolocation }),
        ...(granted.length > 0 && { permissions: granted }),
      });
      contexts.push(context);
      if (SLOW_LINE_MS > 0) await slowDown(context);
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && !NO_FAULT.test(message.text())) errors.push(message.text());
      });
      return { context, page, errors };
    },
    loginLink: (email) => inNewestMail(email, /https?:\/\/\S+/),
    loginDigits: (email) => inNewestMail(email, /^\d{6}$/m),
    sql: async <Found>(query: string, ...values: (string | number | null)[]) =>
      ((await run({ query, values }))[0] ?? []) as Found[],
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
      await worker.close();
    },
  };
}

/** What the newest mail to an address says, of those that a site shows to its developer; waits for it. */
export async function findInNewestMail(
  listMails: () => Promise<Response>,
  email: string,
  wanted: RegExp,
): Promise<string> {
  const deadline = Date.now() + MAIL_MS;
  while (Date.now() < deadline) {
    const mails = (await (await listMails()).json()) as { to: string; text: string }[];
    const found = mails.find((mail) => mail.to === email)?.text.match(wanted)?.[0];
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no mail to ${email}`);
}
