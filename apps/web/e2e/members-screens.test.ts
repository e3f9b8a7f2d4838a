/** Layout of the members' screens, and texts that must match what is shown. */
import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it, test } from "vitest";
import { apiFor, type BrowserMember, logIn, makeMember } from "./members.ts";
import { makeCrowd, makeNearby, newPlace } from "./nearby.ts";
import { holdRequests } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, RED } from "./picture-members.ts";

const NEAR = "maxDistanceMeters=160934";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

async function uploadPictures(
  member: BrowserMember,
  options: { audience?: string; nsfw?: boolean }[],
): Promise<number[]> {
  const api = await apiFor(site, member);
  const ids: number[] = [];
  for (const [index, option] of options.entries()) {
    const color = [RED, GREEN, BLUE][index % 3] ?? RED;
    ids.push((await api.upload(await makeQuartersPicture(80, 100, [color, color, color, color]), option)).id);
  }
  return ids;
}

test("home shows who is new, then the nearest with a picture, those online first, what is new and how many are online", async () => {
  const place = newPlace();
  const me = await makeNearby(site, place, "Me");
  const asleep = await makeNearby(site, place, "Asleep", 0.005);
  const awake = await makeNearby(site, place, "Awake", 0.02);
  const faceless = await makeNearby(site, place, "Faceless", 0.003);
  const settled = await makeNearby(site, place, "Settled", 0.001);
  for (const one of [asleep, awake, settled]) await uploadPictures(one, [{}]);
  await site.sql("update account set ts_created = 1 where id = ?", settled.id);
  await site.sql("update profile set ts_seen = ts_seen - 7200000 where id = ?", asleep.id);
  const post = async (sender: BrowserMember, method: string, path: string, body: object) => {
    const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    expect((await (await apiFor(site, sender)).fetch(path, init)).ok).toBe(true);
  };
  await post(faceless, "POST", "/api/message", { recipientProfileId: me.id, bodyText: "Anybody awake?" });
  await post(awake, "PUT", "/api/profile-like", { likedProfileId: me.id, likeType: "LIKE" });
  const { page, context, errors } = await site.open();
  await logIn(site, context, me);
  await page.goto("/");
  const faces = page.getByRole("list", { name: "Nearest to you" }).getByRole("link");
  await faces.nth(2).waitFor();
  expect(
    await faces.evaluateAll((links) => links.map((link) => link.getAttribute("aria-label")?.split(",")[0])),
  ).toEqual(["Awake", "Asleep", "Settled"]);
  const map = page.getByRole("main").getByRole("link", { name: /Gaydar Map/ });
  await expect.poll(() => map.innerText()).toMatch(/[1-4] of the nearest (is|are) online now\./);
  const news = page.getByRole("region", { name: "New for you" });
  await news.getByRole("link", { name: /Awake likes you/ }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.getByRole("link", { name: "3 new near you this week" }).getAttribute("href")).toBe(
    "/search/tile?maxDistanceMeters=40234&newHere=1",
  );
  await news.getByRole("link", { name: /Anybody awake\?/ }).tap();
  await page.waitForURL(`**/chat/personal?with=${faceless.id}`);
  expect(errors).toEqual([]);
  await context.close();
});

test("a word of 83 letters does not make a profile wider than a phone", { tags: "slow" }, async () => {
  const [me, other] = [await makeMember(site), await makeMember(site, { name: "Poet" })];
  const word = `https://example.test/${"long".repeat(16)}`.slice(0, 83);
  await site.sql("update profile set description = ? where id = ?", `See ${word} and so on.`, other.id);
  const { page, context } = await site.open();
  await logIn(site, context, me);
  await page.goto(`/profile/${other.id}`);
  await page.getByText(/^See https/).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  expect((await page.getByText(/^See https/).boundingBox())?.width).toBeLessThanOrEqual(PHONE.width);
  await context.close();
});

describe.each([
  ["a phone", PHONE],
  ["a desktop", DESKTOP],
])("on %s", { tags: "slow" }, (_, viewport) => {
  const boxes = async (page: Page, navigation: string) => {
    const links = page.getByRole("navigation", { name: navigation, exact: true }).getByRole("link");
    await links.first().waitFor();
    return Promise.all((await links.all()).map((link) => link.boundingBox()));
  };

  it.each([
    ["Views", "Tiles", ["/search/tile", "/search/swype", "/search/profile"]],
    ["Chat rooms", "Chat", ["/chat/personal", "/chat/broadcast"]],
    [
      "Likes",
      "Likes",
      ["/likes/profilelikedyou", "/likes/profilelikedyourpics", "/likes/youlikedprofile", "/likes/youlikedprofilepics"],
    ],
  ])(
    "the tabs of %s do not move when another one is opened, and keep their place current",
    async (navigation, tab, paths) => {
      const place = newPlace();
      const me = await makeNearby(site, place, "Me");
      await makeNearby(site, place, "Neighbour", 0.01);
      const { page, context } = await site.open({ viewport });
      await logIn(site, context, me);
      const layouts: unknown[] = [];
      for (const path of paths) {
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        await page.evaluate(async () => void (await document.fonts.ready));
        const place = page.getByRole("navigation", { name: "Main destinations" }).locator("[aria-current=page]");
        // The phone's tabs are its title.
        const title = await page.getByRole("heading", { level: 1 }).boundingBox();
        layouts.push([await boxes(page, navigation), await place.allInnerTexts(), title!.width > 20]);
      }
      expect(layouts).toEqual(paths.map(() => [expect.anything(), [tab], viewport === DESKTOP]));
      expect(layouts).toEqual(paths.map(() => layouts[0]));
      await context.close();
    },
  );
});

describe("filters", () => {
  it("survive navigation by the bottom bar until they are cleared, and never show members of the previous filter", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    const bear = await makeNearby(site, place, "Bear", 0.02);
    await makeNearby(site, place, "Otter", 0.03);
    // The bit of the characteristic "bear".
    await site.sql("update profile set characteristics = 8388608 where id = ?", bear.id);
    const { page, context } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/search/tile?${NEAR}`);
    await page.getByRole("link", { name: /^Otter/ }).waitFor();

    const release = await holdRequests(page, /positions\.nearest/);
    await page.getByRole("button", { name: "Filters 1 set" }).tap();
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("button", { name: "Bear", exact: true }).tap();
    await sheet.getByRole("button", { name: /^Show/ }).tap();
    await page.getByRole("button", { name: "Remove filter Bear" }).waitFor();
    expect(await page.getByRole("link", { name: /^Otter/ }).count()).toBe(0);
    release();
    await page.getByText("Displayed 1", { exact: true }).waitFor();

    const bar = page.getByRole("navigation", { name: "Main destinations" });
    await bar.getByRole("link", { name: "Likes" }).tap();
    await page.waitForURL("**/likes/*");
    await bar.getByRole("link", { name: "Tiles" }).tap();
    await page.getByRole("button", { name: "Remove filter Bear" }).waitFor();
    await page.waitForURL(`**/search/tile?characteristics=bear&${NEAR}`);

    await page.getByRole("button", { name: "Remove filter Bear" }).tap();
    await page.getByRole("button", { name: /^Remove filter Within/ }).tap();
    await page.waitForURL((url) => url.search === "");
    await bar.getByRole("link", { name: "Likes" }).tap();
    await page.waitForURL("**/likes/*");
    await bar.getByRole("link", { name: "Tiles" }).tap();
    await page.getByRole("link", { name: /^Otter/ }).waitFor();
    expect(new URL(page.url()).search).toBe("");
    await context.close();
  });
});

test("Details by Distance shows the complete profile", async () => {
  const place = newPlace();
  const me = await makeNearby(site, place, "Me");
  const other = await makeNearby(site, place, "Writer", 0.01);
  await uploadPictures(other, [{}, {}, {}]);
  const lines = Array.from({ length: 20 }, (_, line) => `Line ${line + 1} of what I have to say.`);
  // Twelve characteristics.
  await site.sql(
    "update profile set description = ?, characteristics = 4095 where id = ?",
    `${lines.join("\n")}\nThe end.`,
    other.id,
  );
  const { page, context } = await site.open();
  await logIn(site, context, me);
  await page.goto(`/search/profile?${NEAR}`);
  const card = page.getByRole("article", { name: /Writer/ });
  const text = card.getByText("Line 1 of what");
  await text.waitFor();
  const hiddenHeight = await text.evaluate((element) => element.scrollHeight - element.clientHeight);
  expect(hiddenHeight).toBe(0);
  expect(await text.innerText()).toContain("The end.");
  expect(await card.locator("[data-picture]").count()).toBe(3);
  expect(await card.getByRole("group").locator("span").count()).toBe(12);
  await context.close();
});

describe("rating pictures by swipe", () => {
  it("includes the pictures before the starting one, and removes disliked pictures from Their Pics at once", async () => {
    const [me, owner] = [await makeMember(site), await makeMember(site, { name: "Owner" })];
    const ids = await uploadPictures(owner, [{}, {}, {}]);
    const { page, context } = await site.open();
    await logIn(site, context, me);
    const liked = async () => {
      const rows = await site.sql<{ id: number }>("select picture_id id from picture_like where liker_id = ?", me.id);
      return rows.map(({ id }) => id).sort();
    };
    await page.goto(`/profilePicRateSwipe?profileId=${owner.id}&startProfilePicId=${ids[1]}`);
    const [first, second, third] = ids as [number, number, number];
    for (const expected of [[second], [second, third], [first, second, third]]) {
      await page.getByRole("button", { name: "Nice" }).tap();
      await expect.poll(liked).toEqual(expected);
    }
    await page.getByText("You've reached the end!").waitFor();

    await page.goto("/likes/youlikedprofilepics");
    const tiles = page.getByRole("link", { name: /^Owner/ });
    await expect.poll(() => tiles.count()).toBe(3);
    await tiles.first().tap();
    await page.getByRole("link", { name: "Rate", exact: true }).tap();
    await page.getByRole("button", { name: "Meh" }).tap();
    await page.goBack();
    await page.goBack();
    await expect.poll(() => tiles.count()).toBe(2);
    await context.close();
  });

  it("does not let members rate their own pictures", async () => {
    const me = await makeMember(site);
    await uploadPictures(me, [{}]);
    const { page, context } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/profilePicRateSwipe?profileId=${me.id}`);
    await page.getByText("These are your own pictures.").waitFor();
    expect(await page.getByRole("button", { name: "Nice" }).count()).toBe(0);
    await context.close();
  });
});

test("Edit Profile says that NSFW pictures are hidden, not that there are none", async () => {
  const me = await makeMember(site);
  await uploadPictures(me, [{}, { audience: "private", nsfw: true }]);
  const { page, context } = await site.open();
  await logIn(site, context, me);
  await page.goto("/profileEdit");
  await page.getByText("1 NSFW picture is hidden.").first().waitFor();
  expect(await page.getByText("No private pics").count()).toBe(0);
  await context.close();
});

test("hidden members are reminded of it at home and above the searches", { tags: "slow" }, async () => {
  const me = await makeNearby(site, newPlace(), "Hider");
  const { page, context } = await site.open();
  await logIn(site, context, me);
  const notice = page.getByText("You're hiding: nobody sees you.");
  await page.goto("/search/tile");
  await page.getByRole("navigation", { name: "Views" }).waitFor();
  expect(await notice.count()).toBe(0);
  await site.sql("update profile set hidden = 1 where id = ?", me.id);
  for (const path of ["/", "/search/tile", "/search/swype", "/search/profile"]) {
    await page.goto(path);
    await notice.waitFor();
  }
  await context.close();
});

test("a report needs a rule and a text, and a second report says that it was added to the first", async () => {
  const [me, other] = [await makeMember(site), await makeMember(site, { name: "Rude" })];
  const { page, context } = await site.open();
  await logIn(site, context, me);
  await page.goto(`/profile/${other.id}`);
  const open = async () => {
    await page.getByRole("button", { name: "Action" }).tap();
    await page.getByRole("menuitem", { name: "Report Violation" }).tap();
  };
  const send = () => page.getByRole("button", { name: "Report", exact: true }).tap();
  await open();
  await send();
  await page.getByText("Say in a few words what happened").waitFor();
  await page.getByText("Say which rule this breaks.").waitFor();
  expect(await site.sql("select id from report where subject_id = ?", other.id)).toEqual([]);
  await page.getByLabel("What's wrong?").selectOption("spam");
  await page.getByLabel("What happened?").fill("Sells watches.");
  await send();
  await page.getByText("Thank you. Your report is on its way.").first().waitFor();
  await open();
  await page.getByLabel("What's wrong?").selectOption("spam");
  await page.getByLabel("What happened?").fill("And again.");
  await send();
  await page.getByText("You've already reported this.").first().waitFor();

  await open();
  const text = page.getByLabel("What happened?");
  await text.fill("A long story.");
  const box = await text.boundingBox();
  if (!box) throw new Error("no box");
  // Selecting text with the mouse may end outside of the sheet.
  await page.mouse.move(box.x + 100, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  expect(await text.inputValue()).toBe("A long story.");
  await page.mouse.click(5, 5);
  await text.waitFor({ state: "detached" });
  await context.close();
});

test("settings show the reason for each rejected change", { tags: "slow" }, async () => {
  const me = await makeMember(site, { password: true });
  const { page, context } = await site.open({ viewport: DESKTOP });
  await logIn(site, context, me, { freshProof: true });
  await page.goto("/settings#login");
  const failure = "Could not save your settings.  Perhaps your email address is already registred to another account.";
  const fill = async (password: string) => {
    await page.getByLabel("New password", { exact: true }).fill(password);
    await page.getByLabel(/repeat/i).fill(password);
    await page.getByRole("button", { name: "Save", exact: true }).first().click();
  };
  await fill("short");
  await page
    .getByText(/at least 10 characters/)
    .last()
    .waitFor();
  await context.setOffline(true);
  await fill("correct horse battery staple");
  await page.getByText("You seem to be offline. Check your connection and try again.").waitFor();
  expect(await page.getByText(failure).count()).toBe(0);
  expect(await page.getByText("password: use").count()).toBe(0);
  expect(await page.getByText("Roles", { exact: true }).count()).toBe(1);
  await context.close();
});

test("the map chat reloads whenever the window becomes visible", { tags: "slow" }, async () => {
  const me = await makeNearby(site, newPlace(), "Listener");
  const { page, context } = await site.open({ viewport: DESKTOP });
  await logIn(site, context, me);
  await page.goto("/chat/broadcast");
  await page.getByText("No messages found in your area.").waitFor();
  await page.waitForLoadState("networkidle");
  const requested = page.waitForRequest(/messages\.area/);
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await requested;
  await context.close();
});

describe("pictures on tiles", () => {
  it("show a blurred preview until they have loaded", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    const other = await makeNearby(site, place, "Slow", 0.01);
    await uploadPictures(other, [{}]);
    const { page, context } = await site.open();
    await logIn(site, context, me);
    const release = await holdRequests(page, /\/api\/profile-pic\//);
    await page.goto(`/search/tile?${NEAR}`);
    const tile = page.getByRole("link", { name: /^Slow/ });
    const preview = tile.locator("img[src^='data:image/webp']");
    await preview.waitFor();
    expect(await preview.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(8);
    release();
    await preview.waitFor({ state: "detached" });
    await tile.locator("img").waitFor();
    await context.close();
  });

  it("load for the rows below before the member scrolls to them", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    await makeCrowd(site, await makeNearby(site, place, "Anchor", 0.01), 89);
    await site.run(
      {
        query: `insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated)
          select id, 'public', 8, 10, 1, 1, 1 from profile where id > ?`,
        values: [me.id],
      },
      {
        query: `update profile set pics_public = (select '[' || pic.id || ']' from picture pic where pic.profile_id = profile.id)
          where id > ?`,
        values: [me.id],
      },
    );
    const { page, context } = await site.open();
    await logIn(site, context, me);
    const requested = new Set<string>();
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/profile-pic/")) requested.add(pathname);
    });
    await page.goto(`/search/tile?${NEAR}`);
    for (const shown of [30, 60]) {
      await page.getByText(`Displayed ${shown}`, { exact: true }).waitFor();
      // Clicks by script, because a tap would scroll to the button.
      await page.getByRole("button", { name: "Load More" }).evaluate((button: HTMLButtonElement) => button.click());
    }
    await page.getByText("Displayed 90", { exact: true }).waitFor();
    await expect.poll(() => requested.size).toBe(90);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await context.close();
  });
});
