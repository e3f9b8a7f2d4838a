/**
 * P8: what a frame costs while the map is panned with 800 members in the database around one city (he himself and 799 that he sees),
 * against the same map with nobody on it. Chromium by software rendering; both maps take turns.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrandId, getBrand } from "@lambda/brands";
import { type Point, snap } from "@lambda/contract/grid";
import { MARKERS_MAX } from "@lambda/contract/limits";
import { DESKTOP, launchChromium } from "@lambda/testing/browser";
import { createDatabase, freePort, startSite } from "@lambda/testing/site";
import { keyOfPoint } from "../../../apps/worker/src/features/positions/curve.ts";
import { putBasemap } from "../../tooling/src/basemap/put.ts";
import { portrait } from "../../tooling/src/seed/portraits.ts";
import { goal, line, spread } from "./figures.ts";
import type { BenchOptions } from "./main.ts";
import { seeded } from "./random.ts";

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

const TURNS = 3;
const FRAMES = 45;
/** The first frames of a turn fetch and draw what the last one left undone. */
const SKIPPED = 9;
const ZOOM = 11.5;
const SETTLING_MS = 4000;
const PORTRAITS = 24;
/** Degrees around the city's middle. */
const SPREAD = 0.16;

export async function run({ members }: BenchOptions): Promise<void> {
  const count = Math.min(MARKERS_MAX, members ?? MARKERS_MAX);
  const state = mkdtempSync(join(tmpdir(), "bench-map-"));
  createDatabase(state);
  await putBasemap(state);
  const site = await startSite({ port: await freePort(), state });
  // A browser for each map: a page behind another one gets no frames.
  const browsers = [await launchChromium(), await launchChromium()] as const;
  try {
    const city = getBrand("ember").firstCity;
    await populate(site.port, city, count);
    // A sister brand that nobody shares with: the same place, and nobody in sight.
    const full = await openMap(browsers[0], site.port, "ember", 1, city);
    const empty = await openMap(browsers[1], site.port, "harbor", count + 1, city);
    await full.locator("[data-member]").first().waitFor();
    const frames = { empty: [] as number[], full: [] as number[] };
    for (let turn = 0; turn <= TURNS; turn += 1) {
      for (const [name, page] of [
        ["empty", empty],
        ["full", full],
      ] as const) {
        const times = await pan(page);
        line(`turn ${turn}, ${name}, ms`, spread(times));
        // The first turn warms up.
        if (turn > 0) frames[name].push(...times.slice(SKIPPED));
      }
    }
    const shown = await full.locator("[data-member]").count();
    const listed = await full.getByRole("complementary").getByRole("listitem").count();
    line("members in the database, in view, pictures on the map", `${count}, ${listed}, ${shown}`);
    line("frame of the empty map, ms", spread(frames.empty));
    line("frame with the members, ms", spread(frames.full));
    goal("frame with members to empty (means)", mean(frames.full) / mean(frames.empty), 1.5);
  } finally {
    for (const browser of browsers) await browser.close();
    await site.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Members 1 to `count` on ember, and one on harbor who sees none of them. */
async function populate(port: number, city: Point, count: number): Promise<void> {
  const random = seeded(8);
  const now = Date.now();
  const around = () => (random.next() + random.next() - 1) * SPREAD;
  const batch = Array.from({ length: count + 1 }, (_, i) => {
    const id = i + 1;
    const brand = getBrand(id > count ? "harbor" : "ember");
    const point = { lat: city.lat + around(), lon: city.lon + around() };
    const pictures = `[${1 + (i % PORTRAITS)}]`;
    return [
      {
        query: "insert into account (id, email, home_brand, ts_sharing_chosen, ts_created) values (?, ?, ?, ?, ?)",
        values: [id, `bench-${id}@example.test`, brand.id, now, now],
      },
      {
        query: `insert into profile (id, profile_name, birthdate, pics_public, shared_on, tie_key, ts_seen, ts_updated)
          values (?, ?, '1990-05-17', ?, ?, ?, ?, ?)`,
        values: [id, `Man ${id}`, pictures, brand.bit, id, now, now],
      },
      {
        query: `insert into position (profile_id, use, precision, cell, key, session, ts_published, ts_effective_until)
          values (?, 'OVERRIDE', 'street', ?, ?, 0, ?, ?)`,
        values: [id, snap(point.lat, point.lon, "street"), keyOfPoint(point), now, now + 86_400_000],
      },
    ];
  }).flat();
  await sql(port, { batch });
}

async function openMap(browser: Browser, port: number, brand: BrandId, id: number, city: Point): Promise<Page> {
  const token = randomBytes(32).toString("base64url");
  const now = Date.now();
  await sql(port, {
    query: `insert into session (token_hash, account_id, brand, device_label, remember, via_link, ts_created, ts_last_used, ts_expires)
      values (unhex(?), ?, ?, 'Bench', 1, 0, ?, ?, ?)`,
    values: [createHash("sha256").update(token).digest("hex"), id, brand, now, now, now + 86_400_000],
  });
  const context = await browser.newContext({ viewport: DESKTOP });
  const shared = { domain: `${brand}.localhost`, path: "/", secure: true, sameSite: "Lax" as const };
  await context.addCookies([
    { name: "__Host-session", value: token, httpOnly: true, ...shared },
    { name: "logged_in", value: "1", ...shared },
  ]);
  await context.addInitScript((view) => localStorage.setItem("mapViewState", JSON.stringify(view)), {
    lat: city.lat,
    lng: city.lon,
    zoom: ZOOM,
  });
  // 24 portraits stand for everybody's pictures: what a frame costs does not depend on whose they are.
  await context.route("**/api/profile-pic/**", async (route) => {
    const picture = Number(/(\d+)\?/.exec(route.request().url())?.[1] ?? 1);
    await route.fulfill({ contentType: "image/svg+xml", body: portrait(picture, 0, "face") });
  });
  const page = await context.newPage();
  page.on("crash", () => console.error("the page crashed"));
  await page.goto(`http://${brand}.localhost:${port}/search/map`);
  await page.getByRole("button", { name: /^Your marker/ }).waitFor();
  // Fetching goes on every 15 s; the tiles of the first view are there long before.
  await page.waitForTimeout(SETTLING_MS);
  return page;
}

/** Drags the map about, one step a frame. Answers the milliseconds between frames. */
function pan(page: Page): Promise<number[]> {
  return page.evaluate(async (frames) => {
    const canvas = document.querySelector("canvas.maplibregl-canvas");
    if (!canvas) throw new Error("there is no map");
    const mouse = (type: string, x: number, y: number, target: EventTarget) =>
      target.dispatchEvent(
        new MouseEvent(type, { bubbles: true, clientX: x, clientY: y, button: 0, buttons: type === "mouseup" ? 0 : 1 }),
      );
    const next = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    let [x, y] = [900, 450];
    mouse("mousedown", x, y, canvas);
    const times: number[] = [];
    let last = await next();
    for (let frame = 0; frame < frames; frame += 1) {
      // Out and back, so that each turn ends where it began.
      const way = frame < frames / 2 ? 1 : -1;
      x += way * 5;
      y += way * 3;
      mouse("mousemove", x, y, document);
      const at = await next();
      times.push(at - last);
      last = at;
    }
    mouse("mouseup", x, y, document);
    return times;
  }, FRAMES);
}

async function sql(port: number, body: unknown): Promise<void> {
  const answer = await fetch(`http://localhost:${port}/dev/sql`, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
