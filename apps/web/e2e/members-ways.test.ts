import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { type BrowserMember, logIn } from "./members.ts";
import { makeCrowd, makeNearby, newPlace, swipe } from "./nearby.ts";
import { openFold } from "./page-actions.ts";

/** The four lists of likes and the searches by touch alone and by keyboard alone. Swype is tested in members-search.test.ts. */
const NEAR = "maxDistanceMeters=160934";
const LISTS = [
  ["profilelikedyou", "Liked You"],
  ["profilelikedyourpics", "Your Pics"],
  ["youlikedprofile", "You Liked"],
  ["youlikedprofilepics", "Their Pics"],
] as const;

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

interface LikesScene {
  readonly me: BrowserMember;
  readonly fan: BrowserMember;
  readonly picture: number;
}

/** A member with 45 likes in each of three lists and one in Their Pics; Fan is the newest and the nearest of them. */
async function makeLikesScene(): Promise<LikesScene> {
  const place = newPlace();
  const me = await makeNearby(site, place, "Me");
  const fan = await makeNearby(site, place, "Fan", 0.005);
  await makeCrowd(site, fan, 44);
  await site.sql(
    "update position set key = (select key from position where profile_id = ?) + 3 where profile_id = ?",
    ...[me.id, fan.id],
  );
  const all = [fan.id, fan.id] as const;
  const picture = async (owner: number) => {
    const [row] = await site.sql<{ id: number }>(
      "insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated) values (?, 'public', 8, 10, 1, 1, 1) returning id",
      owner,
    );
    await site.sql("update profile set pics_public = ? where id = ?", `[${row?.id}]`, owner);
    return row?.id ?? 0;
  };
  const [mine, theirs] = [await picture(me.id), await picture(fan.id)];
  const between = "from profile where id >= ? and id <= ? + 44";
  for (const [query, ...values] of [
    [
      `insert into profile_like (liker_id, liked_id, like_type, ts_created) select id, ?, 'LIKE', 9000 - id ${between}`,
      me.id,
      ...all,
    ],
    [
      `insert into profile_like (liker_id, liked_id, like_type, ts_created) select ?, id, 'LIKE', 9000 - id ${between}`,
      me.id,
      ...all,
    ],
    [`insert into picture_like select id, ?, ?, 'LIKE', 9000 - id ${between}`, mine, me.id, ...all],
    ["insert into picture_like values (?, ?, ?, 'LIKE', 1)", me.id, theirs, fan.id],
  ] as const) {
    await site.sql(query, ...values);
  }
  return { me, fan, picture: theirs };
}

/** Presses Tab until a control with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
    });
    if (name.test(focused)) return;
  }
  throw new Error(`${name} was not reached by Tab`);
}

/** Scrolls down by touch until a text is visible. */
async function swipeUpTo(page: Page, text: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await swipe(page, { x: 195, y: 640 }, { x: 0, y: -420 });
        return page.getByText(text, { exact: true }).isVisible();
      },
      { timeout: 60_000, interval: 50 },
    )
    .toBe(true);
}

/** Scrolls to the top until the page stays there: a swipe keeps scrolling, and a tap during that would only stop it. */
async function stopAtTop(page: Page): Promise<void> {
  const scrollToTop = () =>
    page.evaluate(async () => {
      scrollTo(0, 0);
      await new Promise((done) => setTimeout(done, 200));
      return scrollY;
    });
  await expect.poll(scrollToTop).toBe(0);
}

describe("touch alone", () => {
  it("opens the four lists, loads more, likes, and opens profiles and pictures", { tags: "slow" }, async () => {
    const { me, fan, picture } = await makeLikesScene();
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto("/likes/youlikedprofile");
    const tabs = page.getByRole("navigation", { name: "Likes" });
    for (const [path, tab] of LISTS) {
      await tabs.getByRole("link", { name: tab, exact: true }).tap();
      await page.waitForURL(`**/likes/${path}`);
      await page.getByRole("listitem").first().waitFor();
      await swipeUpTo(page, "That's all folks...");
      await stopAtTop(page);
    }
    await page.getByRole("link", { name: /^Fan, \d+, < 500 ft/ }).tap();
    await page.waitForURL(`**/profilePicCarousel?profileId=${fan.id}&id=${picture}&ids=${picture}`);

    await page.goto("/likes/youlikedprofile");
    await page.getByRole("button", { name: "Remove Like for Fan", exact: true }).tap();
    await page.getByRole("button", { name: "Like Fan", exact: true }).waitFor();
    await expect
      .poll(() => site.sql("select like_type from profile_like where liker_id = ? and liked_id = ?", me.id, fan.id))
      .toEqual([{ like_type: "DISLIKE" }]);
    // The row stays, so that an accidental press can be taken back.
    const saved = page.waitForResponse(/likes\.put/);
    await page.getByRole("button", { name: "Like Fan", exact: true }).tap();
    await saved;
    await page.waitForLoadState("networkidle");
    await page.getByRole("button", { name: "Remove Like for Fan", exact: true }).waitFor();
    await page.goto("/likes/profilelikedyou");
    const row = page.getByRole("link", { name: /^Fan/ });
    await row.getByText(/^\d+ · < 500 ft$/).waitFor();
    await row.tap();
    await page.waitForURL(`**/profile/${fan.id}`);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("loads more tiles and details, opens profiles, and sets a filter", { tags: "slow" }, async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    const anchor = await makeNearby(site, place, "Anchor", 0.01);
    await makeCrowd(site, anchor, 40);
    await site.sql("update profile set characteristics = 8388608 where id = ?", anchor.id);
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/search/tile?${NEAR}`);
    await page.getByText("Displayed 30", { exact: true }).waitFor();
    await swipeUpTo(page, "Load More");
    await page.getByRole("button", { name: "Load More" }).tap();
    await page.getByText("Displayed 41", { exact: true }).waitFor();

    await stopAtTop(page);
    await page.getByRole("link", { name: "Details", exact: true }).tap();
    await page.getByRole("feed").getByRole("article").first().waitFor();
    await swipeUpTo(page, "You've reached the end!");
    await stopAtTop(page);
    await page.getByRole("button", { name: "Filters 1 set" }).tap();
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("button", { name: "Bear", exact: true }).tap();
    await sheet.getByRole("button", { name: /^Show/ }).tap();
    await page.getByRole("article", { name: /^Anchor/ }).waitFor();
    await expect.poll(() => page.getByRole("article").count()).toBe(1);
    await page.getByRole("article", { name: /^Anchor/ }).tap();
    await page.waitForURL(`**/profile/${anchor.id}`);
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("the keyboard alone", () => {
  it("opens the four lists, likes, and opens profiles", async () => {
    const { me, fan } = await makeLikesScene();
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, me);
    await page.goto("/likes/youlikedprofilepics");
    await page.getByRole("listitem").first().waitFor();
    for (const [path, tab] of LISTS) {
      await page.locator("main").focus();
      await tabTo(page, new RegExp(`^${tab}$`));
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/likes/${path}`);
      await page.getByRole("listitem").first().waitFor();
    }
    await page.goto("/likes/profilelikedyou");
    await page.getByRole("button", { name: "Remove Like for Fan", exact: true }).waitFor();
    await tabTo(page, /^Remove Like for Fan$/);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Like Fan", exact: true }).waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/profile/${fan.id}`);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("loads more tiles and details, and opens profiles", { tags: "slow" }, async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    const anchor = await makeNearby(site, place, "Anchor", 0.01);
    await makeCrowd(site, anchor, 35);
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, me);
    await page.goto(`/search/tile?${NEAR}`);
    await page.getByText("Displayed 30", { exact: true }).waitFor();
    await tabTo(page, /^Load More$/);
    await page.keyboard.press("Enter");
    await page.getByText("Displayed 36", { exact: true }).waitFor();
    await page.locator("main").focus();
    await tabTo(page, /^Anchor, /);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/profile/${anchor.id}`);

    await page.goto(`/search/profile?${NEAR}`);
    const cards = page.getByRole("feed").getByRole("article");
    await cards.first().waitFor();
    // Tabbing through the cards loads the next ten.
    const card25 = page.locator("[aria-posinset='25'] a:focus");
    const inFeed = page.getByRole("feed").locator(":focus");
    await expect
      .poll(
        async () => {
          await page.keyboard.press("Tab");
          // After the last card, Tab leaves the page or wraps to its start, so the focus is put back.
          if ((await inFeed.count()) === 0) await cards.last().getByRole("link").last().focus();
          return card25.count();
        },
        { timeout: 60_000, interval: 20 },
      )
      .toBe(1);
    const path = await card25.getAttribute("href");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${path}`);
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("badges on tiles", () => {
  it("show likes and unread messages, and disappear when those end", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    const [liked, writer] = [
      await makeNearby(site, place, "Liked", 0.01),
      await makeNearby(site, place, "Writer", 0.02),
    ];
    await site.sql(
      "insert into profile_like (liker_id, liked_id, like_type, ts_created) values (?, ?, 'LIKE', 1)",
      ...[me.id, liked.id],
    );
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/search/tile?${NEAR}`);
    await page.getByRole("link", { name: /^Liked, .*online.*, you like him/ }).waitFor();
    const other = await site.open();
    await logIn(site, other.context, writer);
    await other.page.goto(`/chat/personal?with=${me.id}`);
    await other.page.getByRole("textbox", { name: "Message" }).fill("Good evening");
    await other.page.getByRole("button", { name: "Send" }).tap();
    // The badge arrives over the socket, without a reload.
    await page.getByRole("link", { name: /^Writer, .*online.*, unread message/ }).waitFor();
    await other.context.close();

    await page.getByRole("link", { name: /^Liked,/ }).tap();
    await page.getByRole("button", { name: "Remove Like", exact: true }).tap();
    await page.getByRole("button", { name: "Like", exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: /^Liked, (?!.*you like him)/ }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("characteristics", () => {
  it("are shown in Spanish, but stored and filtered by their English keys", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Yo");
    const { page, context, errors } = await site.open({ viewport: DESKTOP, locale: "es-ES" });
    await logIn(site, context, me);
    await page.goto("/profileEdit");
    await openFold(page, "Características");
    await page.getByRole("group", { name: "Comunidad" }).getByLabel("Oso", { exact: true }).press("Space");
    await expect
      .poll(() => site.sql("select characteristics from profile where id = ?", me.id))
      .toEqual([{ characteristics: 8388608 }]);
    const bear = await makeNearby(site, place, "Oso", 0.01);
    await site.sql("update profile set characteristics = 8388608 where id = ?", bear.id);
    await page.goto(`/search/profile?${NEAR}`);
    await page.getByRole("article", { name: /^Oso/ }).getByText("Oso", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Filtros 1 activo" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Oso", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Mostrar" }).click();
    await page.waitForURL(`**/search/profile?characteristics=bear&${NEAR}`);
    await page.getByRole("button", { name: "Quitar el filtro Oso" }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("navigation to a profile and back", () => {
  /** Records for each view transition how many pictures were named on the page before it. */
  const recordTransitions = () => {
    const countNamed = () =>
      [...document.querySelectorAll<HTMLElement>("main a[href^='/profile/'] [data-picture]")].filter(
        (picture) => picture.style.viewTransitionName === "member-picture",
      ).length;
    const counts: number[] = [];
    Object.assign(window, { transitions: counts });
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = ((change: () => Promise<void>) => {
      counts.push(countNamed());
      return start(change);
    }) as typeof document.startViewTransition;
  };
  const transitions = (page: Page) => page.evaluate(() => (window as unknown as { transitions: number[] }).transitions);
  /** The picture in the profile that the transition ends at. */
  const target = (page: Page) => page.locator("main [data-picture][style*='member-picture']");

  it.each([
    ["tiles", `/search/tile?${NEAR}`, 200, 150],
    ["details", `/search/profile?${NEAR}`, 400, 60],
    ["likes", "/likes/profilelikedyou", 400, 150],
  ])(
    "from %s animates the picture, and returns to the same scroll position",
    { tags: "slow" },
    async (_, path, depth, x) => {
      const { me } = await makeLikesScene();
      const { page, context, errors } = await site.open({ motion: true });
      await context.addInitScript(recordTransitions);
      await logIn(site, context, me);
      await page.goto(path);
      await page.waitForFunction((wanted) => document.documentElement.scrollHeight > wanted + innerHeight, depth);
      await page.evaluate((wanted) => scrollTo(0, wanted), depth);
      await page.waitForFunction((wanted) => scrollY === wanted, depth);
      // Rows are rendered when they scroll into view.
      const y = await (
        await page.waitForFunction((column) => {
          const isLink = (height: number) =>
            document.elementFromPoint(column, height)?.closest("main a[href^='/profile/']");
          return [420, 460, 500, 380, 340, 540].find(isLink);
        }, x)
      ).jsonValue();
      await page.touchscreen.tap(x, y ?? 0);
      await page.waitForURL("**/profile/*");
      await page.waitForFunction(() => scrollY === 0);
      await target(page).waitFor();
      expect(await transitions(page)).toEqual([1]);
      await page.goBack();
      await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 3, depth);
      expect(errors).toEqual([]);
      await context.close();
    },
  );

  it("fades instead when reduced motion is preferred", { tags: "slow" }, async () => {
    const { me } = await makeLikesScene();
    const { page, context } = await site.open();
    await context.addInitScript(recordTransitions);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await logIn(site, context, me);
    await page.goto(`/search/tile?${NEAR}`);
    await page.getByRole("link", { name: /^Fan/ }).tap();
    await page.waitForURL("**/profile/*");
    await target(page).waitFor();
    expect(await transitions(page)).toEqual([0]);
    await context.close();
  });

  it("shows the data from the list at once, while the profile loads", async () => {
    const { me, fan } = await makeLikesScene();
    const { page, context } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/search/tile?${NEAR}`);
    const gate = Promise.withResolvers<void>();
    await page.route(/\/trpc\/.*profiles\.get/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.getByRole("link", { name: /^Fan/ }).tap();
    await page.waitForURL(`**/profile/${fan.id}`);
    await page.getByRole("heading", { level: 1, name: /^Fan/ }).waitFor();
    const pictures = page.getByRole("region", { name: "Pictures" });
    expect(await pictures.count()).toBe(0);
    gate.resolve();
    await pictures.waitFor();
    await context.close();
  });
});
