import type { OwnPlaces, PositionReportResponse } from "@lambda/contract/positions";
import { cellAt, cellCenter, metersOutsideCell } from "@lambda/geo/lattice";
import { toMercator } from "@lambda/geo/mercator";
import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { WORLD_PX } from "../src/features/places/map/data/clusters.ts";
import { readStored } from "./chat-storage.ts";
import {
  countCalls,
  findPublishedPoint,
  mapControl,
  markerOf,
  newSea,
  openMap,
  ownMarker,
  placeControl,
  settledCount,
  waitForReport,
} from "./map-page.ts";
import { makeNearby } from "./nearby.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

let site: TestSite;

beforeAll(async () => {
  site = await openSite();
});

async function dragBy(page: Page, dx: number, dy: number): Promise<void> {
  const box = await ownMarker(page).boundingBox();
  if (!box) throw new Error("there is no own marker");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2);
  await page.mouse.move(x + dx, y + dy);
  await page.mouse.up();
}

const rawOverride = async (page: Page) =>
  (await readStored<{ override: { lat: number; lon: number } }>(page, "geo")).override;

describe("the own marker", () => {
  test("can be dragged; a second browser sees the published position, and no finer position leaves the first", async () => {
    const sea = newSea();
    const [me, other] = [await makeNearby(site, sea, "Mover"), await makeNearby(site, sea, "Watcher", 0.02)];
    const view = { ...sea, zoom: 14 };
    const mine = await openMap(me, { view });
    const response = waitForReport(mine.page);
    await dragBy(mine.page, 190, -120);
    const report = (await (await response).json()) as { result: { data: PositionReportResponse } }[];
    const { lat, lon, places } = (report[0] as { result: { data: PositionReportResponse } }).result.data;

    const raw = await rawOverride(mine.page);
    const cell = cellAt(places.lattice, { lat: raw.lat, lon: raw.lon }, "street");
    expect(metersOutsideCell(places.lattice, cell, { lat, lon })).toBeLessThan(1);
    const center = cellCenter(places.lattice, cell);
    const [sentReport] = mine.sent.filter((text) => text.includes("positions.report"));
    expect(sentReport).toContain(`"overrideLat":${center.lat},"overrideLon":${center.lon}`);
    for (const text of mine.sent) {
      expect(text).not.toContain(String(raw.lat).slice(0, 9));
      expect(text).not.toContain(String(raw.lon).slice(0, 9));
    }

    const theirs = await openMap(other, { view });
    expect(await findPublishedPoint(theirs.page, me, sea)).toEqual({ lat, lon });
    const marker = await markerOf(theirs.page, me).boundingBox();
    const canvas = await theirs.page.locator("canvas.maplibregl-canvas").boundingBox();
    const [at, middle, scale] = [toMercator(lat, lon), toMercator(sea.lat, sea.lon), WORLD_PX * 2 ** view.zoom];
    if (!marker || !canvas) throw new Error("the marker is not in sight");
    expect(
      Math.abs(marker.x + marker.width / 2 - (canvas.x + canvas.width / 2 + (at.x - middle.x) * scale)),
    ).toBeLessThan(2);
    expect(
      Math.abs(marker.y + marker.height / 2 - (canvas.y + canvas.height / 2 + (at.y - middle.y) * scale)),
    ).toBeLessThan(2);
    expect([...mine.errors, ...theirs.errors]).toEqual([]);
    await Promise.all([mine.context.close(), theirs.context.close()]);
  });

  test("can be moved with the arrow keys", { tags: "slow" }, async () => {
    const sea = newSea();
    const { context, page } = await openMap(await makeNearby(site, sea, "Keys"), { view: { ...sea, zoom: 14 } });
    await ownMarker(page).focus();
    const before = await ownMarker(page).boundingBox();
    const response = waitForReport(page);
    for (let press = 0; press < 4; press += 1) await page.keyboard.press("Shift+ArrowRight");
    const after = await ownMarker(page).boundingBox();
    expect(Math.round((after?.x ?? 0) - (before?.x ?? 0))).toBe(4 * 48);
    expect((await response).status()).toBe(200);
    await context.close();
  });

  test("cannot be dragged outside of walk mode", { tags: "slow" }, async () => {
    const sea = newSea();
    const spot = { latitude: sea.lat, longitude: sea.lon };
    const me = await makeNearby(site, sea, "Follower");
    const { context, page, sent } = await openMap(me, { geolocation: spot, view: { ...sea, zoom: 14 } });
    await placeControl(page, "Walk").click();
    await expect.poll(() => sent.some((text) => text.includes("DEVICE_GPS")), LONG_TIMEOUT).toBe(true);
    const geo = () => readStored(page, "geo");
    const before = await geo();
    await dragBy(page, 150, 40);
    expect(await geo()).toEqual(before);
    await placeControl(page, "GPS").waitFor();
    await context.close();
  });
});

describe("GPS mode", () => {
  test("reports the cell of each fix, and publishes a new cell only after the publishing delay", {
    tags: "slow",
  }, async () => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Wanderer");
    const spot = { latitude: sea.lat + 0.031, longitude: sea.lon + 0.031 };
    const { context, page, sent } = await openMap(me, { geolocation: spot, view: { ...sea, zoom: 14 } });
    const reports = () => sent.filter((text) => text.includes("DEVICE_GPS"));
    const stored = async () =>
      (
        await site.sql<{ cell: number; pending: number | null }>(
          "select cell, pending_cell pending from position where profile_id = ?",
          me.id,
        )
      )[0];
    const pendingCell = async () => (await stored())?.pending;
    const publishedCell = (await stored())?.cell;
    await placeControl(page, "Walk").click();
    await expect.poll(() => reports().length, LONG_TIMEOUT).toBe(1);
    const { lattice } = await page.evaluate(
      async (id): Promise<OwnPlaces> => (await fetch(`/api/profile-position/${id}/places`)).json(),
      me.id,
    );
    const cellOf = (latitude: number) => cellAt(lattice, { lat: latitude, lon: spot.longitude }, "street");
    const cell = cellOf(spot.latitude);
    const { lat, lon } = cellCenter(lattice, cell);
    expect(reports()[0]).toContain(`"gpsLat":${lat},"gpsLon":${lon}`);
    await expect.poll(pendingCell, LONG_TIMEOUT).toBe(cell);

    await context.setGeolocation({ latitude: spot.latitude + 0.02, longitude: spot.longitude });
    await expect.poll(pendingCell, LONG_TIMEOUT).toBe(cellOf(spot.latitude + 0.02));
    expect((await stored())?.cell).toBe(publishedCell);
    await context.close();
  });

  test.each([
    [2, "GPS: Geolocation unable to provide location"],
    [3, "GPS: Geolocation timed out"],
  ])("error %i switches back to walk mode and shows a message", { tags: "slow" }, async (gpsError, text) => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Lost");
    const { context, page } = await openMap(me, { gpsError, view: { ...sea, zoom: 14 } });
    await placeControl(page, "Walk").click();
    await page.getByRole("alert").getByText(text, { exact: true }).waitFor();
    await placeControl(page, "Walk").waitFor();
    await context.close();
  });

  test("a refused permission shows the browser's error", async () => {
    const sea = newSea();
    const { context, page } = await openMap(await makeNearby(site, sea, "Refuser"), { view: { ...sea, zoom: 14 } });
    await placeControl(page, "Walk").click();
    await page.getByText("GPS: Geolocation denied, your device refused to provide location").waitFor();
    await placeControl(page, "Walk").waitFor();
    await context.close();
  });
});

test("hiding removes a member from other maps at once, showing brings them back, and the member is told both", async () => {
  const sea = newSea();
  const [me, other] = [await makeNearby(site, sea, "Shy"), await makeNearby(site, sea, "Watcher", 0.02)];
  const mine = await openMap(me, { viewport: PHONE, view: { ...sea, zoom: 14 } });
  const theirs = await openMap(other, { view: { ...sea, zoom: 14 } });
  await markerOf(theirs.page, me).waitFor();
  // The map reads its four sectors at once, and a sector again if its socket is ready only after that.
  const reads = await settledCount(() => countCalls(theirs.sent, "bySector"));
  await mapControl(mine.page, "Hide").click();
  await mine.page.getByText("You are hiding...").first().waitFor();
  expect(await findPublishedPoint(theirs.page, me, sea)).toBeUndefined();
  // The open map gets a live update, and does not reload the sector.
  await markerOf(theirs.page, me).waitFor({ state: "detached" });
  await theirs.page.getByText("Nobody here right now.").waitFor();

  // The message is gone after four seconds.
  const told = mine.page.getByText("You are visible to others.").first().waitFor();
  await mapControl(mine.page, "Show").click();
  await Promise.all([told, markerOf(theirs.page, me).waitFor()]);
  expect(countCalls(theirs.sent, "bySector")).toBe(reads);
  expect(await findPublishedPoint(theirs.page, me, sea)).toBeDefined();
  await Promise.all([mine.context.close(), theirs.context.close()]);
});

test("hiding that a page could not send is done by the next one, and shown as done only then", async () => {
  const sea = newSea();
  const me = await makeNearby(site, sea, "Shy");
  const { page, context } = await openMap(me, { viewport: PHONE, view: { ...sea, zoom: 14 } });
  await page.route("**/trpc/positions.report*", (route) => route.abort());
  await mapControl(page, "Hide").click();
  await page.getByText("Not hidden yet.").first().waitFor();
  await mapControl(page, "Hide").and(page.locator("[aria-busy]")).waitFor();
  await page.close();
  const hidden = () => site.sql("select hidden from profile where id = ?", me.id);
  expect(await hidden()).toEqual([{ hidden: 0 }]);
  await (await context.newPage()).goto("/search/tile");
  await expect.poll(hidden).toEqual([{ hidden: 1 }]);
  await context.close();
});

test("at 1000 px, the card does not cover the member that a link flies to", { tags: "slow" }, async () => {
  const sea = newSea();
  const [me, other] = [await makeNearby(site, sea, "Narrow"), await makeNearby(site, sea, "Found", 0.015)];
  const start = await openMap(me, { view: { ...sea, zoom: 13 } });
  const at = await findPublishedPoint(start.page, other, sea);
  await start.context.close();
  const { context, page } = await openMap(me, {
    viewport: { width: 1000, height: 800 },
    view: { ...sea, zoom: 13 },
    hash: `#profileId=${other.id}&lat=${at?.lat}&lng=${at?.lon}`,
  });
  const card = page.getByRole("region", { name: "Found" });
  await card.getByRole("link", { name: "Chat" }).waitFor();
  await markerOf(page, other).waitFor();
  const [marker, cover] = [await markerOf(page, other).boundingBox(), await card.boundingBox()];
  if (!marker || !cover) throw new Error("the marker or the card is not in sight");
  expect(marker.x + marker.width).toBeLessThanOrEqual(cover.x);
  expect(marker.x).toBeGreaterThan(320);
  await context.close();
});

test("a link flies to a member at zoom 18 and opens their card; the list names the same member", async () => {
  const sea = newSea();
  const [me, other] = [await makeNearby(site, sea, "Reader"), await makeNearby(site, sea, "Beau", 0.015)];
  const start = await openMap(me, { view: { ...sea, zoom: 13 } });
  const at = await findPublishedPoint(start.page, other, sea);
  const rows = start.page.getByRole("complementary").getByRole("listitem");
  await expect.poll(() => rows.count(), LONG_TIMEOUT).toBe(1);
  expect(await rows.first().textContent()).toContain("Beau");
  await start.context.close();

  const { context, page } = await openMap(me, {
    view: { ...sea, zoom: 13 },
    hash: `#profileId=${other.id}&lat=${at?.lat}&lng=${at?.lon}`,
  });
  const card = page.getByRole("region", { name: "Beau" });
  await card.getByRole("link", { name: "Chat" }).waitFor();
  await expect.poll(async () => (await readStored<{ zoom: number }>(page, "mapViewState")).zoom, LONG_TIMEOUT).toBe(18);
  await card.getByRole("button", { name: "Like", exact: true }).click();
  await card.getByRole("button", { name: "Remove Like" }).waitFor();
  await card.getByRole("button", { name: "Close" }).click();
  await card.waitFor({ state: "detached" });
  await context.close();
});

test("button names show at the first visits, and a reload restores the view", {
  tags: "slow",
}, async () => {
  const sea = newSea();
  const me = await makeNearby(site, sea, "Returner");
  const { context, page } = await openMap(me, {
    viewport: PHONE,
    view: { lat: sea.lat + 0.2, lon: sea.lon, zoom: 15 },
  });
  const label = mapControl(page, "Me").locator("span").first();
  const width = async () => (await label.boundingBox())?.width ?? 0;
  expect(await width()).toBeLessThan(2);
  await mapControl(page, "Me").click();
  const savedView = () => readStored<{ lat: number }>(page, "mapViewState");
  await expect.poll(async () => Math.abs((await savedView()).lat - sea.lat) < 0.01, LONG_TIMEOUT).toBe(true);
  await page.reload();
  await ownMarker(page).waitFor();
  const box = await ownMarker(page).boundingBox();
  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - PHONE.width / 2)).toBeLessThan(20);
  // At the first visits they show by themselves.
  await page.evaluate(() => localStorage.setItem("map_visits", "2"));
  for (const isShown of [true, false]) {
    await page.reload();
    await ownMarker(page).waitFor();
    expect((await width()) > 10).toBe(isShown);
  }
  await context.close();
});

test("logout erases the stored location, and only the map loads the map library", async () => {
  const sea = newSea();
  const { context, page, sent } = await openMap(await makeNearby(site, sea, "Leaver"), { view: { ...sea, zoom: 14 } });
  expect(sent.some((text) => text.includes("map-engine"))).toBe(true);
  expect(await page.evaluate(() => localStorage.getItem("lastLocation"))).not.toBeNull();
  sent.length = 0;
  await page.goto("/search/tile");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(sent.filter((text) => /maplibre|map-engine/.test(text))).toEqual([]);
  await page.goto("/logout");
  await page.waitForURL("**/login");
  const left = await page.evaluate(() =>
    ["lastLocation", "geo", "mapViewState"].map((key) => localStorage.getItem(key)),
  );
  expect(left).toEqual([null, null, null]);
  await context.close();
});
