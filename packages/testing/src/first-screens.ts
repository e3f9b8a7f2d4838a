/**
 * What the first screen weighs: a route opened with an empty cache, and the script files that it asked for, those of its
 * workers included, gzipped and added up, each once. Nothing else is counted: no style sheet, font, picture or tile.
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
  readonly mostBytes: number;
  /** What is there once the screen is; on a slow machine the network may rest before that. */
  readonly shown: string;
  /** Whether the map's library may be among the scripts. */
  readonly map?: true;
}

const ANY_TILE = "main a[href^='/profile/'], main :text('There are no profiles to show')";

export const FIRST_SCREENS: readonly FirstScreen[] = [
  { name: "login", path: "/login", loggedIn: false, mostBytes: 115 * KB, shown: "main input[type=password]" },
  { name: "home", path: "/", loggedIn: false, mostBytes: 115 * KB, shown: "main a[href='/login']" },
  { name: "register", path: "/register", loggedIn: false, mostBytes: 115 * KB, shown: "main input[type=email]" },
  { name: "tiles", path: "/search/tile", loggedIn: true, mostBytes: 150 * KB, shown: ANY_TILE },
  {
    name: "chat",
    path: "/chat/personal",
    loggedIn: true,
    mostBytes: 150 * KB,
    shown: "main :text('No conversations found')",
  },
  {
    name: "map",
    path: "/search/map",
    loggedIn: true,
    mostBytes: 560 * KB,
    shown: "canvas.maplibregl-canvas",
    map: true,
  },
];

export interface Script {
  readonly path: string;
  readonly gzippedBytes: number;
  /** Carries the map's library. */
  readonly map: boolean;
}

/** Opens a screen in a context without cache and service worker; the heaviest script comes first. */
export async function weighScreen(
  context: BrowserContext,
  origin: string,
  { path, shown, map }: Pick<FirstScreen, "path" | "shown" | "map">,
): Promise<Script[]> {
  const page = await context.newPage();
  const paths = new Set<string>();
  page.on("response", (answer) => {
    const { pathname } = new URL(answer.url());
    if (/\.m?js$/.test(pathname) && answer.ok()) paths.add(pathname);
  });
  await page.goto(origin + path);
  await page.locator(shown).first().waitFor({ timeout: SLOW_MS });
  // The map's worker begins after its canvas is there.
  if (map) await until(() => page.workers().length > 0 && [...paths].some((script) => script.includes("map-worker")));
  await page.waitForLoadState("networkidle", { timeout: SLOW_MS });
  const landed = new URL(page.url()).pathname;
  if (landed !== path) throw new Error(`${path} went to ${landed}`);
  return [...paths]
    .map((script) => {
      const bytes = readFileSync(join(ROOT, "apps/web/dist", script));
      return {
        path: script,
        gzippedBytes: gzipSync(bytes, { level: 9 }).length,
        map: /maplibregl|maplibre-gl/.test(bytes.toString("latin1")),
      };
    })
    .sort((a, b) => b.gzippedBytes - a.gzippedBytes);
}

export function bytesOf(scripts: readonly Script[]): number {
  return scripts.reduce((sum, { gzippedBytes }) => sum + gzippedBytes, 0);
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + SLOW_MS;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error("the map has no worker");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
