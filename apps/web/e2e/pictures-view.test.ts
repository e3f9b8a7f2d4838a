import { DAY_MS, HOUR_MS, MINUTE_MS } from "@lambda/contract/limits";
import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, describe, expect, it } from "vitest";
import { apiFor, logIn, makeMember } from "./members.ts";
import { swipe } from "./nearby.ts";
import { delayFirst, LONG_TIMEOUT, overtake } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

const TILES = 30;

describe("a page of tiles", () => {
  it("loads 30 small variants and no original", { tags: "slow" }, async () => {
    const viewer = await makeMember(site);
    const file = await makeQuartersPicture(1200, 1500, [RED, GREEN, BLUE, YELLOW]);
    const positionRequest = (use: object) => ({
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ use: "OVERRIDE", ...use }),
    });
    const report = async (id: number, call: (path: string, init: RequestInit) => Promise<Response>, at: number) => {
      const response = await call(
        `/api/profile-position/${id}`,
        positionRequest({ profileId: id, overrideLat: -20 + at * 0.01, overrideLon: -140 }),
      );
      expect(response.status).toBe(200);
    };
    for (let count = 0; count < TILES; count += 1) {
      const member = await makeMember(site, { name: `Tile ${count}` });
      const api = await apiFor(site, member);
      await api.upload(file);
      await report(member.id, api.fetch, count);
    }
    await report(viewer.id, (await apiFor(site, viewer)).fetch, 0);
    const { page, context, errors } = await site.open();
    await logIn(site, context, viewer);
    const requests: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (/^\/api\/profile(-pic|\/pic)/.test(pathname) && /pic/.test(pathname)) requests.push(pathname + search);
    });
    await page.goto("/search/tile");
    await page.getByRole("link", { name: /Tile 29/ }).waitFor();
    for (let scrolls = 0; scrolls < 6; scrolls += 1) await page.mouse.wheel(0, 600);
    const tiles = () => [...new Set(requests)].filter((path) => /^\/api\/profile-pic\/\d+\?scale_x=/.test(path));
    await expect.poll(() => tiles().length, LONG_TIMEOUT).toBe(TILES);
    expect(tiles().filter((path) => !/scale_x=(256|512)$/.test(path))).toEqual([]);
    expect(requests.filter((path) => path.includes("orig"))).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("the carousel", () => {
  it("moves through the pictures by buttons and keys, and stops at both ends", async () => {
    const [owner, viewer] = [await makeMember(site), await makeMember(site)];
    const api = await apiFor(site, owner);
    const ids: number[] = [];
    for (const color of [RED, GREEN, BLUE]) {
      ids.push((await api.upload(await makeQuartersPicture(160, 120, [color, color, color, color]))).id);
    }
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, viewer);
    await page.goto(`/profilePicCarousel?profileId=${owner.id}&id=${ids[0]}&ids=${ids.join(",")}`);
    const [previous, next] = [page.getByRole("button", { name: "Prev" }), page.getByRole("button", { name: "Next" })];
    await page.getByRole("img", { name: "Picture 1 of 3" }).waitFor();
    expect(await previous.isDisabled()).toBe(true);
    await next.click();
    await page.getByRole("img", { name: "Picture 2 of 3" }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("img", { name: "Picture 3 of 3" }).waitFor();
    expect(await next.isDisabled()).toBe(true);
    expect(new URL(page.url()).searchParams.get("id")).toBe(String(ids[2]));
    await page.getByRole("link", { name: "Rate" }).waitFor();
    await page.getByRole("link", { name: "View Profile" }).click();
    await page.waitForURL(`**/profile/${owner.id}`);
    for (const query of ["", `?id=${ids[0]}`, `?profileId=${owner.id}`]) {
      await page.goto(`/profilePicCarousel${query}`);
      await page.waitForLoadState("networkidle");
      expect(await page.getByRole("main").innerText()).toBe("");
    }
    // Members cannot rate their own pictures.
    const theirs = await site.open();
    await logIn(site, theirs.context, owner);
    await theirs.page.goto(`/profilePicCarousel?profileId=${owner.id}&id=${ids[0]}&ids=${ids.join(",")}`);
    await theirs.page.getByRole("link", { name: "View Profile" }).waitFor();
    await theirs.page.waitForLoadState("networkidle");
    expect(await theirs.page.getByRole("link", { name: "Rate" }).count()).toBe(0);
    await theirs.context.close();
    expect(errors).toEqual([]);
    await context.close();
  });

  it.each([
    ["phone", PHONE],
    ["desktop", DESKTOP],
  ])(
    "closes by Back and by Escape to the page it was opened from, however many pictures were seen (%s)",
    async (_, viewport) => {
      const [owner, viewer] = [await makeMember(site, { name: "Bruno" }), await makeMember(site)];
      const api = await apiFor(site, owner);
      const ids: number[] = [];
      for (const color of [RED, GREEN, BLUE]) {
        ids.push((await api.upload(await makeQuartersPicture(160, 120, [color, color, color, color]))).id);
      }
      // Pictures of a stranger would be covered.
      const write = async (from: typeof owner, recipientProfileId: number, profilePicIds: number[]) => {
        const draft = { recipientProfileId, bodyText: "Look", profilePicIds, clientId: crypto.randomUUID() };
        const response = await (await apiFor(site, from)).fetch("/api/message", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(draft),
        });
        expect(response.status).toBe(201);
      };
      await write(viewer, owner.id, []);
      await write(owner, viewer.id, ids);
      const { page, context, errors } = await site.open({ viewport });
      await logIn(site, context, viewer);
      await page.goto("/notes");
      for (const origin of [`/profile/${owner.id}`, `/chat/personal?with=${owner.id}`]) {
        await page.goto(origin);
        for (const close of [() => page.goBack(), () => page.keyboard.press("Escape")]) {
          await page.locator('main a[href^="/profilePicCarousel"]').first().click();
          await page.getByRole("img", { name: "Picture 1 of 3" }).waitFor();
          // The buttons come on a tap.
          await page.getByRole("img", { name: "Picture 1 of 3" }).click();
          for (const shown of [2, 3]) {
            await page.getByRole("button", { name: "Next" }).click();
            await page.getByRole("img", { name: `Picture ${shown} of 3` }).waitFor();
          }
          await close();
          await page.waitForURL(`**${origin}`);
          await page.getByRole("button", { name: "Prev" }).waitFor({ state: "detached" });
        }
      }
      await page.goBack();
      await page.waitForURL(`**/profile/${owner.id}`);
      await page.goBack();
      await page.waitForURL("**/notes");
      expect(errors).toEqual([]);
      await context.close();
    },
  );

  it("fills a phone's screen with black, and swipes, pinches and zooms by a double tap", { tags: "slow" }, async () => {
    const [owner, viewer] = [await makeMember(site), await makeMember(site)];
    const api = await apiFor(site, owner);
    const ids: number[] = [];
    for (const color of [RED, GREEN]) {
      ids.push((await api.upload(await makeQuartersPicture(400, 500, [color, color, color, color]))).id);
    }
    const { page, context, errors } = await site.open();
    await logIn(site, context, viewer);
    await page.goto(`/profilePicCarousel?profileId=${owner.id}&id=${ids[0]}&ids=${ids.join(",")}`);
    const [first, second] = [1, 2].map((place) => page.getByRole("img", { name: `Picture ${place} of 2` }));
    await first?.waitFor();
    const width = async () => Math.round((await first?.boundingBox())?.width ?? 0);
    expect(await width()).toBe(PHONE.width);
    expect(
      await page.getByRole("img", { name: "Picture 1 of 2" }).evaluate((image) => {
        const viewer = image.closest("[data-viewer]")!;
        const { width: wide, height } = viewer.getBoundingClientRect();
        return [wide === innerWidth, height === innerHeight, getComputedStyle(viewer).backgroundColor];
      }),
    ).toEqual([true, true, "rgb(0, 0, 0)"]);
    const [x, y] = [PHONE.width / 2, PHONE.height / 2];
    const client = await context.newCDPSession(page);
    // At once: a busy machine may take longer from call to call than a double tap.
    const doubleTap = () =>
      Promise.all(
        [[{ x, y }], [], [{ x, y }], []].map((touchPoints) =>
          client.send("Input.dispatchTouchEvent", {
            type: touchPoints.length > 0 ? "touchStart" : "touchEnd",
            touchPoints,
          }),
        ),
      );
    await doubleTap();
    await expect.poll(width).toBe(PHONE.width * 2.5);
    await doubleTap();
    await expect.poll(width).toBe(PHONE.width);

    // Two fingers that part.
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", spread: number) =>
      client.send("Input.dispatchTouchEvent", {
        type,
        touchPoints:
          type === "touchEnd"
            ? []
            : [
                { x: x - spread, y, id: 0 },
                { x: x + spread, y, id: 1 },
              ],
      });
    await touch("touchStart", 40);
    for (const spread of [50, 60, 70, 80]) await touch("touchMove", spread);
    await touch("touchEnd", 80);
    await expect.poll(width).toBe(PHONE.width * 2);
    await doubleTap();
    await expect.poll(width).toBe(PHONE.width);
    await swipe(page, { x: x + 80, y }, { x: -180, y: 0 });
    await second?.waitFor();
    await page.getByText("2/2", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).tap();
    expect(errors).toEqual([]);
    await context.close();
  });

  it("shows a picture that failed on a dead line once the line is back", async () => {
    const [owner, viewer] = [await makeMember(site), await makeMember(site)];
    const { id } = await (await apiFor(site, owner)).upload(await makeQuartersPicture(400, 500, [RED, RED, RED, RED]));
    const { page, context } = await site.open();
    await logIn(site, context, viewer);
    await page.route(/\/api\/profile-pic\//, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/api/profile-pic/"));
    await page.goto(`/profilePicCarousel?profileId=${owner.id}&id=${id}`);
    await failed;
    await page.locator("[data-initial]").waitFor();
    await page.unroute(/\/api\/profile-pic\//);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.locator("[data-viewer] img").waitFor();
    await context.close();
  });

  it("pixelates an NSFW picture until the device is set to show NSFW", async () => {
    const [owner, viewer] = [await makeMember(site), await makeMember(site)];
    const { id } = await (await apiFor(site, owner)).upload(
      await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]),
      {
        nsfw: true,
      },
    );
    const { page, context } = await site.open();
    await logIn(site, context, viewer);
    const widthShown = () =>
      page.getByRole("img", { name: "Picture 1 of 1" }).evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return (await createImageBitmap(image)).width;
      });
    const address = `/profilePicCarousel?profileId=${owner.id}&id=${id}`;
    await page.goto(address);
    expect(await page.getByRole("img", { name: "Picture 1 of 1" }).getAttribute("src")).not.toContain("/nsfw/");
    // The browser may switch variants while decoding, which rejects the first decode.
    await expect.poll(widthShown, LONG_TIMEOUT).toBeLessThan(300);
    await page.getByText("NSFW", { exact: true }).waitFor();
    await page.evaluate(() => localStorage.setItem("show_nsfw", "true"));
    await page.goto(address);
    expect(await page.getByRole("img", { name: "Picture 1 of 1" }).getAttribute("src")).toContain("/nsfw/");
    await context.close();
  });
});

describe("rating by swipe", () => {
  it("rates by button, key and swipe, can be undone, and shows the end", async () => {
    const [owner, viewer] = [await makeMember(site), await makeMember(site)];
    const api = await apiFor(site, owner);
    const ids: number[] = [];
    for (const color of [RED, GREEN, BLUE]) {
      ids.push((await api.upload(await makeQuartersPicture(80, 100, [color, color, color, color]))).id);
    }
    const ratings = () =>
      site.sql("select picture_id id, like_type kind from picture_like where liker_id = ? order by 1", viewer.id);
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, viewer);
    await page.goto(`/profilePicRateSwipe?profileId=${owner.id}&startProfilePicId=${ids[0]}`);
    await page.getByRole("button", { name: "Nice" }).click();
    await expect.poll(ratings, LONG_TIMEOUT).toEqual([{ id: ids[0], kind: "LIKE" }]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(ratings, LONG_TIMEOUT).toEqual([{ id: ids[0], kind: "UNDETERMINED" }]);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(ratings, LONG_TIMEOUT).toEqual([{ id: ids[0], kind: "DISLIKE" }]);

    const card = await page.getByRole("img", { name: "Picture 2 of 3" }).boundingBox();
    if (!card) throw new Error("no card");
    // Pressed at the card's edge and released outside of it, the mouse does not hold the card.
    await page.mouse.move(card.x + 2, card.y + 200);
    await page.mouse.down();
    await page.mouse.move(card.x - 2, card.y + 200);
    await page.mouse.up();
    await page.mouse.move(card.x + 320, card.y + 210, { steps: 6 });
    expect(await page.locator("[data-verdict]").count()).toBe(0);

    await page.mouse.move(card.x + 100, card.y + 200);
    await page.mouse.down();
    await page.mouse.move(card.x + 320, card.y + 210, { steps: 6 });
    await page.mouse.up();
    await expect.poll(ratings, LONG_TIMEOUT).toContainEqual({ id: ids[1], kind: "LIKE" });
    await page.getByRole("button", { name: "Skip" }).click();
    await expect.poll(ratings, LONG_TIMEOUT).toContainEqual({ id: ids[2], kind: "UNDETERMINED" });
    await page.getByText("You've reached the end!").waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});

it("a rating that is undone before it was saved stays undone", { tags: "slow" }, async () => {
  const [owner, viewer] = [await makeMember(site), await makeMember(site)];
  const { id } = await (await apiFor(site, owner)).upload(await makeQuartersPicture(80, 100, [RED, RED, RED, RED]));
  const { page, context } = await site.open({ viewport: DESKTOP });
  await logIn(site, context, viewer);
  await page.goto(`/profilePicRateSwipe?profileId=${owner.id}&startProfilePicId=${id}`);
  const calls = await delayFirst(page, /pictureLikes\.put/);
  await page.getByRole("button", { name: "Nice" }).click();
  await page.getByText("You've reached the end!").waitFor();
  await page.keyboard.press("u");
  await page.getByRole("button", { name: "Nice" }).waitFor();
  await overtake(page);
  calls.release();
  await expect.poll(calls.answers).toBe(2);
  expect(await site.sql("select like_type from picture_like where liker_id = ?", viewer.id)).toEqual([
    { like_type: "UNDETERMINED" },
  ]);
  await context.close();
});

describe("the private album", () => {
  it("is requested in one browser, opened in the other, and revoked at once", async () => {
    const [owner, viewer] = [await makeMember(site, { name: "Owner" }), await makeMember(site, { name: "Asker" })];
    const { id } = await (await apiFor(site, owner)).upload(
      await makeQuartersPicture(80, 100, [RED, GREEN, BLUE, YELLOW]),
      {
        audience: "private",
      },
    );
    const first = await site.open({ viewport: DESKTOP });
    const second = await site.open({ viewport: PHONE });
    await logIn(site, first.context, owner);
    await logIn(site, second.context, viewer);
    const openPrivate = (page: typeof first.page) =>
      page
        .locator("label")
        .filter({ has: page.getByRole("radio", { name: /private/i }) })
        .click();

    await second.page.goto(`/profile/${owner.id}`);
    await openPrivate(second.page);
    await second.page.getByRole("button", { name: "Request" }).click();
    await second.page.getByText("Requested", { exact: true }).waitFor();

    await first.page.goto(`/profile/${viewer.id}`);
    await openPrivate(first.page);
    await first.page.getByText("He has asked to see it.").waitFor();
    await first.page.getByLabel("For how long").selectOption("week");
    await first.page.getByRole("button", { name: "Let him in" }).click();
    await first.page.getByRole("button", { name: "Revoke" }).waitFor();

    await second.page.reload();
    await openPrivate(second.page);
    await second.page.getByRole("link", { name: "Private picture 1" }).waitFor();
    const pictureStatus = () =>
      second.page.evaluate(async (path) => (await fetch(path)).status, `/api/profile-pic/${id}`);
    expect(await pictureStatus()).toBe(200);

    await first.page.goto("/profileEdit");
    await first.page.getByRole("button", { name: "Who has access" }).click();
    await first.page.getByRole("button", { name: "Revoke: Asker" }).click();
    await first.page.getByText("Nobody but you.").waitFor();
    expect(await pictureStatus()).toBe(404);
    expect(first.errors).toEqual([]);
    await first.context.close();
    await second.context.close();
  });
});

describe("the private album opened for a week", { tags: "slow" }, () => {
  it.each([3, -3, 48, -48])("closes by the server's clock, though that of the owner is %i hours off", async (hours) => {
    const [owner, viewer] = [await makeMember(site, { name: "Owner" }), await makeMember(site, { name: "Asker" })];
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, owner);
    await page.clock.install({ time: Date.now() + hours * HOUR_MS });
    await page.goto(`/profile/${viewer.id}`);
    await page
      .locator("label")
      .filter({ has: page.getByRole("radio", { name: /private/i }) })
      .click();
    await page.getByLabel("For how long").selectOption("week");
    await page.getByRole("button", { name: "Let him in" }).click();
    await page.getByRole("button", { name: "Revoke" }).waitFor();
    const [grant] = await site.sql<{ ts_expires: number }>(
      "select ts_expires from album_grant where owner_id = ?",
      owner.id,
    );
    const expires = grant?.ts_expires ?? 0;
    expect(Math.abs(expires - Date.now() - 7 * DAY_MS)).toBeLessThan(5 * MINUTE_MS);
    const parts = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
    const shown = new Date(expires).toLocaleString("en-US", parts);
    await page.getByText(shown).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("the picture screens", { tags: "slow" }, () => {
  it("pass the accessibility checks", async () => {
    const [owner, viewer] = [await makeMember(site), await makeMember(site)];
    const file = await makeQuartersPicture(80, 100, [RED, GREEN, BLUE, YELLOW]);
    const foreign = await (await apiFor(site, owner)).upload(file);
    const own = await (await apiFor(site, viewer)).upload(file);
    const { page, context } = await site.open();
    await logIn(site, context, viewer);
    for (const path of [
      "/profilePicUpload",
      `/profilePicEdit?id=${own.id}`,
      `/profilePicCarousel?profileId=${owner.id}&id=${foreign.id}`,
      `/profilePicRateSwipe?profileId=${owner.id}`,
      "/profileEdit",
    ]) {
      await page.goto(path);
      await page.waitForLoadState("networkidle");
      expect([path, await findBarriers(page, "main")]).toEqual([path, []]);
      expect([path, await page.locator("h1").count()]).toEqual([path, 1]);
    }
    await context.close();
  });
});
