/**
 * What stays after the map, tiles and a chat were opened in turn, in one page: heap, nodes, listeners, object URLs, sockets, intervals and
 * WebGL contexts after a warm-up and after `--requests` more openings (201), each after a collection. Needs a build of the web.
 */
import { BRANDS } from "@lambda/brands";
import { openSite } from "@lambda/testing/browser";
import { seedMembers } from "@lambda/testing/seeded-community";
import type { CDPSession, Page } from "playwright-core";
import { logInAsNewMember } from "./browser-session.ts";
import { type BenchOptions, printGoal, printLine, round } from "./figures.ts";

const MEMBERS = 300;
/** A multiple of the screens, so that both measures see the same one. */
const OPENINGS = 201;
const WARM_UP_OPENINGS = 30;
const SCREENS = ["/search/map", "/search/tile", "/chat/personal"];
/** What stays of the heap may grow so much: caches of answers and pictures fill up to their limits. */
const GROWTH_MAX = 1.1;

interface Held {
  urls: number;
  sockets: number;
  intervals: number;
  contexts: number;
  /** Contexts that were ever made: none means that the map was only a list. */
  made: number;
}
type Counted = typeof globalThis & { held: Held };

/** Runs in the page before its own scripts. Must be self-contained, because it is serialized. */
function countHeld(): void {
  const held: Held = { urls: 0, sockets: 0, intervals: 0, contexts: 0, made: 0 };
  (globalThis as Counted).held = held;
  const urls = new Set<string>();
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (blob: Blob) => {
    const url = createObjectURL.call(URL, blob);
    urls.add(url);
    held.urls = urls.size;
    return url;
  };
  URL.revokeObjectURL = (url: string) => {
    urls.delete(url);
    held.urls = urls.size;
    revokeObjectURL.call(URL, url);
  };
  const Native = WebSocket;
  globalThis.WebSocket = class extends Native {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      held.sockets += 1;
      this.addEventListener("close", () => {
        held.sockets -= 1;
      });
    }
  };
  const intervals = new Set<unknown>();
  const { setInterval: start, clearInterval: stop } = window;
  Object.assign(window, {
    setInterval: (...given: Parameters<typeof start>) => {
      const id = start(...given);
      intervals.add(id);
      held.intervals = intervals.size;
      return id;
    },
    clearInterval: (id: number) => {
      intervals.delete(id);
      held.intervals = intervals.size;
      stop(id);
    },
  });
  const { getContext } = HTMLCanvasElement.prototype;
  const contexts = new WeakSet<object>();
  HTMLCanvasElement.prototype.getContext = function count(this: HTMLCanvasElement, ...given: unknown[]) {
    const context = Reflect.apply(getContext, this, given) as RenderingContext | null;
    if (context && /webgl/.test(String(given[0])) && !contexts.has(context)) {
      contexts.add(context);
      held.contexts += 1;
      held.made += 1;
      this.addEventListener("webglcontextlost", () => {
        held.contexts -= 1;
      });
    }
    return context;
  } as typeof getContext;
}

export async function run({ members = MEMBERS, requests = OPENINGS }: BenchOptions): Promise<void> {
  const site = await openSite();
  await seedMembers(site.run, 0, members);
  await site.run({
    query: "insert or ignore into opening_step (brand, step, ts_done) select value, 'open', 1 from json_each(?)",
    values: [JSON.stringify(BRANDS.map(({ id }) => id))],
  });
  const { page, context, errors } = await site.open();
  const id = await logInAsNewMember(site.run, context, new URL(site.url("/")).origin);
  await site.run({
    query: `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
      select ?1, 'OVERRIDE', precision, cell, key, ts_published, ts_effective_until from position limit 1`,
    values: [id],
  });
  await page.addInitScript(countHeld);
  await page.goto("/search/tile");
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  await open(page, WARM_UP_OPENINGS);
  const before = await measure(page, devtools);
  await open(page, requests);
  const after = await measure(page, devtools);
  for (const [name, value] of Object.entries(after)) {
    const first = before[name] ?? 0;
    printLine(name, `${round(first)}, after ${requests} openings ${round(value)}`);
    printGoal("  growth", value / Math.max(1, first), GROWTH_MAX);
  }
  printLine("maps drawn", String(await page.evaluate(() => (globalThis as Counted).held.made)));
  printLine("errors in the page", errors.join("; ") || "none");
  await site.close();
  await site.browser.close();
}

async function open(page: Page, openings: number): Promise<void> {
  for (let opened = 0; opened < openings; opened += 1) {
    const path = SCREENS[opened % SCREENS.length]!;
    await page
      .locator(`a[href="${path}"]`)
      .first()
      .evaluate((link: HTMLElement) => link.click());
    await page.waitForURL(`**${path}`);
    await page.waitForLoadState("networkidle");
  }
}

async function measure(page: Page, devtools: CDPSession): Promise<Record<string, number>> {
  for (let pass = 0; pass < 3; pass += 1) await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  const held = await page.evaluate(() => (globalThis as Counted).held);
  return {
    "heap, MB": of("JSHeapUsedSize") / 1e6,
    nodes: of("Nodes"),
    listeners: of("JSEventListeners"),
    "object URLs": held.urls,
    sockets: held.sockets,
    intervals: held.intervals,
    "WebGL contexts": held.contexts,
  };
}
