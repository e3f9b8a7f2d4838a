import { TILES_REFETCH_MS } from "@lambda/contract/limits";
import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn } from "./members.ts";
import { centerOf, makeCrowd, makeNearby, newPlace, swipe } from "./nearby.ts";

const NEAR = "maxDistanceMeters=160934";
const EMPTY = "There are no profiles to show in your area or with any filters yo may have applied.";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

const findLikeType = async (liker: number, liked: number) =>
  (
    await site.sql<{ like_type: string }>(
      "select like_type from profile_like where liker_id = ? and liked_id = ?",
      liker,
      liked,
    )
  )[0]?.like_type;

describe("an empty place", () => {
  it("shows a message in all three searches", async () => {
    const me = await makeNearby(site, newPlace(), "Alone");
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/search/tile?${NEAR}`);
    await page.getByText(EMPTY, { exact: true }).waitFor();
    await page.getByRole("link", { name: "Details", exact: true }).click();
    await page.waitForURL(`**/search/profile?${NEAR}`);
    await page.getByText(EMPTY, { exact: true }).waitFor();
    await page.getByRole("link", { name: "Swype", exact: true }).click();
    await page.getByText("You've reached the end!", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe(`?${NEAR}`);
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("a place with one more member", () => {
  it("shows that member with their distance, and nobody else", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    await makeNearby(site, place, "Bartholomew the Great", 0.3);
    const { page, context } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/search/tile?${NEAR}`);
    await page.getByText("Displayed 1", { exact: true }).waitFor();
    const tile = page.getByRole("link", { name: /^Bartholomew , / });
    expect(await tile.getAttribute("aria-label")).toMatch(/^Bartholomew , \d+, (19|20|21) mi, online(, New)?$/);
    expect(await page.getByRole("button", { name: "Load More" }).count()).toBe(0);
    await context.close();
  });
});

describe("tiles that stay open", () => {
  it("reload when a member nearby changed, and rarely otherwise", async () => {
    const place = newPlace();
    const [me, other] = [await makeNearby(site, place, "Me"), await makeNearby(site, place, "Still", 0.05)];
    const theirs = await site.open();
    await logIn(site, theirs.context, other);
    await theirs.page.goto("/aboutus");
    const { page, context } = await site.open();
    await logIn(site, context, me);
    let requests = 0;
    page.on("request", (request) => {
      if (request.url().includes("positions.nearest")) requests += 1;
    });
    await page.clock.install();
    const frames: string[] = [];
    page.on("websocket", (socket) => {
      if (socket.url().includes("/ws/map")) socket.on("framereceived", ({ payload }) => frames.push(String(payload)));
    });
    const waitForFrame = (type: string) => expect.poll(() => frames.some((frame) => frame.includes(type))).toBe(true);
    await page.goto(`/search/tile?${NEAR}`);
    await page.getByRole("link", { name: /^Still/ }).waitFor();
    await waitForFrame("ready");
    const passInterval = () => page.clock.fastForward(TILES_REFETCH_MS + 1000);
    // Changes before the socket was ready may have been missed, so the tiles reload once.
    await passInterval();
    await expect.poll(() => requests).toBe(2);
    await page.waitForLoadState("networkidle");
    const status = await theirs.page.evaluate(
      async (id) =>
        (
          await fetch("/api/profile", {
            method: "PUT",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ id, profilename: "Stirred" }),
          })
        ).status,
      other.id,
    );
    expect(status).toBeLessThan(300);
    await waitForFrame("around");
    await passInterval();
    const changedTile = page.getByRole("link", { name: /^Stirred/ });
    // The frame may arrive after the interval; two intervals are still shorter than the slow one.
    await changedTile.waitFor({ timeout: 8000 }).catch(passInterval);
    await changedTile.waitFor();
    expect(requests).toBe(3);
    await page.waitForLoadState("networkidle");
    await passInterval();
    await page.waitForLoadState("networkidle");
    expect(requests).toBe(3);
    await Promise.all([context.close(), theirs.context.close()]);
  });
});

describe("a crowded place", () => {
  it("shows 30 tiles per page, loads more on request, and restores the scroll position", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    await makeCrowd(site, await makeNearby(site, place, "Anchor", 0.01), 70);
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/search/tile?${NEAR}`);
    await page.getByText("Displayed 30", { exact: true }).waitFor();
    const columns = () =>
      page
        .locator("ul[aria-label='Guys near you']")
        .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length);
    expect(await columns()).toBe(4);
    // The button fills the last row, whatever the number of columns.
    for (const [width, count] of [
      [390, 4],
      [560, 6],
      [1100, 8],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(columns).toBe(count);
      const last = page.locator("ul[aria-label='Guys near you'] > li:last-child");
      await expect
        .poll(async () => {
          const { x = 0, width: wide = 0 } = (await last.boundingBox()) ?? {};
          return Math.round((wide / width) * count) === count - (30 % count) && Math.abs(x + wide - width) < 100;
        })
        .toBe(true);
    }
    await page.setViewportSize(PHONE);
    await page.getByRole("button", { name: "Load More" }).click();
    await page.getByText("Displayed 60", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Load More" }).press("Enter");
    await page.getByText("Displayed 71", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Load More" }).waitFor({ state: "detached" });

    await page.evaluate(() => scrollTo(0, 900));
    await page.waitForFunction(() => scrollY === 900);
    const { x, y } = { x: 195, y: 400 };
    await page.touchscreen.tap(x, y);
    await page.waitForURL("**/profile/*");
    await page.goBack();
    await page.getByText("Displayed 71", { exact: true }).waitFor();
    await page.waitForFunction(() => Math.abs(scrollY - 900) < 3);

    for (const [width, count] of [
      [180, 2],
      [500, 6],
      [1440, 8],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.waitForFunction(
        (wanted) =>
          getComputedStyle(
            document.querySelector("ul[aria-label='Guys near you']") as Element,
          ).gridTemplateColumns.split(" ").length === wanted,
        count,
      );
    }
    expect(errors).toEqual([]);
    await context.close();
  });

  it("loads ten cards at a time, and renders only cards near the viewport", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    await makeCrowd(site, await makeNearby(site, place, "Anchor", 0.01), 60);
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, me);
    await page.goto(`/search/profile?${NEAR}`);
    const cards = page.getByRole("feed").getByRole("article");
    await cards.first().waitFor();
    expect(await cards.first().getAttribute("aria-posinset")).toBe("1");
    // Scrolls until the end appears, however slow the responses are.
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 2500);
          return page.getByText("You've reached the end!").isVisible();
        },
        { timeout: 60_000, interval: 100 },
      )
      .toBe(true);
    await expect.poll(() => cards.last().getAttribute("aria-posinset")).toBe("61");
    expect(await cards.count()).toBeLessThan(30);
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("filters", () => {
  it("that an address asks for in vain are named, until others are set", async () => {
    const me = await makeNearby(site, newPlace(), "Me");
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto("/search/tile?ageMin=12&ageMax=40&characteristics=bear,<b>me</b>");
    await page.getByText("something we don't have: Characteristics and Youngest.").waitFor();
    const button = page.getByRole("button", { name: "Filters 2 set", exact: true });
    expect((await button.innerText()).replace(/\s+/g, " ")).toBe("Filters 2");
    await page.getByRole("button", { name: "Remove filter Bear" }).click();
    await page.getByText("something we don't have").waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await context.close();
  });

  it("can be set by keyboard, are kept in the URL, and are shared by the searches", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    const bear = await makeNearby(site, place, "Bear", 0.02);
    await makeNearby(site, place, "Otter", 0.03);
    // The bit of the characteristic "bear".
    await site.sql("update profile set characteristics = 8388608 where id = ?", bear.id);
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, me);
    await page.goto(`/search/tile?${NEAR}`);
    await page.getByText("Displayed 2", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Filters 1 set" }).focus();
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("button", { name: "Bear", exact: true }).press("Space");
    await sheet.getByRole("switch", { name: "are online" }).press("Space");
    await sheet.getByRole("button", { name: /^Show/ }).press("Enter");
    await page.getByText("Displayed 1", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe(`?characteristics=bear&${NEAR}&onlineNow=1`);
    await page.getByRole("link", { name: "Swype", exact: true }).press("Enter");
    await page.getByRole("article", { name: /^Card: Bear/ }).waitFor();
    await page.reload();
    await page.getByRole("article", { name: /^Card: Bear/ }).waitFor();
    await page.getByRole("button", { name: "Remove filter Bear" }).press("Enter");
    await page.waitForURL(`**/search/swype?${NEAR}&onlineNow=1`);
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("a star", () => {
  it("is set in a profile's menu, kept with the tags of the note, counted by the filter and taken back", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    await makeNearby(site, place, "Marked", 0.011);
    const other = await makeNearby(site, place, "Other", 0.009);
    await site.sql("update account set ts_created = 1 where id = ?", other.id);
    await site.sql("update profile set ts_seen = ts_seen - 7200000 where id = ?", other.id);
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/search/tile?${NEAR}`);
    const tiles = page.getByRole("list", { name: "Guys near you" }).getByRole("link");
    await tiles.and(page.getByRole("link", { name: /^Marked.*, online, New$/ })).tap();
    const press = async (name: string) => {
      await page.getByRole("button", { name: "Action" }).tap();
      await page.getByRole("menuitem", { name, exact: true }).tap();
    };
    await press("Star");
    await page.getByText("Starred. Only you know.").first().waitFor();
    await page.getByRole("button", { name: "Remove tag ★" }).waitFor();
    await page.goBack();
    // Nearer, but neither online nor new.
    await page.getByRole("link", { name: /^Other, \d+, [\d.,]+ (ft|mi)$/ }).waitFor();
    await page.getByRole("button", { name: "Filters 1 set" }).tap();
    const sheet = page.getByRole("dialog", { name: "Only guys who…" });
    await sheet.getByRole("button", { name: "Show 2", exact: true }).waitFor();
    await sheet.getByRole("switch", { name: "you starred" }).tap();
    await sheet.getByRole("radio", { name: "Large" }).check({ force: true });
    await sheet.getByRole("button", { name: "Show 1", exact: true }).tap();
    await page.getByText("Displayed 1", { exact: true }).waitFor();
    const width = async () => Math.round((await tiles.first().boundingBox())?.width ?? 0);
    expect(await width()).toBe(194);
    await tiles.first().tap();
    await press("Remove star");
    await page.getByText("Star removed.").first().waitFor();
    expect(await site.sql("select 1 from profile_note where author_id = ?", me.id)).toEqual([]);
    await page.goBack();
    await tiles.waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("a filter that hardly anybody matches", () => {
  it("never shows an empty grid beside Load More", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    await makeCrowd(site, await makeNearby(site, place, "Anchor", 0.01), 260);
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    let searches = 0;
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route("**/trpc/**", async (route) => {
      if (route.request().url().includes("positions.nearest")) searches += 1;
      if (searches === 2) await held;
      await route.continue();
    });
    await page.goto(`/search/tile?ageMin=79&${NEAR}`);
    // The first page found nobody, and the next is on its way.
    await expect.poll(() => searches).toBe(2);
    await page.getByRole("status", { name: "Loading men near you" }).waitFor();
    expect(await page.getByRole("button", { name: "Load More" }).count()).toBe(0);
    goOn();
    await page.getByText(EMPTY, { exact: true }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("Swype", () => {
  async function makeThreeMembers() {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    const members = [];
    for (const [index, name] of ["Adam", "Ben", "Carl"].entries()) {
      members.push(await makeNearby(site, place, name, 0.01 * (index + 1)));
    }
    return { me, members };
  }

  it("works by touch: right likes, left dislikes, up does nothing, down skips", async () => {
    const { me, members } = await makeThreeMembers();
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/search/swype?${NEAR}`);
    const card = (name: string) => page.getByRole("article", { name: new RegExp(`^Card: ${name}`) });
    const top = "[data-depth='0']";
    await card("Adam").waitFor();
    await swipe(page, await centerOf(page, top), { x: 0, y: -300 });
    await swipe(page, await centerOf(page, top), { x: 30, y: 0 });
    await page.waitForFunction((selector) => !document.querySelector<HTMLElement>(selector)?.style.transform, top);
    expect(await findLikeType(me.id, members[0]?.id ?? 0)).toBeUndefined();

    await swipe(page, await centerOf(page, top), { x: 220, y: 10 });
    await page.locator(top).getByRole("article", { name: /Ben/ }).waitFor();
    await swipe(page, await centerOf(page, top), { x: -220, y: 10 });
    await page.locator(top).getByRole("article", { name: /Carl/ }).waitFor();
    await swipe(page, await centerOf(page, top), { x: 0, y: 220 });
    await page.getByText("You've reached the end!", { exact: true }).waitFor();
    await expect
      .poll(() => Promise.all(members.map((member) => findLikeType(me.id, member.id))))
      .toEqual(["LIKE", "DISLIKE", undefined]);

    // Skipped members come back, liked and disliked ones do not.
    await page.getByRole("button", { name: "Start over" }).click();
    await card("Carl").waitFor();
    expect(await card("Adam").count()).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("works by keyboard and buttons alone, and can undo the last swipe", async () => {
    const { me, members } = await makeThreeMembers();
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, me);
    await page.goto(`/search/swype?${NEAR}`);
    const top = page.locator("[data-depth='0']").getByRole("article");
    await top.and(page.getByRole("article", { name: /Adam/ })).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowRight");
    await top.and(page.getByRole("article", { name: /Ben/ })).waitFor();
    await expect.poll(() => findLikeType(me.id, members[0]?.id ?? 0)).toBe("LIKE");
    await page.getByRole("button", { name: "Undo" }).click();
    await top.and(page.getByRole("article", { name: /Adam/ })).waitFor();
    await expect.poll(() => findLikeType(me.id, members[0]?.id ?? 0)).toBe("UNDETERMINED");
    await page.getByRole("button", { name: "Meh", exact: true }).press("Enter");
    await top.and(page.getByRole("article", { name: /Ben/ })).waitFor();
    await page.getByRole("button", { name: "Skip", exact: true }).press("Enter");
    await top.and(page.getByRole("article", { name: /Carl/ })).waitFor();
    await expect.poll(() => findLikeType(me.id, members[0]?.id ?? 0)).toBe("DISLIKE");
    await page.getByRole("button", { name: "View Profile / Chat" }).press("Enter");
    await page.waitForURL(`**/profile/${members[2]?.id}`);
    await page.getByRole("button", { name: "Like", exact: true }).click();
    await expect.poll(() => findLikeType(me.id, members[2]?.id ?? 0)).toBe("LIKE");
    // A press on the card would take that like back.
    await page.goBack();
    await page.getByText("You've reached the end!", { exact: true }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it("brings the card back when the like could not be saved", { tags: "slow" }, async () => {
    const { me } = await makeThreeMembers();
    const { page, context } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/search/swype?${NEAR}`);
    await page.getByRole("article", { name: /^Card: Adam/ }).waitFor();
    await page.route(/\/trpc\/[^?]*likes\.put/, (route) => route.abort());
    await page.getByRole("button", { name: "Nice", exact: true }).tap();
    await page.getByText("You seem to be offline. Check your connection and try again.").first().waitFor();
    await page.locator("[data-depth='0']").getByRole("article", { name: /Adam/ }).waitFor();
    await context.close();
  });

  it("takes the card away again when the undo could not be saved", { tags: "slow" }, async () => {
    const { me, members } = await makeThreeMembers();
    const { page, context } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/search/swype?${NEAR}`);
    await page.getByRole("article", { name: /^Card: Adam/ }).waitFor();
    await page.getByRole("button", { name: "Nice", exact: true }).tap();
    await expect.poll(() => findLikeType(me.id, members[0]?.id ?? 0)).toBe("LIKE");
    await page.route(/\/trpc\/[^?]*likes\.put/, (route) => route.abort());
    await page.getByRole("button", { name: "Undo" }).tap();
    await page.getByText("You seem to be offline. Check your connection and try again.").first().waitFor();
    await page.locator("[data-depth='0']").getByRole("article", { name: /Ben/ }).waitFor();
    await context.close();
  });
});
