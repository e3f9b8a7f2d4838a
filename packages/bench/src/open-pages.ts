/**
 * What screens ask while they stay open and nobody touches them, with a socket and where none connects: calls, rows read and round trips in an
 * hour of the page's clock. Needs a build of the web. `--only` names screens.
 */
import { setTimeout } from "node:timers/promises";
import { BRANDS } from "@lambda/brands";
import { PRICES } from "@lambda/contract/prices";
import { openSite, type TestSite } from "@lambda/testing/browser";
import { seedMembers } from "@lambda/testing/seeded-community";
import type { Page } from "playwright-core";
import { logInAsNewMember } from "./browser-session.ts";
import { type BenchOptions, printLine, round } from "./figures.ts";

const MEMBERS = 300;
/** No timer of an open screen that asks is shorter. */
const STEP_MS = 5000;
/** Of the bench's clock, in which an answer reaches the page. */
const QUIET_MS = 20;
const WATCHED_MS = 1_800_000;
const HOUR_MS = 3_600_000;
/** Of 100,000 members a month in the busiest hour (docs/SCALE.md). */
const OPEN_AT_ONCE = 1380;
const DESKS_OPEN = 10;

const SCREENS: Readonly<Record<string, string>> = {
  home: "/",
  tiles: "/search/tile",
  map: "/search/map",
  conversations: "/chat/personal",
  "a conversation": "/chat/personal?with=10000001",
  desk: "/dashboard",
};

interface Asked {
  readonly calls: Map<string, number>;
  requests: number;
  rows: number;
  trips: number;
}

export async function run({ members = MEMBERS, only }: BenchOptions): Promise<void> {
  const site = await openSite();
  await seedMembers(site.run, 0, members);
  await site.run({
    query: "insert or ignore into opening_step (brand, step, ts_done) select value, 'open', 1 from json_each(?)",
    values: [JSON.stringify(BRANDS.map(({ id }) => id))],
  });
  for (const [name, path] of Object.entries(SCREENS)) {
    if (only && !only.split(",").includes(name)) continue;
    for (const hasSocket of [true, false]) {
      const { requests, rows, trips, calls } = await watch(site, path, name === "desk", hasSocket);
      const open = name === "desk" ? DESKS_OPEN : OPEN_AT_ONCE;
      // Each call that reads asks its region's object once.
      const perRequest = PRICES["worker requests"].dollars + PRICES["object requests"].dollars;
      const dollars = (open * (requests * perRequest + rows * PRICES["D1 rows read"].dollars)) / 1e6;
      printLine(
        `${name}, ${hasSocket ? "with a socket" : "without"}`,
        `${requests} requests, ${rows} rows, ${trips} trips an hour; $${round(dollars)} an hour at 100,000 members`,
      );
      const listed = [...calls].sort(([, one], [, other]) => other - one);
      printLine("", listed.map(([call, count]) => `${call} ${count}`).join(", "));
    }
  }
  await site.close();
  await site.browser.close();
}

async function watch(site: TestSite, path: string, isDesk: boolean, hasSocket: boolean): Promise<Asked> {
  const { page, context } = await site.open();
  const id = await logInAsNewMember(site.run, context, new URL(site.url("/")).origin);
  await site.run(
    { query: "update account set admin_brand = ? where id = ?", values: [isDesk ? "*" : null, id] },
    {
      query: `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
        select ?1, 'OVERRIDE', precision, cell, key, ts_published, ts_effective_until from position limit 1`,
      values: [id],
    },
  );
  if (!hasSocket) await page.routeWebSocket(/\/ws/, (socket) => socket.close());
  await page.clock.install();
  const asked: Asked = { calls: new Map(), requests: 0, rows: 0, trips: 0 };
  const underWay = new Set<unknown>();
  let isWatched = false;
  page.on("request", (request) => /\/(api|trpc)\//.test(request.url()) && underWay.add(request));
  page.on("requestfailed", (request) => underWay.delete(request));
  page.on("requestfinished", async (request) => {
    const response = await request.response();
    if (isWatched && response && underWay.has(request))
      count(asked, new URL(request.url()).pathname, response.headers());
    underWay.delete(request);
  });
  await page.goto(path);
  await settle(underWay);
  await step(page, underWay, 30_000);
  isWatched = true;
  await step(page, underWay, WATCHED_MS);
  await context.close();
  const perHour = HOUR_MS / WATCHED_MS;
  return {
    requests: asked.requests * perHour,
    rows: asked.rows * perHour,
    trips: asked.trips * perHour,
    calls: new Map([...asked.calls].map(([call, number]) => [call, number * perHour])),
  };
}

function count(asked: Asked, path: string, headers: Readonly<Record<string, string>>): void {
  asked.requests += 1;
  asked.rows += Number(headers["x-d1-rows-read"] ?? 0);
  asked.trips += Number(headers["x-d1-trips"] ?? 0);
  for (const call of path.replace(/^\/trpc\//, "").split(/,|%2C/))
    asked.calls.set(call, (asked.calls.get(call) ?? 0) + 1);
}

async function step(page: Page, underWay: ReadonlySet<unknown>, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await page.clock.runFor(STEP_MS);
    await settle(underWay);
  }
}

/** Waits for what the page asked, and for the answers that ask again. */
async function settle(underWay: ReadonlySet<unknown>): Promise<void> {
  for (let quiet = 0; quiet < 2; quiet = underWay.size === 0 ? quiet + 1 : 0) await setTimeout(QUIET_MS);
}
