import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";
import { makeCrowd, makeNearby, newPlace } from "./nearby.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

/** Opens a browser of a member whom 45 members like: three pages. */
async function openLikes() {
  const place = newPlace();
  const me = await makeNearby(site, place, "Me");
  const fan = await makeNearby(site, place, "First Fan", 0.01);
  await makeCrowd(site, fan, 44);
  await site.sql(
    "insert into profile_like (liker_id, liked_id, like_type, ts_created) select id, ?, 'LIKE', 1000 + id from profile where id >= ? and id <= ? + 44",
    ...[me.id, fan.id, fan.id],
  );
  const opened = await site.open({ viewport: DESKTOP });
  await logIn(site, opened.context, me);
  return { me, ...opened };
}

/** Scrolls down a bit. Returns whether `end` is visible. */
async function scrollTowards(page: Page, end: Locator): Promise<boolean> {
  await page.mouse.wheel(0, 1500);
  return end.isVisible();
}

describe("likes", () => {
  it("shows a hint in each empty list", async () => {
    const me = await makeMember(site);
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto("/likes/profilelikedyou");
    await page.getByText("Some day your prince will come...", { exact: true }).waitFor();
    for (const [tab, text] of [
      ["Your Pics", "Some day your prince will come..."],
      ["You Liked", "Have no suitors have caught your eye?"],
      ["Their Pics", "Have no suitors have caught your eye?"],
    ] as const) {
      await page.getByRole("navigation", { name: "Likes" }).getByRole("link", { name: tab }).tap();
      await page.getByText(text, { exact: true }).waitFor();
    }
    expect(new URL(page.url()).pathname).toBe("/likes/youlikedprofilepics");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("lists likes 20 per page, likes back by keyboard, and ends with a closing line", async () => {
    const { me, page, context, errors } = await openLikes();
    const requests: string[] = [];
    page.on("request", (request) => request.url().includes("likes.briefs") && requests.push(request.url()));
    await page.goto("/likes/profilelikedyou");
    const rows = page.getByRole("listitem");
    await rows.first().waitFor();
    const heart = page.getByRole("button", { name: "Like Member 44", exact: true });
    await heart.press("Enter");
    await page.getByRole("button", { name: "Remove Like for Member 44", exact: true }).waitFor();
    await expect
      .poll(() => site.sql("select mutual from profile_like where liker_id = ?", me.id))
      .toEqual([{ mutual: 1 }]);
    const end = page.getByText("That's all folks...", { exact: true });
    await expect.poll(() => scrollTowards(page, end), { timeout: 20_000 }).toBe(true);
    await page.getByRole("link", { name: /First Fan/ }).waitFor();
    expect(requests.length).toBeGreaterThanOrEqual(3);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("shows what is stored after a press that failed", { tags: "slow" }, async () => {
    const place = newPlace();
    const [me, other] = [await makeNearby(site, place, "Me"), await makeNearby(site, place, "Bruno", 0.01)];
    await site.sql(
      "insert into profile_like (liker_id, liked_id, like_type, ts_created) values (?, ?, 'LIKE', 1)",
      me.id,
      other.id,
    );
    const { page, context } = await site.open();
    await logIn(site, context, me);
    await page.goto("/likes/youlikedprofile");
    const saved = page.waitForResponse(/likes\.put/);
    await page.getByRole("button", { name: "Remove Like for Bruno" }).tap();
    await saved;
    await page.route(/likes\.put/, (route) => route.abort());
    const like = page.getByRole("button", { name: "Like Bruno", exact: true });
    await like.tap();
    await page.getByText("You seem to be offline. Check your connection and try again.").first().waitFor();
    await like.waitFor();
    await context.close();
  });

  it("offers to load a page again that failed", { tags: "slow" }, async () => {
    const { page, context } = await openLikes();
    let isFailing = true;
    await page.route(/likes\.briefs.*cursor/, (route) =>
      isFailing ? route.fulfill({ status: 403, body: "A proxy refuses this." }) : route.continue(),
    );
    await page.goto("/likes/profilelikedyou");
    const retry = page.getByRole("button", { name: "Try again" });
    await expect.poll(() => scrollTowards(page, retry)).toBe(true);
    isFailing = false;
    await retry.click();
    await expect.poll(() => scrollTowards(page, page.getByText("That's all folks...", { exact: true }))).toBe(true);
    await context.close();
  });

  it("loads further pages although a saved like refetches the list just when the next page is requested", {
    tags: "slow",
  }, async () => {
    const { page, context, errors } = await openLikes();
    await page.addInitScript(simulateBusyPage);
    await page.goto("/likes/profilelikedyou");
    const heart = page.getByRole("button", { name: "Like Member 44", exact: true });
    await heart.waitFor();
    await page.evaluate(() => Object.assign(window, { isBusy: true }));
    await heart.press("Enter");
    const end = page.getByText("That's all folks...", { exact: true });
    await expect.poll(() => scrollTowards(page, end), { timeout: 20_000 }).toBe(true);
    expect(errors).toEqual([]);
    await context.close();
  });
});

/** Delays timers, and answers to likes until the list has asked for its next page. */
function simulateBusyPage(): void {
  const page = window as unknown as { isBusy?: boolean };
  const { fetch, setTimeout, IntersectionObserver } = window;
  let onNextPage: () => void = () => undefined;
  const nextPage = new Promise<void>((resolve) => (onNextPage = resolve));
  window.setTimeout = ((act: () => void, ms = 0) => setTimeout(act, page.isBusy ? ms + 500 : ms)) as typeof setTimeout;
  window.fetch = async (...args) => {
    const response = await fetch(...args);
    if (String(args[0]).includes("likes.put")) await nextPage;
    return response;
  };
  window.IntersectionObserver = class extends IntersectionObserver {
    constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      super((entries, observer) => {
        callback(entries, observer);
        if (page.isBusy && options?.rootMargin && entries.some((entry) => entry.isIntersecting)) onNextPage();
      }, options);
    }
  };
}
