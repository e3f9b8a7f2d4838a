import { GPS_FIX_STALE_MS } from "@lambda/contract/limits";
import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { readStored } from "./chat-storage.ts";
import { mapControl, markerOf, newSea, openMap, ownMarker, placeControl, waitForReport } from "./map-page.ts";
import { apiFor, makeMember, PASSWORD } from "./members.ts";
import { makeNearby } from "./nearby.ts";
import { holdRequests, LONG_TIMEOUT } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, maxColorDifference, RED, readQuarters, YELLOW } from "./picture-members.ts";

/** When the map reports a position, when it shows GPS errors, and where its buttons lead. */

let site: TestSite;

beforeAll(async () => {
  site = await openSite();
});

const countReports = (sent: readonly string[]) => sent.filter((text) => text.includes("positions.report")).length;

/** Moves the own marker out of its cell with the arrow keys. */
async function walkAway(page: Page): Promise<void> {
  await ownMarker(page).focus();
  for (let press = 0; press < 6; press += 1) await page.keyboard.press("Shift+ArrowRight");
}

describe("a GPS error", () => {
  test.each([
    [2, "GPS: Geolocation unable to provide location"],
    [3, "GPS: Geolocation timed out"],
    [0, "GPS: OTHER ERROR"],
  ])("with code %i is shown when the last fix is more than 2 minutes old", { tags: "slow" }, async (code, text) => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Stale");
    const { context, page } = await openMap(me, { fakeClock: true, view: { ...sea, zoom: 14 } });
    await page.evaluate(
      ({ lat, lon, code }) => {
        navigator.geolocation.watchPosition = (onFix, onError) => {
          const fix = { coords: { latitude: lat, longitude: lon }, timestamp: Date.now() } as GeolocationPosition;
          setTimeout(() => onFix(fix), 10);
          setTimeout(() => onError?.({ code } as GeolocationPositionError), 20);
          return 1;
        };
      },
      { ...sea, code },
    );
    await page.clock.pauseAt(Date.now() + 5000);
    await placeControl(page, "Walk").click();
    await placeControl(page, "GPS").waitFor();
    await page.clock.runFor(GPS_FIX_STALE_MS);
    await placeControl(page, "GPS").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.clock.runFor(1000);
    await page.getByRole("alert").getByText(text, { exact: true }).waitFor();
    await placeControl(page, "Walk").waitFor();
    await context.close();
  });

  test("on a device without geolocation is the generic one", async () => {
    const sea = newSea();
    const { context, page, errors } = await openMap(await makeNearby(site, sea, "Typewriter"), {
      view: { ...sea, zoom: 14 },
    });
    await page.evaluate(() => Object.defineProperty(navigator, "geolocation", { value: undefined }));
    await placeControl(page, "Walk").click();
    await page.getByRole("alert").getByText("GPS: OTHER ERROR", { exact: true }).waitFor();
    await placeControl(page, "Walk").waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("reporting pauses", () => {
  test("on the register page, where no position is requested from the device or sent", { tags: "slow" }, async () => {
    const sea = newSea();
    const spot = { latitude: sea.lat, longitude: sea.lon };
    const me = await makeNearby(site, sea, "Registrant");
    const { context, page, sent } = await openMap(me, { geolocation: spot, view: { ...sea, zoom: 14 } });
    const reported = waitForReport(page);
    await placeControl(page, "Walk").click();
    expect((await reported).status()).toBe(200);
    expect(countReports(sent)).toBe(1);
    await context.addInitScript(() => {
      const watch = navigator.geolocation.watchPosition.bind(navigator.geolocation);
      navigator.geolocation.watchPosition = (...args) => {
        Object.assign(window, { watched: true });
        return watch(...args);
      };
    });
    await page.clock.install();
    sent.length = 0;
    await page.goto("/register");
    await page.getByRole("heading", { name: "Register", exact: true }).waitFor();
    await expect.poll(() => sent.some((text) => text.includes("positions.mine")), LONG_TIMEOUT).toBe(true);
    await page.waitForLoadState("networkidle");
    await context.setGeolocation({ latitude: sea.lat + 0.1, longitude: sea.lon });
    await page.clock.runFor(10 * 60_000);
    expect(await page.evaluate(() => "watched" in window)).toBe(false);
    expect(countReports(sent)).toBe(0);

    const resumed = waitForReport(page);
    await page.getByRole("link", { name: "Home" }).first().click();
    expect((await resumed).status()).toBe(200);
    expect(await page.evaluate(() => "watched" in window)).toBe(true);
    await context.close();
  });

  test("after a 401, until the member logs in again", { tags: "slow" }, async () => {
    const sea = newSea();
    const me = await makeMember(site, { name: "Expired", password: true });
    const api = await apiFor(site, me);
    await api.fetch(`/api/profile-position/${me.id}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ profileId: me.id, use: "OVERRIDE", overrideLat: sea.lat, overrideLon: sea.lon }),
    });
    const { context, page, sent } = await openMap(me, { fakeClock: true, view: { ...sea, zoom: 14 } });
    // A report is pending when the session ends.
    await page.clock.pauseAt(Date.now() + 60_000);
    await walkAway(page);
    await site.sql("delete from session where account_id = ?", me.id);
    await page.clock.runFor(3000);
    await page.waitForURL("**/login");
    // Ten minutes at once would be over the deadline of the screen's code, if it is still loading.
    const isThere = async () => {
      await page.clock.runFor(100);
      return page.getByLabel("Email").isVisible();
    };
    await expect.poll(isThere, LONG_TIMEOUT).toBe(true);
    sent.length = 0;
    await page.clock.runFor(10 * 60_000);
    expect(countReports(sent)).toBe(0);

    await page.clock.resume();
    await page.getByLabel("Email").fill(me.email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Login" }).click();
    await page.waitForURL("**/search/map");
    await ownMarker(page).waitFor();
    const resumed = waitForReport(page);
    await walkAway(page);
    expect((await resumed).status()).toBe(200);
    await context.close();
  });
});

test("a tab that has not noticed a logout in another tab stores no location", { tags: "slow" }, async () => {
  const sea = newSea();
  const me = await makeNearby(site, sea, "Twofold");
  const { context, page } = await openMap(me, { view: { ...sea, zoom: 14 } });
  await page.evaluate(() => {
    navigator.geolocation.watchPosition = (onFix) => {
      Object.assign(window, { onFix });
      return 1;
    };
  });
  await placeControl(page, "Walk").click();
  await page.waitForFunction(() => "onFix" in window);
  await page.route("**/trpc/**", () => {});
  const other = await context.newPage();
  await other.goto("/logout");
  await other.waitForURL("**/login");
  const stored = await page.evaluate(({ lat, lon }) => {
    const { onFix } = window as unknown as { onFix: PositionCallback };
    const coords = { latitude: lat, longitude: lon, accuracy: 5 };
    onFix({ coords, timestamp: Date.now() } as GeolocationPosition);
    return ["lastLocation", "geo"].map((name) => localStorage.getItem(name));
  }, sea);
  expect(stored).toEqual([null, null]);
  await context.close();
});

test("a tab that follows the GPS stops, and shows nobody more exactly, once its member chooses so in another tab", {
  tags: "slow",
}, async () => {
  const sea = newSea();
  const me = await makeNearby(site, sea, "Doubled");
  const { context, page, sent } = await openMap(me, { view: { ...sea, zoom: 14 } });
  const followGps = () => {
    navigator.geolocation.watchPosition = (onFix) => {
      Object.assign(window, { onFix });
      return 1;
    };
  };
  await page.evaluate(followGps);
  await context.addInitScript(followGps);
  await placeControl(page, "Walk").click();
  await page.waitForFunction(() => "onFix" in window);
  const fix = (lat: number) =>
    page.evaluate(
      (latitude) => {
        const { onFix } = window as unknown as { onFix: PositionCallback };
        onFix({ coords: { ...latitude, accuracy: 5 }, timestamp: Date.now() } as unknown as GeolocationPosition);
      },
      { latitude: lat, longitude: sea.lon },
    );
  const reported = waitForReport(page);
  await fix(sea.lat + 0.1);
  await reported;

  // It follows other tabs once the services are there that a first screen need not wait for.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /LateServices/.test(name)),
  );
  const other = await context.newPage();
  await other.goto("/search/map");
  await placeControl(other, "GPS").waitFor();
  await placeControl(other, "Precision").click();
  await other.getByRole("radio", { name: "City" }).check();
  await other.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await placeControl(page, "Precision").click();
  await expect.poll(() => page.getByRole("radio", { name: "City" }).isChecked(), LONG_TIMEOUT).toBe(true);
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();

  const walked = waitForReport(other);
  await placeControl(other, "GPS").click();
  await walked;
  await placeControl(page, "Walk").waitFor();
  const before = countReports(sent);
  await fix(sea.lat + 0.3);
  const { use, override } = await readStored<{ use: string; override: { lat: number } }>(page, "geo");
  expect(use).toBe("override");
  expect(override.lat).toBeLessThan(sea.lat + 0.2);
  expect(countReports(sent)).toBe(before);
  await context.close();
});

test("opens the map chat from its Chat button, shows a member's picture on marker and card, and opens their conversation from the card", async () => {
  const sea = newSea();
  const me = await makeNearby(site, sea, "Presser");
  const other = await makeNearby(site, sea, "Pictured", 0.02);
  const colors = [RED, GREEN, BLUE, YELLOW];
  const { id } = await (await apiFor(site, other)).upload(await makeQuartersPicture(800, 1000, colors));
  const { context, page } = await openMap(me, { viewport: PHONE, view: { ...sea, zoom: 13 } });
  await mapControl(page, "Chat").click();
  await page.waitForURL("**/chat/broadcast");
  await page.getByText("No messages found in your area.").waitFor();
  const post = { bodyText: "Anybody on the water?" };
  await (await apiFor(site, other)).fetch("/api/message", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(post),
  });

  const release = await holdRequests(page, /\/api\/profile-pic\//);
  await page.goto("/search/map");
  await mapControl(page, "Chat 1 message today").waitFor();
  await markerOf(page, other).getByText("P", { exact: true }).waitFor();
  release();
  const isDrawn = (picture: Element) =>
    (picture as HTMLImageElement).complete && (picture as HTMLImageElement).naturalWidth > 0;
  const markerPicture = markerOf(page, other).locator("img");
  await expect.poll(() => markerPicture.evaluate(isDrawn), LONG_TIMEOUT).toBe(true);
  expect(await markerPicture.getAttribute("src")).toContain(String(id));
  await markerOf(page, other).click();
  const card = page.getByRole("region", { name: "Pictured" });
  const picture = card.locator(`img[src*="${id}"]`).last();
  await expect.poll(() => picture.evaluate(isDrawn), LONG_TIMEOUT).toBe(true);
  expect(maxColorDifference(await readQuarters(await picture.screenshot()), colors)).toBeLessThan(40);
  await card.getByRole("link", { name: "Chat" }).click();
  await page.waitForURL(`**/chat/personal?with=${other.id}`);
  await page.getByRole("textbox").waitFor();
  await context.close();
});
