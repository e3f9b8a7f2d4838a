import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { R2Bucket } from "@cloudflare/workers-types";
import { type BrandId, getBrand } from "@lambda/brands";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { startHarness } from "./harness.ts";
import { IS_SLOW, PATIENCE } from "./nightly.ts";
import { seededRandom } from "./random.ts";
import { createTables } from "./schema.ts";
import type { RunSql } from "./sql.ts";
import { findStoredJsonFaults } from "./stored-json.ts";

/** Chromium without windows, which would take a fifth of a test's time. */
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
 * Returns the path of a Chromium. On Debian and Ubuntu, root installs one if there is none.
 *
 * @param windows finds only a browser with windows, as members have it
 */
export function findChromium({ windows = false } = {}): string | undefined {
  const candidates = [process.env.CHROMIUM_PATH, ...(windows ? BROWSERS : [...SHELLS, ...BROWSERS])];
  const find = () => candidates.find((path) => path && existsSync(path));
  const found = find();
  if (found || !canInstall()) return found;
  console.log("Installing Chromium from the system's packages ...");
  (windows ? ["chromium"] : ["chromium-headless-shell", "chromium"]).find((name) => install(name));
  return find();
}

/** Debian's packages of the other engines, by what each brings. */
const ENGINE_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "/usr/bin/firefox-esr": ["firefox-esr"],
  "/usr/bin/Xvfb": ["xvfb"],
  "/usr/bin/WebKitWebDriver": [
    "webkit2gtk-driver",
    ...["base", "good", "bad"].map((quality) => `gstreamer1.0-plugins-${quality}`),
    "gstreamer1.0-libav",
  ],
  "/usr/lib/python3/dist-packages/gi": ["python3-gi"],
  [`/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/girepository-1.0/WebKit2-4.1.typelib`]: [
    "gir1.2-webkit2-4.1",
  ],
};

/** Returns which files of Firefox and WebKitGTK this machine lacks. On Debian, root installs them first. */
export function findMissingEngines(): readonly string[] {
  const listMissing = () => Object.keys(ENGINE_PACKAGES).filter((path) => !existsSync(path));
  const missing = listMissing();
  if (missing.length > 0 && canInstall()) {
    console.log("Installing Firefox and WebKitGTK from the system's packages ...");
    install(...missing.flatMap((path) => ENGINE_PACKAGES[path] ?? []));
  }
  return listMissing();
}

const canInstall = () => process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

let isUpdated = false;

function install(...names: readonly string[]): boolean {
  if (!isUpdated) spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
  isUpdated = true;
  const { status } = spawnSync("apt-get", ["install", "-y", "-qq", ...names], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return status === 0;
}

/** Switches for tests: fewer processes take 4 % less processor time. Benches need the processes that members have. */
export const FEWER_PROCESSES = [
  "--enable-features=NetworkServiceInProcess2",
  "--in-process-gpu",
  "--renderer-process-limit=1",
  "--process-per-site",
];

/** @param switches more switches of Chromium */
export async function launchChromium(switches: readonly string[] = [], { windows = false } = {}): Promise<Browser> {
  const executablePath = findChromium({ windows });
  if (!executablePath) throw new Error("No Chromium found: install one, or set CHROMIUM_PATH.");
  return chromium.launch({
    executablePath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
      ...["--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader"],
      // Provides a microphone that beeps, and grants access to it.
      ...["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"],
      ...switches,
    ],
  });
}

/** What {@link IS_SLOW} adds to each answer in milliseconds, at random, so that answers overtake each other. */
const LATE_MS_MAX = 4000;
const SLOWER = 8;

async function slowDown(page: Page): Promise<void> {
  const random = seededRandom(1);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  session.on("Fetch.requestPaused", ({ requestId }) => {
    // A page that closed meanwhile takes no answer.
    const answer = () => session.send("Fetch.continueResponse", { requestId }).catch(() => undefined);
    setTimeout(answer, random.next() * LATE_MS_MAX);
  });
  const patterns = ["*/trpc/*", "*/api/*"].map((urlPattern) => ({ urlPattern, requestStage: "Response" as const }));
  await session.send("Fetch.enable", { patterns });
}

/** Console errors that are no fault of a page: failed requests, and touches while the browser scrolls. */
const HARMLESS_ERRORS = /Failed to load resource|Ignored attempt to cancel a touch/;

const MAIL_MS = 30_000;

export interface TestSite {
  readonly browser: Browser;
  /** For requests without a browser. They go to `localhost`, the first brand, because Node resolves no names below it. */
  readonly port: number;
  readonly run: RunSql;
  /** Returns the URL of a path on a brand. */
  url(path: string, brand?: BrandId): string;
  /** Opens a page in a new browser context, with its own cookies and storage. */
  open(options?: {
    viewport?: { width: number; height: number };
    brand?: BrandId;
    geolocation?: { latitude: number; longitude: number };
    locale?: string;
    /** Grants notifications. Needs a browser with windows. */
    notifications?: boolean;
    /** Allows the service worker, which takes an eighth of a page's time. */
    serviceWorker?: boolean;
    /** Shows animations. */
    motion?: boolean;
  }): Promise<{ context: BrowserContext; page: Page; errors: string[] }>;
  /** Stores a map archive in the site's bucket. */
  putArchive(name: string, file: string): Promise<void>;
  /** Waits for a mail to an address and returns its login link. */
  loginLink(email: string): Promise<string>;
  /** Waits for a mail to an address and returns its six-digit code. */
  loginDigits(email: string): Promise<string>;
  /** Runs one statement on the main database. */
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

/** Keeps the pages that are open now, in a hook of the file, until the end of the file. */
export function markPages(): void {
  shared.lambdaTestPagesKept = shared.lambdaTestPages?.length ?? 0;
}

/** Closes the pages of a test, which would go on rendering and polling. */
export async function closePages(): Promise<void> {
  const opened = shared.lambdaTestPages?.splice(shared.lambdaTestPagesKept ?? 0) ?? [];
  await Promise.all(opened.map((context) => context.close()));
}

/**
 * Returns the site of a test file, with its own databases, buckets and Durable Objects. Each call in a file returns the same site. The
 * browser starts once per process.
 */
export function openSite(): Promise<TestSite> {
  shared.lambdaTestSite ??= start();
  return shared.lambdaTestSite;
}

/** Closes the site of a test file. Throws if the file left JSON of an unexpected shape in the database. */
export async function closeSite(): Promise<void> {
  const site = await shared.lambdaTestSite;
  shared.lambdaTestSite = undefined;
  if (!site) return;
  let faults: string[];
  try {
    faults = await findStoredJsonFaults(site.run);
  } finally {
    await site.close();
  }
  if (faults.length > 0) throw new Error(`stored JSON of another shape:\n${faults.join("\n")}`);
}

async function start(): Promise<TestSite> {
  shared.lambdaTestBrowser ??= launchChromium(FEWER_PROCESSES);
  const [browser, worker] = await Promise.all([shared.lambdaTestBrowser, startHarness()]);
  const { port, run } = worker;
  await createTables(run);
  const url = (path: string, brand: BrandId = "ember") => `http://${getBrand(brand).id}.localhost:${port}${path}`;
  const contexts: BrowserContext[] = [];
  shared.lambdaTestPages = contexts;
  const inNewestMail = (email: string, pattern: RegExp) =>
    findInNewestMail(() => worker.fetch("/dev/mail.json"), email, pattern);
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
        // Otherwise the site compresses each file anew, which takes 4 % of the processor time.
        extraHTTPHeaders: { "accept-encoding": "identity" },
        locale,
        // Fewer pixels and no motion take a tenth off the rendering, and do not change what a test checks.
        deviceScaleFactor: 0.5,
        reducedMotion: motion ? "no-preference" : "reduce",
        serviceWorkers: serviceWorker ? "allow" : "block",
        hasTouch: viewport.width < 600,
        isMobile: viewport.width < 600,
        ...(geolocation && { geolocation }),
        ...(granted.length > 0 && { permissions: granted }),
      });
      // Twice the usual: a busy machine is slow, not wrong.
      context.setDefaultTimeout(60_000 * PATIENCE);
      contexts.push(context);
      const page = await context.newPage();
      if (IS_SLOW) await slowDown(page);
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && !HARMLESS_ERRORS.test(message.text())) errors.push(message.text());
      });
      return { context, page, errors };
    },
    // Other mails have links too, and the expected one may still be under way.
    loginLink: (email) => inNewestMail(email, /https?:\/\/\S+(?:token|confirm)=\S+/),
    loginDigits: (email) => inNewestMail(email, /^\d{6}$/m),
    sql: async <Found>(query: string, ...values: (string | number | null)[]) =>
      ((await run({ query, values }))[0] ?? []) as Found[],
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
      await worker.close();
    },
  };
}

/** Waits for a mail to an address among those that a development site lists, and returns the match in it. */
export async function findInNewestMail(
  listMails: () => Promise<Response>,
  email: string,
  pattern: RegExp,
): Promise<string> {
  const deadline = Date.now() + MAIL_MS;
  while (Date.now() < deadline) {
    const mails = (await (await listMails()).json()) as { to: string; text: string }[];
    const found = mails.find((mail) => mail.to === email)?.text.match(pattern)?.[0];
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no mail to ${email}`);
}
