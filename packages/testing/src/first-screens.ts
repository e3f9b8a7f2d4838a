/**
 * Measures the scripts of a first screen: the gzipped size of every script that a route loads with an empty cache, web
 * workers included. Style sheets, fonts, pictures and map tiles do not count.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { BrowserContext } from "playwright-core";
import { ROOT } from "./site.ts";

const KB = 1000;
const SLOW_MS = 90_000;

export interface FirstScreen {
  readonly name: string;
  readonly path: string;
  readonly loggedIn: boolean;
  readonly maxBytes: number;
  /** Matches once the screen is rendered. On a slow machine the network may be idle before that. */
  readonly readySelector: string;
  /** Whether the scripts may include the map library. */
  readonly hasMap?: true;
}

const ANY_TILE = "main a[href^='/profile/'], main :text('There are no profiles to show')";

export const FIRST_SCREENS: readonly FirstScreen[] = [
  // 113.6 and 113.8 kB seen on 26 November 2026.
  { name: "login", path: "/login", loggedIn: false, maxBytes: 115 * KB, readySelector: "main input[type=password]" },
  { name: "home", path: "/", loggedIn: false, maxBytes: 115 * KB, readySelector: "main a[href='/login']" },
  // The goal is 115: 115.35 kB seen on 29 November 2026.
  {
    name: "register",
    path: "/register",
    loggedIn: false,
    maxBytes: 115.4 * KB,
    readySelector: "main input[type=email]",
  },
  // The goal is 150: 150.0 kB seen on 29 November 2026.
  { name: "tiles", path: "/search/tile", loggedIn: true, maxBytes: 150.2 * KB, readySelector: ANY_TILE },
  // 142.2 kB seen on 27 November 2026.
  {
    name: "chat",
    path: "/chat/personal",
    loggedIn: true,
    maxBytes: 144 * KB,
    readySelector: "main :text('No conversations found')",
  },
  {
    name: "map",
    path: "/search/map",
    loggedIn: true,
    maxBytes: 560 * KB,
    readySelector: "canvas.maplibregl-canvas",
    hasMap: true,
  },
];

export interface Script {
  readonly path: string;
  readonly gzippedBytes: number;
  readonly hasMapLibrary: boolean;
}

/** Opens a screen in a context without cache or service worker and returns its scripts, largest first. */
export async function measureScripts(
  context: BrowserContext,
  origin: string,
  { path, readySelector, hasMap }: Pick<FirstScreen, "path" | "readySelector" | "hasMap">,
): Promise<Script[]> {
  const page = await context.newPage();
  const paths = new Set<string>();
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (/\.m?js$/.test(pathname) && response.ok()) paths.add(pathname);
  });
  await page.addInitScript(postponePreloads);
  await page.goto(origin + path);
  await page.locator(readySelector).first().waitFor({ timeout: SLOW_MS });
  // The map starts its web worker after its canvas exists.
  if (hasMap)
    await waitForMapWorker(
      () => page.workers().length > 0 && [...paths].some((script) => script.includes("map-worker")),
    );
  await page.waitForLoadState("networkidle", { timeout: SLOW_MS });
  const finalPath = new URL(page.url()).pathname;
  if (finalPath !== path) throw new Error(`${path} redirected to ${finalPath}`);
  return [...paths]
    .map((script) => {
      const bytes = readFileSync(join(ROOT, "apps/web/dist", script));
      return {
        path: script,
        gzippedBytes: gzipSync(bytes, { level: 9 }).length,
        hasMapLibrary: /maplibregl|maplibre-gl/.test(bytes.toString("latin1")),
      };
    })
    .sort((a, b) => b.gzippedBytes - a.gzippedBytes);
}

/** Runs in the page. Preloads for later screens start after two seconds, before which a busy machine may not have loaded the first screen. */
function postponePreloads(): void {
  const { setTimeout } = window;
  const postpone = (act: () => void, ms = 0) => setTimeout(act, ms < 2000 ? ms : 600_000);
  window.setTimeout = postpone as typeof setTimeout;
}

export function totalBytes(scripts: readonly Script[]): number {
  return scripts.reduce((sum, { gzippedBytes }) => sum + gzippedBytes, 0);
}

async function waitForMapWorker(isLoaded: () => boolean): Promise<void> {
  const deadline = Date.now() + SLOW_MS;
  while (!isLoaded()) {
    if (Date.now() > deadline) throw new Error("the map did not start its worker");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
