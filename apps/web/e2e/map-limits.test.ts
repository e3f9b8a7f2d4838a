/** @module-tag slow */
import {
  AGGREGATE_CELLS_MAX,
  AGGREGATES_CACHE_MS,
  MARKERS_MAX,
  SECTOR_REFETCH_MS,
  SECTORS_MAX,
} from "@lambda/contract/limits";
import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { WORLD_PX } from "../src/features/places/map/data/clusters.ts";
import { countSectors, type ViewBounds } from "../src/features/places/map/data/sectors.ts";
import { readStored } from "./chat-storage.ts";
import { countCalls, markerOf, newSea, openMap, openPanel } from "./map-page.ts";
import { makeCrowd, makeNearby } from "./nearby.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

/** How many members and sectors the map shows, and how often it requests them. */

let site: TestSite;

beforeAll(async () => {
  site = await openSite();
});

const STEP_MS = 500;
const TOO_MANY = "Too many profiles to display.";
const ZOOM_IN = "Zoom in to see profiles.";
const members = (page: Page) => page.locator("[data-member]");
const bubbles = (page: Page) => page.locator("[data-area]");

/** Advances the page's fake clock in steps, and waits for its requests after each. */
async function advance(page: Page, ms: number): Promise<void> {
  const open = new Set<Request>();
  const onStart = (request: Request) => void open.add(request);
  const onEnd = (request: Request) => void open.delete(request);
  page.on("request", onStart).on("requestfinished", onEnd).on("requestfailed", onEnd);
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await page.clock.runFor(STEP_MS);
    await expect.poll(() => open.size, LONG_TIMEOUT).toBe(0);
  }
  page.off("request", onStart).off("requestfinished", onEnd).off("requestfailed", onEnd);
}

test("shows 799 members individually, and counts with an explanation from the 800th on", async () => {
  const sea = newSea();
  const me = await makeNearby(site, sea, "Counter");
  await makeCrowd(site, me, MARKERS_MAX - 1);
  const few = await openMap(me, { view: { ...sea, zoom: 12 } });
  await few.page.getByRole("heading", { name: "799 men on this map" }).waitFor();
  await members(few.page).first().waitFor();
  expect(await bubbles(few.page).count()).toBe(0);
  for (const text of [TOO_MANY, ZOOM_IN]) expect(await few.page.getByText(text).count()).toBe(0);
  await few.context.close();

  await makeCrowd(site, me, 1);
  const many = await openMap(me, { view: { ...sea, zoom: 12 } });
  await many.page.getByText(TOO_MANY, { exact: true }).waitFor();
  await many.page.getByText(ZOOM_IN, { exact: true }).waitFor();
  await bubbles(many.page).first().waitFor();
  expect(await members(many.page).count()).toBe(0);
  await many.context.close();
});

test("shows members in a view of 20 sectors, and counts in a view of 21", async () => {
  const sea = newSea();
  const me = await makeNearby(site, sea, "Surveyor");
  const other = await makeNearby(site, sea, "Landmark", 0.6);
  const viewport = { width: 1440, height: 600 };
  const probe = await openMap(me, { viewport, view: { ...sea, zoom: 7 } });
  const canvas = await probe.page.locator("canvas.maplibregl-canvas").boundingBox();
  if (!canvas) throw new Error("there is no map");
  await probe.context.close();

  const zoomForDegrees = (degrees: number) => Math.log2((canvas.width * 360) / (WORLD_PX * degrees));
  // Near the equator, a degree of latitude is as long as a degree of longitude.
  const boundsOf = (lat: number, lon: number, degrees: number): ViewBounds => {
    const high = (degrees * canvas.height) / canvas.width;
    return { west: lon - degrees / 2, east: lon + degrees / 2, south: lat - high / 2, north: lat + high / 2 };
  };
  const twenty = { lat: sea.lat, lon: sea.lon + 0.5, degrees: 4.8 };
  const more = { lat: sea.lat + 0.5, lon: sea.lon + 0.5, degrees: 5.6 };
  expect(countSectors(boundsOf(twenty.lat, twenty.lon, twenty.degrees))).toBe(SECTORS_MAX);
  expect(countSectors(boundsOf(more.lat, more.lon, more.degrees))).toBe(SECTORS_MAX + 1);

  const near = await openMap(me, { viewport, view: { ...twenty, zoom: zoomForDegrees(twenty.degrees) } });
  await markerOf(near.page, other).waitFor();
  await expect.poll(() => countCalls(near.sent, "bySector"), LONG_TIMEOUT).toBe(SECTORS_MAX);
  expect(await near.page.getByText(ZOOM_IN).count()).toBe(0);
  expect(countCalls(near.sent, "aggregates")).toBe(0);
  await near.context.close();

  const far = await openMap(me, { viewport, view: { ...more, zoom: zoomForDegrees(more.degrees) } });
  await far.page.getByText(ZOOM_IN, { exact: true }).waitFor();
  await expect.poll(() => countCalls(far.sent, "aggregates"), LONG_TIMEOUT).toBe(1);
  expect(await members(far.page).count()).toBe(0);
  expect(await far.page.getByText(TOO_MANY).count()).toBe(0);
  await far.context.close();
});

describe("refresh intervals", () => {
  test("requests the visible sectors again every 15 s when there is no socket, and shows new members", async () => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Looker");
    const { context, page, sent } = await openMap(me, {
      fakeClock: true,
      withoutSocket: true,
      viewport: PHONE,
      view: { lat: sea.lat + 0.5, lon: sea.lon + 0.5, zoom: 13 },
    });
    await page.getByText("Nobody here right now.").waitFor();
    const other = await makeNearby(site, { lat: sea.lat + 0.5, lon: sea.lon + 0.5 }, "Comer");
    await page.waitForLoadState("networkidle");
    await page.clock.pauseAt(Date.now() + 5000);
    const requestedAt: number[] = [];
    page.on("request", (request) => {
      if (request.url().includes("positions.bySector")) requestedAt.push(Number(request.headers()["x-request-start"]));
    });
    await advance(page, 50_000);
    await markerOf(page, other).waitFor();
    expect(requestedAt.length).toBeGreaterThanOrEqual(3);
    for (const [i, at] of requestedAt.slice(1).entries()) {
      const since = at - (requestedAt[i] ?? 0);
      expect(since).toBeGreaterThanOrEqual(SECTOR_REFETCH_MS);
      // The page handles the response one step later.
      expect(since).toBeLessThanOrEqual(SECTOR_REFETCH_MS + 2 * STEP_MS);
    }
    expect(sent.filter((text) => text.includes("positions.aggregates"))).toEqual([]);
    await context.close();
  });

  test("caches counts for 120 s, even while the member zooms in and out again", async () => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Zoomer");
    const { context, page, sent } = await openMap(me, { fakeClock: true, viewport: PHONE, view: { ...sea, zoom: 6 } });
    const calls = () => countCalls(sent, "aggregates");
    const zoom = async (name: string) => {
      for (let press = 0; press < 4; press += 1) await page.getByRole("button", { name }).click();
    };
    await page.getByText(ZOOM_IN).waitFor();
    await page.waitForLoadState("networkidle");
    const before = calls();
    expect(before).toBeGreaterThan(0);
    await openPanel(page);
    await zoom("Zoom in");
    await page.getByText(ZOOM_IN).waitFor({ state: "detached" });
    await page.clock.fastForward(AGGREGATES_CACHE_MS - 30_000);
    await zoom("Zoom out");
    await page.getByText(ZOOM_IN).waitFor();
    await page.waitForLoadState("networkidle");
    expect(calls()).toBe(before);
    await page.clock.fastForward(30_000);
    await expect.poll(calls, LONG_TIMEOUT).toBe(before + 1);
    await context.close();
  });
});

test("groups more than ten counted areas into at most ten, and every member stays counted", async () => {
  const me = await makeNearby(site, { lat: 60, lon: -40 }, "Navigator");
  const crowds = 12;
  for (let i = 0; i < crowds; i += 1) {
    const place = { lat: 50 + (i % 3) * 6, lon: -60 + Math.floor(i / 3) * 10 };
    await makeCrowd(site, await makeNearby(site, place, `Leader ${i}`), 3);
  }
  const { context, page } = await openMap(me, { view: { lat: 56, lon: -45, zoom: 3.7 } });
  await page.getByText(ZOOM_IN).waitFor();
  const counts = async () => (await bubbles(page).allTextContents()).map(Number);
  await expect.poll(async () => (await counts()).reduce((sum, count) => sum + count, 0), LONG_TIMEOUT).toBe(crowds * 4);
  expect((await counts()).length).toBeLessThanOrEqual(AGGREGATE_CELLS_MAX);

  // A click on a group zooms in by at least three levels.
  await bubbles(page).first().click();
  const zoom = async () => (await readStored<{ zoom: number }>(page, "mapViewState")).zoom;
  await expect.poll(zoom, LONG_TIMEOUT).toBeGreaterThanOrEqual(6.7);
  await context.close();
});
