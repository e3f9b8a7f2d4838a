import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { readStored } from "./chat-storage.ts";
import { mapControl, markerOf, newSea, openMap, openPanel, ownMarker, placeControl } from "./map-page.ts";
import { apiFor, type BrowserMember, logIn, makeMember } from "./members.ts";
import { centerOf, makeNearby, reportPosition, swipe } from "./nearby.ts";
import { LONG_TIMEOUT, overtake } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;

beforeAll(async () => {
  site = await openSite();
});

const rows = (page: Page) => page.getByRole("complementary").getByRole("listitem");
const savedView = (page: Page) => readStored<{ lat: number; lon: number; zoom: number }>(page, "mapViewState");
const roundedCenter = async (page: Page, selector: string) => {
  const { x, y } = await centerOf(page, selector);
  return { x: Math.round(x), y: Math.round(y) };
};

test("a finger drags the own marker without moving the map, and pans the map elsewhere", async () => {
  const sea = newSea();
  const { context, page, sent } = await openMap(await makeNearby(site, sea, "Finger"), {
    viewport: PHONE,
    view: { ...sea, zoom: 14 },
  });
  const own = "[data-draggable]";
  const from = await roundedCenter(page, own);
  await swipe(page, from, { x: 90, y: -120 });
  await expect.poll(() => roundedCenter(page, own)).toEqual({ x: from.x + 90, y: from.y - 120 });
  await expect.poll(() => sent.some((text) => text.includes("positions.report")), LONG_TIMEOUT).toBe(true);
  expect(await savedView(page)).toEqual({ lat: sea.lat, lon: sea.lon, zoom: 14 });

  await swipe(page, { x: from.x, y: from.y + 40 }, { x: 0, y: -100 });
  await expect.poll(async () => (await roundedCenter(page, own)).y, LONG_TIMEOUT).toBeLessThan(from.y - 120 - 60);
  await context.close();
});

test("zoomed out, a click on the own marker opens the cluster below it, while the keyboard opens the own marker", {
  tags: "slow",
}, async () => {
  const sea = newSea();
  const me = await makeNearby(site, sea, "Middle");
  for (const north of [0.01, -0.01]) await makeNearby(site, sea, "Around", north);
  const { context, page } = await openMap(me, { viewport: PHONE, view: { ...sea, zoom: 7 } });
  await page.locator("[data-cluster]").waitFor();
  await ownMarker(page).click();
  await expect.poll(async () => (await savedView(page)).zoom, LONG_TIMEOUT).toBeGreaterThan(9);
  expect(await page.getByRole("dialog").count()).toBe(0);
  await ownMarker(page).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("heading", { name: "How precisely you're shown" }).waitFor();
  await context.close();
});

test("the question before the exact position is shown keeps the focus where the member moved it", {
  tags: "slow",
}, async () => {
  const sea = newSea();
  const { context, page } = await openMap(await makeNearby(site, sea, "Exact"), { viewport: PHONE });
  await ownMarker(page).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: /^Exact/, disabled: false }).click();
  const keep = page.getByRole("button", { name: "Keep the square" });
  const show = page.getByRole("button", { name: "Show my exact spot" });
  await expect.poll(() => keep.evaluate((button) => button === document.activeElement)).toBe(true);
  await show.focus();
  // The list beside the map appears in the same rendering as the question.
  await page.setViewportSize(DESKTOP);
  await page.locator("main aside").waitFor();
  expect(await show.evaluate((button) => button === document.activeElement)).toBe(true);
  await context.close();
});

test.each([PHONE, DESKTOP])(
  "the hint of a first visit does not cover the own marker, %o",
  { tags: "slow" },
  async (viewport) => {
    const { context, page } = await openMap(await makeMember(site, { name: "Newcomer" }), { viewport });
    const hint = page.locator("section").filter({ hasText: "You're at a random spot near" });
    await hint.getByRole("button", { name: "Walk" }).waitFor();
    const isBelow = async () => {
      const [own, box] = [await ownMarker(page).boundingBox(), await hint.boundingBox()];
      return own && box ? own.y + own.height <= box.y : false;
    };
    await expect.poll(isBelow, LONG_TIMEOUT).toBe(true);
    await hint.getByRole("button", { name: "Walk" }).click();
    await hint.waitFor({ state: "detached" });
    if (viewport === PHONE) await openPanel(page);
    await placeControl(page, "Walk").waitFor();
    await context.close();
  },
);

test("a map across the date line shows the members of both sides in the right place", { tags: "slow" }, async () => {
  const line = { lat: -16, lon: 180 };
  const me = await makeNearby(site, { lat: -16.02, lon: 179.99 }, "Navigator");
  const west = await makeNearby(site, { lat: -16, lon: 179.95 }, "Western");
  const east = await makeNearby(site, { lat: -16, lon: -179.95 }, "Eastern");
  const { context, page } = await openMap(me, { view: { ...line, zoom: 12 } });
  await markerOf(page, west).waitFor();
  await markerOf(page, east).waitFor();
  const { x } = await centerOf(page, "canvas.maplibregl-canvas");
  const at = async (member: BrowserMember) => (await centerOf(page, `[data-member="${member.id}"]`)).x;
  expect(await at(west)).toBeLessThan(x);
  expect(await at(east)).toBeGreaterThan(x);
  const names = (await rows(page).allInnerTexts()).map((text) => /Eastern|Western/.exec(text)?.[0]);
  expect(names.sort()).toEqual(["Eastern", "Western"]);
  await context.close();
});

describe("the list next to the map", () => {
  test("lists the members shown as markers, and opens their cards by keyboard alone", async () => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Listener");
    const members = [];
    for (const [name, north] of Object.entries({ Near: 0.005, Middle: 0.025, Farther: -0.05 }))
      members.push(await makeNearby(site, sea, name, north));
    const { context, page, errors } = await openMap(me, { view: { ...sea, zoom: 12 } });
    await expect.poll(() => rows(page).count(), LONG_TIMEOUT).toBe(3);
    for (const member of members) await markerOf(page, member).waitFor();
    const shown = (text: string) => /(Near|Middle|Farther)\s*(\d+)/.exec(text)?.slice(1).join(" ");
    const listed = (await rows(page).allInnerTexts()).map(shown);
    expect(listed.map((text) => text?.split(" ")[0])).toEqual(["Near", "Middle", "Farther"]);
    const marked = (await page.locator("[data-member]").allTextContents()).map(shown);
    expect([...marked].sort()).toEqual([...listed].sort());

    await page.getByRole("link", { name: "Skip to content" }).focus();
    await page.keyboard.press("Enter");
    const row = rows(page).nth(1).getByRole("button");
    const isOnRow = () => row.evaluate((element) => element === document.activeElement);
    for (let press = 0; press < 20 && !(await isOnRow()); press += 1) await page.keyboard.press("Tab");
    expect(await isOnRow()).toBe(true);
    await page.keyboard.press("Enter");
    const card = page.getByRole("region", { name: "Middle" });
    await card.getByRole("link", { name: "Chat" }).waitFor();
    expect(await card.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(errors).toEqual([]);
    await context.close();
  });

  test("a click on a marker opens a card with name, age, distance, like, chat and profile", async () => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Presser");
    const other = await makeNearby(site, sea, "Handsome", 0.02);
    const { context, page } = await openMap(me, { view: { ...sea, zoom: 13 } });
    await markerOf(page, other).click();
    const card = page.getByRole("region", { name: "Handsome" });
    await card.getByRole("heading", { name: /^Handsome \d\d$/ }).waitFor();
    await card.getByText(/[\d.]+ (mi|ft|m|km).* away/).waitFor();
    await card.getByRole("button", { name: "Like", exact: true }).waitFor();
    expect(await card.getByRole("link", { name: "Chat" }).getAttribute("href")).toBe(`/chat/personal?with=${other.id}`);
    expect(await card.getByRole("link", { name: "View profile" }).getAttribute("href")).toBe(`/profile/${other.id}`);
    await context.close();
  });

  test("a man whose picture shows no face is his initial, until the picture may be shown", async () => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Presser");
    const other = await makeNearby(site, sea, "Zacharias", 0.02);
    const file = await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]);
    const { id } = await (await apiFor(site, other)).upload(file, { nsfw: true });
    const { context, page } = await openMap(me, { view: { ...sea, zoom: 13 } });
    const answered = page.waitForResponse((response) => response.url().includes(`/profile-pic/${id}`));
    await page.reload();
    await (await answered).finished();
    await overtake(page);
    const face = markerOf(page, other);
    expect(await face.locator("img").count()).toBe(0);
    expect(await face.locator("span > span").first().textContent()).toBe("Z");
    await page.evaluate(() => localStorage.setItem("show_nsfw", "true"));
    await page.reload();
    await face.locator("img").waitFor();
    await context.close();
  });

  test("a report that was begun stays open when its member leaves, and a block can be undone", {
    tags: "slow",
  }, async () => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Presser");
    const other = await makeNearby(site, sea, "Handsome", 0.02);
    const { context, page } = await openMap(me, { view: { ...sea, zoom: 13 } });
    await markerOf(page, other).click();
    const card = page.getByRole("region", { name: "Handsome" });
    const choose = async (item: string) => {
      await card.getByRole("button", { name: "Action" }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await choose("Report Violation");
    const text = page.getByRole("dialog").getByRole("textbox");
    await text.fill("What he wrote");
    await reportPosition(site, other, { lat: sea.lat + 1.5, lon: sea.lon });
    await markerOf(page, other).waitFor({ state: "detached" });
    await overtake(page);
    expect(await text.inputValue()).toBe("What he wrote");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

    await reportPosition(site, other, { lat: sea.lat + 0.02, lon: sea.lon });
    await markerOf(page, other).waitFor();
    await choose("Block / Ignore");
    await markerOf(page, other).waitFor({ state: "detached" });
    await overtake(page);
    await card.getByRole("button", { name: "Undo" }).click();
    await expect
      .poll(() => site.sql("select 1 from block where profile_id = ? and blocked_by_profile = 1", me.id))
      .toEqual([]);
    await context.close();
  });
});

test("offline, the map keeps known members, and does not load forever where it knows nobody", {
  tags: "slow",
}, async () => {
  const sea = newSea();
  const me = await makeNearby(site, sea, "Diver");
  const other = await makeNearby(site, sea, "Anchor", 0.02);
  const { context, page } = await openMap(me, { view: { ...sea, zoom: 13 } });
  await markerOf(page, other).waitFor();
  await context.setOffline(true);
  await page.getByText("You're offline. This is who was here last.").waitFor();
  expect(await markerOf(page, other).isVisible()).toBe(true);

  const nowhere = { lat: sea.lat + 3, lon: sea.lon };
  await page.evaluate(({ lat, lon }) => {
    location.hash = `lat=${lat}&lng=${lon}`;
  }, nowhere);
  await page.getByText("You're offline, so we can't tell who's here.").waitFor();
  expect(await page.getByText("Looking around...").count()).toBe(0);
  expect(await page.getByText("Nobody here right now.").count()).toBe(0);
  await context.setOffline(false);
  await page.getByText("Nobody here right now.").waitFor();
  await context.close();
});

test.each(["dark", "light"] as const)(
  "the map, its card and its sheet pass the accessibility checks in the %s theme",
  { tags: "slow" },
  async (theme) => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Checker");
    const other = await makeNearby(site, sea, "Checked", 0.02);
    for (const viewport of [PHONE, DESKTOP]) {
      const { context, page } = await openMap(me, { viewport, theme, view: { ...sea, zoom: 13 } });
      const check = async () => expect(await findBarriers(page)).toEqual([]);
      await markerOf(page, other).waitFor();
      await check();
      if (viewport === PHONE) {
        await openPanel(page);
        await check();
      }
      await placeControl(page, "Precision").click();
      await page
        .getByRole("dialog")
        .getByRole("radio", { name: /Street/ })
        .waitFor();
      await check();
      await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await markerOf(page, other).click();
      await page.getByRole("region", { name: "Checked" }).getByRole("link", { name: "Chat" }).waitFor();
      await check();
      await context.close();
    }
  },
);

test.each([
  { viewport: { width: 320, height: 640 }, text: "100%" },
  { viewport: PHONE, text: "200%" },
])(
  "on $viewport.width px with text at $text, three buttons and the sheet's stay in sight, and keys alone open and close all",
  { tags: "slow" },
  async ({ viewport, text }) => {
    const sea = newSea();
    const { context, page } = await openMap(await makeNearby(site, sea, "Narrow"), {
      viewport,
      view: { ...sea, zoom: 13 },
    });
    await page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), text);
    const onMap = page.getByRole("region", { name: "Map controls" }).getByRole("button");
    expect(await onMap.evaluateAll((all) => all.map((button) => button.textContent))).toEqual(["Hide", "Chat", "Me"]);
    const pill = page.getByRole("button", { name: "0 men" });
    const isHit = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    };
    for (const button of [...(await onMap.all()), pill]) expect(await button.evaluate(isHit)).toBe(true);
    expect(await findBarriers(page)).toEqual([]);

    await pill.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    const heading = dialog.getByRole("heading", { name: "0 men on this map" });
    await heading.waitFor();
    const [box, title] = [await dialog.boundingBox(), await heading.boundingBox()];
    expect(title?.y).toBeGreaterThanOrEqual(box?.y ?? Number.POSITIVE_INFINITY);
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.keyboard.press("Tab");
    await page.keyboard.type("nowhere at all");
    await dialog
      .getByRole("status")
      .filter({ hasText: /No place by that name|didn't load/ })
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await dialog.getByRole("combobox").inputValue()).toBe("");
    await page.keyboard.press("Tab");
    expect(await placeControl(page, "Walk").evaluate((button) => button === document.activeElement)).toBe(true);
    // A second Escape so soon would be the quick exit.
    await dialog.getByRole("button", { name: "Close" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await pill.evaluate((button) => button === document.activeElement)).toBe(true);
    await context.close();
  },
);

describe("timers", { tags: "slow" }, () => {
  test("button names show for 8 s after a click, and the view is saved 1 s after the last move", async () => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Clock");
    const { context, page } = await openMap(me, { fakeClock: true, viewport: PHONE, view: { ...sea, zoom: 14 } });
    await page.getByText("Nobody here right now.").waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    const label = mapControl(page, "Me").locator("span").first();
    const width = async () => Math.round((await label.boundingBox())?.width ?? 0);
    await mapControl(page, "Me").click();
    await expect.poll(width, LONG_TIMEOUT).toBeGreaterThan(10);
    await page.clock.runFor(7900);
    expect(await width()).toBeGreaterThan(10);
    await page.clock.runFor(200);
    await expect.poll(width, LONG_TIMEOUT).toBeLessThan(2);

    expect((await savedView(page)).zoom).toBe(14);
    await openPanel(page);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.clock.runFor(900);
    expect((await savedView(page)).zoom).toBe(14);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.clock.runFor(900);
    expect((await savedView(page)).zoom).toBe(14);
    await page.clock.runFor(200);
    expect((await savedView(page)).zoom).toBe(16);
    await context.close();
  });

  test("requests the GPS with the agreed options, and hides its error while the last fix is recent", async () => {
    const sea = newSea();
    const me = await makeNearby(site, sea, "Stale");
    const { context, page } = await openMap(me, { fakeClock: true, view: { ...sea, zoom: 14 } });
    await page.evaluate((at) => {
      navigator.geolocation.watchPosition = (onFix, onError, options) => {
        Object.assign(window, { gpsOptions: options });
        const fix = { coords: { latitude: at.lat, longitude: at.lon }, timestamp: Date.now() } as GeolocationPosition;
        setTimeout(() => onFix(fix), 10);
        setTimeout(() => onError?.({ code: 3 } as GeolocationPositionError), 20);
        return 1;
      };
    }, sea);
    await placeControl(page, "Walk").click();
    await placeControl(page, "GPS").waitFor();
    expect(await page.evaluate(() => (window as unknown as { gpsOptions: PositionOptions }).gpsOptions)).toEqual({
      enableHighAccuracy: true,
      maximumAge: 15_000,
      timeout: 10_000,
    });
    await page.clock.fastForward(60_000);
    expect(await page.getByRole("alert").count()).toBe(0);
    await placeControl(page, "GPS").waitFor();
    await context.close();
  });
});

/** A browser without WebGL, as some phones and locked-down machines have. */
const withoutWebGl = (page: Page) =>
  page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });

test("without WebGL the list of who is near stands in the map's place, without controls of a map", async () => {
  const sea = newSea();
  const near = await makeNearby(site, sea, "Listed", 0.04);
  const { context, page, errors } = await site.open({ viewport: PHONE });
  await logIn(site, context, await makeNearby(site, sea, "Blind"));
  await withoutWebGl(page);
  await page.goto("/search/map");
  await page.getByText("This browser can't draw the map.").waitFor();
  await page.getByRole("button", { name: /Listed/ }).waitFor();
  for (const name of ["Zoom in", "Zoom out", "Walk", "Me"])
    expect(await page.getByRole("button", { name, exact: true }).count(), name).toBe(0);
  expect(await findBarriers(page, "main")).toEqual([]);
  await page.getByRole("button", { name: /Listed/ }).click();
  expect(await page.getByRole("link", { name: "View profile" }).getAttribute("href")).toContain(`/profile/${near.id}`);
  expect(errors).toEqual([]);
  await context.close();
});

test("without WebGL the welcome still offers a place", { tags: "slow" }, async () => {
  const member = await makeMember(site, { name: "Unplaced" });
  const { context, page, errors } = await site.open({ viewport: PHONE });
  await logIn(site, context, member);
  await withoutWebGl(page);
  await page.addInitScript(() => localStorage.getItem("welcome_step") ?? localStorage.setItem("welcome_step", "2"));
  await page.goto("/welcome");
  await page.getByText("This browser can't draw the map.").waitFor();
  expect(await page.getByRole("button", { name: "Show me in this square" }).count()).toBe(0);
  expect(await findBarriers(page, "main")).toEqual([]);
  await page.getByRole("button", { name: "Put me near San Francisco" }).click();
  await expect
    .poll(() => site.sql("select use from position where profile_id = ?", member.id))
    .toEqual([{ use: "RANDOM" }]);
  expect(errors).toEqual([]);
  await context.close();
});
