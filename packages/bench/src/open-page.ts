/**
 * Measures the requests of an idle page: each screen is opened in Chromium, left visible, and then hidden. Prints requests, rows, round
 * trips and bytes of opening it, and per hour in each state. Each screen belongs to a different member, so that they do not affect each
 * other.
 */
import { setTimeout as wait } from "node:timers/promises";
import { getBrand } from "@lambda/brands";
import { MARKERS_MAX } from "@lambda/contract/limits";
import { keyOfPoint } from "@lambda/geo/curve";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { snapToGrid } from "@lambda/geo/grid";
import { DESKTOP, launchChromium } from "@lambda/testing/browser";
import { memberStatements } from "@lambda/testing/members";
import { seededRandom } from "@lambda/testing/random";
import { makeScenePng } from "@lambda/testing/scene-picture";
import { printGoal, printLine } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { type OwnSite, openOwnSite } from "./own-site.ts";

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

const MINUTES = 10;
/** Requests within this time belong to opening the screen, not to idling. */
const SETTLE_MS = 20_000;
/** The member whom the screens show. */
const FRIEND = 100;
const SCREENS: Readonly<Record<string, string>> = {
  map: "/search/map",
  tiles: "/search/tile",
  "chat list": "/chat/personal",
  conversation: `/chat/personal?with=${FRIEND}`,
  "map chat": "/chat/broadcast",
  profile: `/profile/${FRIEND}`,
};
/** Degrees around the city's center; all of it is visible at the zoom below. */
const SPREAD = { lat: 0.07, lon: 0.1 };
const ZOOM = 11.5;
/** Goals per hour of the open map, which has the most expensive responses. */
const MAP_GOALS = { requests: 60, rows: 500, bytes: 100_000 };
/** Goal for opening a screen of tiles, including its pictures. */
const TILE_TRIPS_GOAL = 8;
/** The members nearest to the viewer of tiles have pictures: more than fit on the screen. */
const PICTURED = 40;

interface Cost {
  requests: number;
  rows: number;
  trips: number;
  /** Size of responses on the wire, including headers. */
  bytes: number;
  frames: number;
  readonly byPath: Map<string, number>;
  readonly tripsByPath: Map<string, number>;
}

interface Opened {
  readonly name: string;
  readonly page: Page;
  /** Returns the cost since the last call. */
  take(): Promise<Cost>;
}

export async function run({ members = MARKERS_MAX, minutes = MINUTES, only }: BenchOptions): Promise<void> {
  const site = await openOwnSite({ basemap: true });
  const browser = await launchChromium();
  try {
    await populate(site, members);
    const names = Object.keys(SCREENS).filter((name) => !only || only.split(",").includes(name));
    const opened: Opened[] = [];
    for (const name of names) opened.push(await open(browser, site, name, 1 + Object.keys(SCREENS).indexOf(name)));
    await wait(SETTLE_MS);
    await printOpening(opened);
    await measureIdle("in sight", opened, minutes);
    for (const { page } of opened) await hide(page);
    await wait(SETTLE_MS / 4);
    await measureIdle("hidden", opened, minutes);
  } finally {
    await browser.close();
    await site.close();
  }
}

/** Prints the cost of opening each screen, including pictures. */
async function printOpening(opened: readonly Opened[]): Promise<void> {
  console.log("\nOpening");
  printLine("screen", "requests, rows, round trips, bytes");
  for (const { name, take } of opened) {
    const { requests, rows, trips, bytes, byPath, tripsByPath } = await take();
    const pictures = [...byPath].filter(([path]) => path.startsWith("/api/profile-pic/"));
    printLine(name, [requests, rows, trips, bytes].join(", "));
    printLine("  of which pictures", String(pictures.length));
    const calls = [...tripsByPath].filter(([path, asked]) => asked > 0 && !path.startsWith("/api/profile-pic/"));
    printLine("  round trips of calls", calls.map(([path, asked]) => `${path} ${asked}`).join(", "));
    if (name === "tiles") printGoal("  round trips", trips, TILE_TRIPS_GOAL);
  }
}

/** Leaves the pages idle for some minutes, and prints the cost per hour. */
async function measureIdle(state: "in sight" | "hidden", opened: readonly Opened[], minutes: number): Promise<void> {
  for (const { take } of opened) await take();
  await wait(minutes * 60_000);
  console.log(`\nAn hour ${state}, from ${minutes} minutes`);
  printLine("screen", "requests, rows, round trips, bytes, frames");
  for (const { name, take } of opened) {
    const { requests, rows, trips, bytes, frames, byPath } = await take();
    const hour = (value: number) => Math.round((value * 60) / minutes);
    printLine(name, [requests, rows, trips, bytes, frames].map(hour).join(", "));
    const parts = [...byPath].map(([path, times]) => `${path} ${hour(times)}`);
    if (parts.length > 0) printLine("  of which", parts.join(", "));
    if (state === "hidden") printGoal("  requests", hour(requests), 0);
    else if (name === "map") {
      printGoal("  requests", hour(requests), MAP_GOALS.requests);
      printGoal("  rows", hour(rows), MAP_GOALS.rows);
      printGoal("  bytes", hour(bytes), MAP_GOALS.bytes);
    }
  }
}

/** Creates all members in one city, including a friend of all viewers, and pictures for those nearest to the viewer of tiles. */
async function populate(site: OwnSite, count: number): Promise<void> {
  const city = getBrand("ember").firstCity;
  const random = seededRandom(17);
  const now = Date.now();
  const around = (reach: number) => (random.next() + random.next() - 1) * reach;
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const points = ids.map(() => ({ lat: city.lat + around(SPREAD.lat), lon: city.lon + around(SPREAD.lon) }));
  const positions = points.map((point, index) => {
    const id = index + 1;
    return {
      query: `insert into position (profile_id, use, precision, cell, key, session, ts_published, ts_effective_until)
        values (?, 'OVERRIDE', 'street', ?, ?, 0, ?, ?)`,
      values: [id, snapToGrid(point.lat, point.lon, "street"), keyOfPoint(point), now, now + 86_400_000],
    };
  });
  await site.sql(...memberStatements(...ids.map((id) => ({ id, name: `Member ${id}`, sharingChosen: now }))));
  await site.sql(...positions);
  const center = points[Object.keys(SCREENS).indexOf("tiles")] ?? city;
  const nearest = ids.toSorted((a, b) => distanceOf(points[a - 1], center) - distanceOf(points[b - 1], center));
  for (const id of nearest.slice(0, PICTURED)) await upload(site, id);
  const viewers = Object.keys(SCREENS).map((_, index) => index + 1);
  await site.sql(
    ...viewers.map((viewer) => ({
      query: `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created, ts_delivered,
          ts_recipient_read)
        values (?, ?, ?, ?, ?, 'Hello', 'ember', ?, ?, ?)`,
      values: [FRIEND, viewer, viewer, FRIEND, `open-page-${viewer}`, now - 1000, now, now],
    })),
  );
}

const distanceOf = (point: Point | undefined, from: Point) => (point ? distanceMeters(point, from) : 0);

async function upload(site: OwnSite, id: number): Promise<void> {
  const form = new FormData();
  form.set("authorProfileId", String(id));
  form.set("picfile", new File([Uint8Array.from(makeScenePng(id))], "picture.png", { type: "image/png" }));
  const body = new Response(form);
  const { status } = await site.call({
    method: "POST",
    path: "/api/profile-pic",
    headers: { cookie: await site.session(id), "content-type": body.headers.get("content-type") ?? "" },
    body: new Uint8Array(await body.arrayBuffer()),
  });
  if (status !== 201) throw new Error(`the upload responded with ${status}`);
}

async function open(browser: Browser, site: OwnSite, name: string, viewer: number): Promise<Opened> {
  const { firstCity } = getBrand("ember");
  const context = await browser.newContext({ viewport: DESKTOP });
  context.setDefaultTimeout(90_000);
  const shared = { domain: "ember.localhost", path: "/", secure: true, sameSite: "Lax" as const };
  await context.addCookies([
    { name: "__Host-session", value: (await site.session(viewer)).split("=")[1] ?? "", httpOnly: true, ...shared },
    { name: "logged_in", value: "1", ...shared },
  ]);
  await context.addInitScript((view) => localStorage.setItem("mapViewState", JSON.stringify(view)), {
    ...firstCity,
    zoom: ZOOM,
  });
  const page = await context.newPage();
  const take = meter(page);
  await page.goto(`http://ember.localhost:${site.port}${SCREENS[name]}`);
  await page.getByRole("main").waitFor();
  return { name, page, take };
}

/** Counts a page's requests and received frames from now on. */
function meter(page: Page): () => Promise<Cost> {
  const none = (): Cost => ({
    requests: 0,
    rows: 0,
    trips: 0,
    bytes: 0,
    frames: 0,
    byPath: new Map(),
    tripsByPath: new Map(),
  });
  let cost = none();
  let reading: Promise<unknown>[] = [];
  page.on("requestfinished", (request) => {
    const { pathname } = new URL(request.url());
    cost.requests += 1;
    cost.byPath.set(pathname, (cost.byPath.get(pathname) ?? 0) + 1);
    const into = cost;
    reading.push(
      (async () => {
        const response = await request.response();
        const { responseBodySize, responseHeadersSize } = await request.sizes();
        into.bytes += responseBodySize + responseHeadersSize;
        into.rows += Number((await response?.headerValue("x-d1-rows-read")) ?? 0);
        const trips = Number((await response?.headerValue("x-d1-trips")) ?? 0);
        into.trips += trips;
        into.tripsByPath.set(pathname, (into.tripsByPath.get(pathname) ?? 0) + trips);
      })(),
    );
  });
  page.on("websocket", (socket) => {
    socket.on("framereceived", () => {
      cost.frames += 1;
    });
  });
  return async () => {
    const [taken, read] = [cost, reading];
    cost = none();
    reading = [];
    await Promise.all(read);
    return taken;
  };
}

/** Simulates hiding the tab, because all pages of a headless browser are visible. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
}
