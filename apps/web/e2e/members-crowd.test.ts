/** @module-tag slow */
import { openSite, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";
import { makeCrowd, makeNearby, newPlace } from "./nearby.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

/**
 * The searches of a site with no members, with one, and with very many: 3,000 in the suite, 100,000 in
 * `npm run crowd`, which runs this file alone with CROWD set.
 */

const CROWD = Number(process.env.CROWD ?? 3000);
const EMPTY = "There are no profiles to show in your area or with any filters yo may have applied.";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

/** Shows a member only on Bramble, which no other test uses. */
const moveToBramble = (id: number) => site.sql("update profile set shared_on = 4 where id = ?", id);

describe("a site with nobody else", () => {
  it("shows empty searches and likes, then the first member who joins", async () => {
    const me = await makeMember(site, { name: "First" });
    await moveToBramble(me.id);
    const { page, context, errors } = await site.open({ brand: "bramble" });
    await logIn(site, context, me, { brand: "bramble" });
    await page.goto("/search/tile");
    await page.getByText(EMPTY, { exact: true }).waitFor();
    await page.goto("/search/profile");
    await page.getByText(EMPTY, { exact: true }).waitFor();
    await page.goto("/search/swype");
    await page.getByText("You've reached the end!", { exact: true }).waitFor();
    await page.goto("/likes/profilelikedyou");
    await page.getByText("Some day your prince will come...", { exact: true }).waitFor();

    const second = await makeNearby(site, newPlace(), "Second");
    await moveToBramble(second.id);
    await page.goto("/search/tile");
    await page.getByText("Displayed 1", { exact: true }).waitFor();
    await page.goto("/search/profile");
    await page.getByRole("article", { name: /^Second/ }).waitFor();
    await page.goto("/search/swype");
    await page.getByRole("article", { name: /^Card: Second/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByText("You've reached the end!", { exact: true }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});

interface Brief {
  readonly profileId: number;
  readonly distanceMeters: number;
}

/** Collects the result pages of a search as they arrive. */
function collectPages(page: Page): Brief[][] {
  const pages: Brief[][] = [];
  page.on("response", async (response) => {
    const calls = new URL(response.url()).pathname.replace("/trpc/", "").split(",");
    if (!calls.includes("positions.nearest")) return;
    // The next page may still be loading when the test closes the browser.
    const responses: { result: { data: { items: Brief[] } } }[] | undefined = await response
      .json()
      .catch(() => undefined);
    calls.forEach((call, index) => {
      const items = responses?.[index]?.result.data.items;
      if (call === "positions.nearest" && items) pages.push(items);
    });
  });
  return pages;
}

/** Expects each member once, the nearest first. */
function expectUniqueByDistance(briefs: readonly Brief[]): void {
  expect(new Set(briefs.map(({ profileId }) => profileId)).size).toBe(briefs.length);
  const meters = briefs.map(({ distanceMeters }) => distanceMeters);
  expect(meters).toEqual([...meters].sort((a, b) => a - b));
}

describe(`a site with ${CROWD.toLocaleString("en")} members`, () => {
  const place = newPlace();
  let me: Awaited<ReturnType<typeof makeNearby>>;
  beforeAll(async () => {
    me = await makeNearby(site, place, "Me");
    await makeCrowd(site, await makeNearby(site, place, "Anchor", 0.01), CROWD, 1000);
  }, 300_000);

  it("fills every page of tiles without duplicates, and renders only tiles near the viewport", async () => {
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    const pages = collectPages(page);
    await page.goto("/search/tile");
    const pageCount = 12;
    for (let loaded = 1; loaded <= pageCount; loaded += 1) {
      await page.getByText(`Displayed ${30 * loaded}`, { exact: true }).waitFor();
      if (loaded < pageCount) await page.getByRole("button", { name: "Load More" }).tap();
    }
    await expect.poll(() => pages.map((briefs) => briefs.length)).toEqual(Array(pageCount).fill(30));
    expectUniqueByDistance(pages.flat());
    const tiles = page.getByRole("list", { name: "Guys near you" }).getByRole("link");
    expect(await tiles.count()).toBeLessThan(160);
    // Back at the top, the first tiles are rendered again and respond to a tap.
    await page.evaluate(() => scrollTo(0, 0));
    await tiles.first().tap();
    await page.waitForURL(`**/profile/${pages[0]?.[0]?.profileId}`);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("keeps loading on scroll, and renders few cards", async () => {
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    const pages = collectPages(page);
    await page.goto("/search/profile");
    const cards = page.getByRole("feed").getByRole("article");
    await cards.first().waitFor();
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 3000);
          return pages.length;
        },
        { timeout: 60_000, interval: 100 },
      )
      .toBeGreaterThanOrEqual(8);
    expect(pages.every((briefs) => briefs.length === 10)).toBe(true);
    expectUniqueByDistance(pages.flat());
    expect(await cards.count()).toBeLessThan(30);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("shows a new card after each swipe", async () => {
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto("/search/swype");
    const top = page.locator("[data-depth='0']").getByRole("article");
    const seen = new Set<string>();
    for (let swipes = 0; swipes < 15; swipes += 1) {
      await expect.poll(async () => seen.has((await top.getAttribute("aria-label")) ?? ""), LONG_TIMEOUT).toBe(false);
      seen.add((await top.getAttribute("aria-label")) ?? "");
      expect(await page.locator("[data-depth]").count()).toBeLessThanOrEqual(3);
      await page.keyboard.press(swipes % 2 ? "ArrowRight" : "ArrowLeft");
    }
    await expect
      .poll(() => site.sql("select count(*) n from profile_like where liker_id = ?", me.id), LONG_TIMEOUT)
      .toEqual([{ n: 15 }]);
    expect(errors).toEqual([]);
    await context.close();
  });
});
