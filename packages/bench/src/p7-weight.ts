/**
 * P7: what the first screen weighs: each route is opened in Chromium with an empty cache, and the script files it asked for, those
 * of its workers included, are gzipped and added up, each once. Nothing else is counted: no style sheet, font, picture or
 * tile. Needs the built application (`npm run build`). For Lighthouse see p7-lighthouse.ts.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launchChromium, PHONE } from "@lambda/testing/browser";
import { ROOT } from "@lambda/testing/site";
import { goal, line } from "./figures.ts";
import type { BenchOptions } from "./main.ts";
import { memberStatements, type OwnSite, openOwnSite } from "./own-site.ts";

const KB = 1000;
const SLOW_MS = 90_000;
interface Screen {
  readonly name: string;
  readonly path: string;
  readonly loggedIn: boolean;
  readonly mostKb: number;
  /** What is there once the screen is; on a slow machine the network may rest before that. */
  readonly shown: string;
  /** Whether the map's library may be among the scripts. */
  readonly map?: true;
}

const SCREENS: readonly Screen[] = [
  { name: "login", path: "/login", loggedIn: false, mostKb: 110, shown: "input[type=password]" },
  { name: "home", path: "/", loggedIn: false, mostKb: 110, shown: "main a[href='/login']" },
  { name: "tiles", path: "/search/tile", loggedIn: true, mostKb: 150, shown: "text=There are no profiles to show" },
  { name: "chat", path: "/chat/personal", loggedIn: true, mostKb: 150, shown: "text=No conversations found" },
  { name: "map", path: "/search/map", loggedIn: true, mostKb: 560, shown: "canvas.maplibregl-canvas", map: true },
];

export async function run(_: BenchOptions): Promise<void> {
  const site = await openOwnSite();
  const browser = await launchChromium();
  try {
    await site.sql(...memberStatements(1, Date.now()));
    const token = (await site.session(1)).split("=")[1] ?? "";
    for (const screen of SCREENS) await weigh(site, browser, screen, token);
  } finally {
    await browser.close();
    await site.close();
  }
}

type Browser = Awaited<ReturnType<typeof launchChromium>>;

async function weigh(site: OwnSite, browser: Browser, screen: Screen, token: string): Promise<void> {
  const url = `http://localhost:${site.port}`;
  const context = await browser.newContext({
    viewport: PHONE,
    isMobile: true,
    hasTouch: true,
    serviceWorkers: "block",
  });
  if (screen.loggedIn) {
    await context.addCookies([
      { name: "__Host-session", value: token, domain: "localhost", path: "/", secure: true, httpOnly: true },
      { name: "logged_in", value: "1", domain: "localhost", path: "/", secure: true },
    ]);
  }
  const page = await context.newPage();
  const scripts = new Set<string>();
  page.on("response", (answer) => {
    const { pathname } = new URL(answer.url());
    if (/\.m?js$/.test(pathname) && answer.ok()) scripts.add(pathname);
  });
  await page.goto(`${url}${screen.path}`);
  await page.locator(screen.shown).first().waitFor({ timeout: SLOW_MS });
  // The map's worker begins after its canvas is there.
  if (screen.map)
    await until(() => page.workers().length > 0 && [...scripts].some((path) => path.includes("map-worker")));
  await page.waitForLoadState("networkidle", { timeout: SLOW_MS });
  const landed = new URL(page.url()).pathname;
  if (landed !== screen.path) line(`${screen.name} went to`, landed);
  const files = [...scripts].map((path) => {
    const bytes = readFileSync(join(ROOT, "apps/web/dist", path));
    return {
      path,
      gzip: gzipSync(bytes, { level: 9 }).length,
      map: /maplibregl|maplibre-gl/.test(bytes.toString("latin1")),
    };
  });
  goal(`${screen.name}: KB of script, gzipped`, files.reduce((sum, { gzip }) => sum + gzip, 0) / KB, screen.mostKb);
  for (const { path, gzip } of files.sort((a, b) => b.gzip - a.gzip).slice(0, 4))
    line(`  ${path}`, `${Math.round(gzip / KB)} KB`);
  if (!screen.map && files.some(({ map }) => map)) line(`${screen.name}: MISSED`, "carries the map's library");
  await context.close();
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + SLOW_MS;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error("the map has no worker");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
