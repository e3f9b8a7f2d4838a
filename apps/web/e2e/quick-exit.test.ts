/** The quick exit and the disguise: how a member leaves the site at once, and what a tab shows of it. */
import { openSite, type TestSite } from "@lambda/testing/browser";
import { beforeAll, describe, expect, it } from "vitest";
import { type BrowserMember, logIn, makeMember } from "./members.ts";

let site: TestSite;
let me: BrowserMember;
let other: BrowserMember;

beforeAll(async () => {
  site = await openSite();
  me = await makeMember(site, { name: "Ansel" });
  other = await makeMember(site, { name: "Marco" });
});

describe("a quick exit", () => {
  it("leads to a page of notes from any screen, and the browser history does not lead back", async () => {
    const { context, page } = await site.open();
    await logIn(site, context, other);
    await page.goto("/search/tile");
    await page.getByRole("link", { name: "Home" }).click();
    await page.waitForURL(/\/$/);
    await page.goto("/settings#lock");
    await page.getByRole("heading", { name: "App lock" }).waitFor();
    // Both presses in one task of the page: a busy machine would separate them by more than the allowed half second.
    await page.evaluate(() => {
      setTimeout(() => {
        for (let press = 0; press < 2; press += 1)
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
      });
    });
    await expect.poll(() => page.url()).toMatch(/\/notepad$/);
    await page.getByRole("textbox").fill("Milk");
    expect(await page.title()).toBe("Notes");
    for (const way of ["goBack", "goBack", "goForward"] as const) {
      await page[way]().catch(() => undefined);
      await expect.poll(() => page.url()).toMatch(/\/notepad$|^about:blank$/);
    }
  });

  it.each([
    { taps: [3], isInteractive: true, where: "on one page" },
    { taps: [1, 2], isInteractive: false, where: "while the first tap loads another page" },
  ])("starts after three taps on the brand mark $where", async ({ taps, isInteractive }) => {
    const { page } = await site.open();
    // Without its scripts the page follows links as plain HTML does. The quick exit has a script of its own.
    if (!isInteractive) await page.route(/\/assets\/(?!first-paint).*\.js$/, (route) => route.abort());
    // All taps happen at the same time, however slow the machine is.
    await page.clock.setFixedTime(Date.now());
    await page.goto("/login");
    for (const [index, count] of taps.entries()) {
      if (index > 0) await page.waitForURL(/\/$/);
      await page.getByRole("link", { name: "Home" }).evaluate((mark: HTMLElement, clicks) => {
        // In a task of its own, because the page may be gone after it.
        setTimeout(() => {
          for (let click = 0; click < clicks; click += 1) mark.click();
        });
      }, count);
    }
    // The exit may abort a navigation, which waitForURL() would report.
    await expect.poll(() => page.url()).toMatch(/\/notepad$/);
    await page.goBack().catch(() => undefined);
    await expect.poll(() => page.url()).toMatch(/\/notepad$|^about:blank$/);
  });

  it.each([
    ["a profile", () => `/profile/${me.id}`],
    ["a picture", () => `/profilePicCarousel?profileId=${me.id}&id=1&ids=1`],
  ])("starts after three taps on the mark over %s on a phone", async (_, path) => {
    const { context, page } = await site.open();
    await logIn(site, context, other);
    await page.goto(path());
    const link = page.getByRole("main").getByRole("link", { name: "Home" });
    // The skeleton is replaced once the page is loaded.
    await expect.poll(() => link.boundingBox()).not.toBeNull();
    const mark = await link.boundingBox();
    if (!mark) throw new Error("the mark is not visible");
    // The first tap opens the home page, whose own mark is elsewhere.
    for (let tap = 0; tap < 3; tap += 1) await page.touchscreen.tap(mark.x + mark.width / 2, mark.y + mark.height / 2);
    await expect.poll(() => page.url()).toMatch(/\/notepad$/);
  });
});

describe("a disguise", { tags: "slow" }, () => {
  it("changes title, icon, manifest and notifications on every screen, and tells the server nothing", async () => {
    const { context, page } = await site.open({ serviceWorker: true, notifications: true });
    await logIn(site, context, other);
    await page.goto("/settings#disguise");
    const calls: string[] = [];
    await page.getByRole("radio", { name: "Weather" }).waitFor();
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (/^\/(api|trpc)/.test(pathname)) calls.push(pathname + search + request.postData());
    });
    await page.evaluate(() => {
      Cache.prototype.put = () => Promise.reject(new DOMException("the disk is full", "QuotaExceededError"));
    });
    await page.getByText("Weather", { exact: true }).click();
    await expect.poll(() => page.title()).toBe("Weather");
    await page.getByText("Notifications still look as before").waitFor();
    // The next page has space again.
    await page.goto("/settings#disguise");
    await page.reload();
    await expect
      .poll(() => page.evaluate(async () => (await (await caches.open("face")).match("/face.json"))?.json()))
      .toEqual({ title: "Weather", body: "The forecast has changed", icon: "/icons/weather-192.png" });
    await page.goto("/search/tile");
    await expect.poll(() => page.title()).toBe("Weather");
    const attribute = (selector: string, name: string) => page.locator(selector).getAttribute(name);
    expect(await attribute('link[rel="icon"]', "href")).toBe("/icons/weather-192.png");
    const manifest = await page.evaluate(async () => {
      const response = await fetch("/manifest/weather-en.webmanifest");
      return (await response.json()) as { name: string; short_name: string; icons: { src: string }[] };
    });
    expect(manifest).toMatchObject({ name: "Weather", short_name: "Weather" });
    for (const { src } of manifest.icons) {
      const type = await page.evaluate(async (path) => (await fetch(path)).headers.get("content-type"), src);
      expect(type).toBe("image/png");
    }
    expect(JSON.stringify(manifest)).not.toMatch(/ember/i);
    expect(calls.join("\n")).not.toMatch(/weather|disguise/i);
  });
});
