/** @module-tag slow */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BRANDS } from "@lambda/brands";
import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { ROOT } from "@lambda/testing/site";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { readStored } from "./chat-storage.ts";
import { markerOf, openMap, openPanel, ownMarker, waitForReport } from "./map-page.ts";
import { logIn, makeMember } from "./members.ts";
import { makeNearby } from "./nearby.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

/** Market and Castro Street, in the middle of the demo region. */
const CASTRO = { lat: 37.7609, lon: -122.435 };
/** Ids of the style layers that must be visible at each zoom. */
const EXPECTED: Record<number, readonly string[]> = {
  12: ["streets-earth", "streets-green", "streets-major", "streets-highway", "streets-minor", "streets-quarter-name"],
  14: ["streets-earth", "streets-green", "streets-major", "streets-minor", "streets-quarter-name", "streets-road-name"],
  16: [
    "streets-earth",
    "streets-green",
    "streets-building",
    "streets-minor",
    "streets-road-name",
    "streets-quarter-name",
  ],
  18: ["streets-earth", "streets-building", "streets-major", "streets-road-name"],
};

let site: TestSite;

beforeAll(async () => {
  site = await openSite();
  const folder = mkdtempSync(join(tmpdir(), "map-streets-"));
  const world = join(folder, "world.pmtiles");
  execFileSync(process.execPath, [`${ROOT}packages/tooling/src/basemap/build.ts`, world], { stdio: "pipe" });
  await site.putArchive("world", world);
  await site.putArchive("san-francisco", `${ROOT}packages/tooling/data/san-francisco.pmtiles`);
  rmSync(folder, { recursive: true });
});

/** Lists the style layers with visible features. */
const listVisibleLayers = (page: Page) =>
  page.evaluate(() => {
    let layers: string[] = [];
    const inspect = (map: { queryRenderedFeatures(): { layer: { id: string } }[] }) => {
      layers = [...new Set(map.queryRenderedFeatures().map(({ layer }) => layer.id))];
    };
    document.querySelector(".maplibregl-map")?.dispatchEvent(new CustomEvent("inspect-map", { detail: inspect }));
    return layers;
  });

/** Whether no tile is awaited anymore. */
const areTilesLoaded = (page: Page) =>
  page.evaluate(() => {
    let loaded = false;
    const inspect = (map: { areTilesLoaded(): boolean }) => {
      loaded = map.areTilesLoaded();
    };
    document.querySelector(".maplibregl-map")?.dispatchEvent(new CustomEvent("inspect-map", { detail: inspect }));
    return loaded;
  });

describe.each(BRANDS.map(({ id }) => id))("%s", (brand) => {
  test.each(["dark", "light"] as const)("draws the streets of its region in the %s theme", async (theme) => {
    const member = await makeMember(site, { name: "Street" });
    const { context, page, errors } = await openMap(member, {
      viewport: PHONE,
      theme,
      brand,
      view: { ...CASTRO, zoom: 12 },
    });
    for (const [zoom, expected] of Object.entries(EXPECTED)) {
      await page.evaluate(
        ([at, z]) => {
          const move = (map: { jumpTo(to: object): void }) => map.jumpTo({ center: [at.lon, at.lat], zoom: z });
          document.querySelector(".maplibregl-map")?.dispatchEvent(new CustomEvent("inspect-map", { detail: move }));
        },
        [CASTRO, Number(zoom)] as const,
      );
      await expect.poll(() => listVisibleLayers(page), LONG_TIMEOUT).toEqual(expect.arrayContaining([...expected]));
      const name = Number(zoom) >= 13 ? "Castro District, San Francisco" : "San Francisco";
      await page.getByText(name, { exact: true }).waitFor();
    }
    await page.getByText("OpenStreetMap contributors").waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});

test("names the place and draws land and streets after their files were refused at first, without being moved", async () => {
  const { context, page } = await openMap(await makeMember(site, { name: "Refused" }), {
    viewport: PHONE,
    view: { ...CASTRO, zoom: 14 },
  });
  const refused = new Set<string>();
  let allowed: string | undefined;
  await page.route("**/tiles/*", (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === allowed) return route.continue();
    refused.add(pathname);
    return route.abort("connectionrefused");
  });
  await page.reload();
  await page.getByRole("button", { name: /^Your marker/ }).waitFor();
  await expect
    .poll(() => [...refused])
    .toEqual(expect.arrayContaining(["/tiles/archives.json", "/tiles/world.pmtiles"]));
  // The list of regions comes first, so that their streets are refused too.
  allowed = "/tiles/archives.json";
  refused.clear();
  await expect.poll(() => [...refused], LONG_TIMEOUT).toContain("/tiles/san-francisco.pmtiles");
  await page.unroute("**/tiles/*");
  await page.getByText("Castro District, San Francisco", { exact: true }).waitFor(LONG_TIMEOUT);
  await expect.poll(() => listVisibleLayers(page), LONG_TIMEOUT).toEqual(expect.arrayContaining([...EXPECTED[14]!]));
  await expect.poll(() => areTilesLoaded(page), LONG_TIMEOUT).toBe(true);
  await context.close();
});

test("opens with a picture of what it showed, the men of now upon it, until the first input, and keeps it sealed for the session", async () => {
  const me = await makeNearby(site, CASTRO, "Painter");
  const other = await makeNearby(site, CASTRO, "Painted", 0.02);
  const { context, page, sent, errors } = await openMap(me, { viewport: PHONE, view: { ...CASTRO, zoom: 13 } });
  const still = page.locator("main img[src^='data:image/jpeg']");
  await markerOf(page, other).waitFor();
  await expect.poll(() => areTilesLoaded(page), LONG_TIMEOUT).toBe(true);
  await page.getByRole("link", { name: "Tiles" }).first().click();
  await page.waitForURL("**/search/tile");
  expect(await page.evaluate(() => localStorage.getItem("map_still"))).not.toContain("data:");

  // A browser that is never idle.
  await context.addInitScript(() => {
    window.requestIdleCallback = () => 1;
    const { setTimeout: start } = window;
    window.setTimeout = ((run: () => void, ms?: number, ...rest: unknown[]) =>
      ms === 3000 ? 0 : start(run, ms, ...rest)) as typeof setTimeout;
  });
  sent.length = 0;
  await page.goto("/search/map");
  await still.waitFor();
  await markerOf(page, other).waitFor();
  await page.getByText("Natural Earth").waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.locator("canvas").count()).toBe(0);
  expect(sent.filter((text) => text.includes(".pmtiles"))).toEqual([]);
  expect(await findBarriers(page)).toEqual([]);
  await markerOf(page, other).click();
  await page.getByRole("region", { name: "Painted" }).getByRole("link", { name: "Chat" }).waitFor();
  await ownMarker(page).waitFor();
  await still.waitFor({ state: "detached" });
  expect(errors).toEqual([]);
  await context.close();
});

describe("the search for a place", () => {
  const field = (page: Page) => page.getByRole("combobox", { name: "Find a town or district" });
  const choices = (page: Page) => page.getByRole("option");
  const view = (page: Page) => readStored<{ lat: number; zoom: number }>(page, "mapViewState");

  test("finds a quarter and a town abroad by keyboard, puts the member there, and leaves no trace of the text", async () => {
    const member = await makeNearby(site, CASTRO, "Seeker");
    const { context, page, sent, errors } = await openMap(member, { viewport: PHONE, view: { ...CASTRO, zoom: 14 } });
    // All that is stored is sealed, and encoded as text before.
    await page.evaluate(() => {
      const { encode } = TextEncoder.prototype;
      const encoded: string[] = [];
      Object.assign(window, { encoded });
      TextEncoder.prototype.encode = function (text) {
        encoded.push(String(text));
        return encode.call(this, text);
      };
    });
    await openPanel(page);
    await field(page).focus();
    await page.keyboard.type("mission d");
    await choices(page).filter({ hasText: "Mission District" }).first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await field(page).inputValue()).toBe("");
    expect(await page.getByRole("dialog").isVisible()).toBe(true);

    await page.keyboard.type("sitg");
    await choices(page).filter({ hasText: "Sitges" }).waitFor();
    await page.keyboard.press("ArrowDown");
    const active = await field(page).getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active}"]`).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => view(page), LONG_TIMEOUT).toMatchObject({ lat: expect.closeTo(41.24), zoom: 12 });

    const response = waitForReport(page);
    await page.getByRole("button", { name: "Put me in Sitges" }).click();
    await response;
    expect((await readStored<{ override: { lat: number } }>(page, "geo")).override.lat).toBeCloseTo(41.24, 2);
    await page.getByRole("button", { name: "Put me in Sitges" }).waitFor({ state: "detached" });
    const kept = await page.evaluate(() => [
      ...(window as unknown as { encoded: string[] }).encoded,
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state]),
    ]);
    expect(kept.some((text) => text.includes("mapViewState") || text.includes('"zoom":12'))).toBe(true);
    for (const text of [...kept, ...sent]) expect(text.toLowerCase()).not.toMatch(/sitg|mission/);
    expect(errors).toEqual([]);
    await context.close();
  });

  test("names cities in Spanish, and gives a trip its place", async () => {
    const member = await makeNearby(site, CASTRO, "Viajero");
    const { context, page } = await site.open({ viewport: PHONE, locale: "es" });
    await logIn(site, context, member);
    await page.goto("/travel");
    await page.getByRole("button", { name: "Planear un viaje" }).click();
    await page.getByRole("combobox", { name: "Busca una ciudad o un barrio" }).fill("colon");
    await choices(page).filter({ hasText: "Colonia" }).filter({ hasText: "Alemania" }).click();
    await expect
      .poll(() => page.getByRole("textbox", { name: "Cómo lo llamas" }).inputValue(), LONG_TIMEOUT)
      .toBe("Colonia");
    await context.close();
  });
});

test("draws the region's water, and the world map outside of the region", async () => {
  const { context, page } = await openMap(await makeMember(site, { name: "Shore" }), {
    viewport: PHONE,
    view: { lat: 37.81, lon: -122.41, zoom: 14 },
  });
  await expect
    .poll(() => listVisibleLayers(page), LONG_TIMEOUT)
    .toEqual(expect.arrayContaining(["streets-water", "streets-major"]));
  await page.evaluate(() => {
    const move = (map: { jumpTo(to: object): void }) => map.jumpTo({ center: [-112.07, 33.45], zoom: 14 });
    document.querySelector(".maplibregl-map")?.dispatchEvent(new CustomEvent("inspect-map", { detail: move }));
  });
  await expect
    .poll(async () => (await listVisibleLayers(page)).filter((layer) => layer.startsWith("streets-")), LONG_TIMEOUT)
    .toEqual([]);
  // Where there are no streets, land and the names of towns are drawn at each zoom.
  await expect.poll(() => listVisibleLayers(page), LONG_TIMEOUT).toEqual(expect.arrayContaining(["land", "city-name"]));
  await page.getByText(/^(.+, )?Phoenix · No streets here yet · \D+ \d+(\.\d)? mi · \D+ \d+(\.\d)? mi$/).waitFor();
  await context.close();
});
