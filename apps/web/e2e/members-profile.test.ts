import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";
import { centerOf, makeNearby, newPlace, swipe } from "./nearby.ts";
import { delayFirst, fetchLocally, holdRequests, LONG_TIMEOUT, overtake } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

describe("View Profile", () => {
  it("shows a profile, and lets the viewer like, take notes and tag", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    const other = await makeNearby(site, place, "Alexander von H", 0.005);
    await site.sql(
      "insert into profile_like (liker_id, liked_id, like_type, ts_created) values (?, ?, 'LIKE', 1)",
      other.id,
      me.id,
    );
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/profile/${other.id}`);
    await page.getByRole("heading", { level: 1, name: /^Alexander vo, 3\d$/ }).waitFor();
    await page.getByText("i'm so boring", { exact: true }).waitFor();
    await page.getByText("No public pics", { exact: true }).waitFor();
    await page.getByText(/^about [\d,]+ ft$/).waitFor();

    await page.getByText("He likes you.").waitFor();
    await page.getByRole("button", { name: "Like", exact: true }).tap();
    await page.getByRole("button", { name: "Remove Like", exact: true }).waitFor();
    await page.getByText("It's a match: you like each other.").waitFor();
    await expect
      .poll(() => site.sql("select kind from notification where profile_id = ? and about_id = ?", other.id, me.id))
      .toEqual([{ kind: "match" }]);
    await page.getByRole("button", { name: "Remove Like", exact: true }).tap();
    await page.getByRole("button", { name: "Like", exact: true }).waitFor();
    await expect
      .poll(() => site.sql("select like_type from profile_like where liker_id = ?", me.id))
      .toEqual([{ like_type: "DISLIKE" }]);

    // One line until something is written.
    const note = page.getByLabel("Note", { exact: true });
    expect(await note.isVisible()).toBe(false);
    await page.getByRole("heading", { name: "Your notes" }).tap();
    await note.fill("  met at the bar  ");
    await page.getByText("18/4000", { exact: true }).waitFor();
    await note.blur();
    await page.getByText("Saved", { exact: true }).waitFor();
    const tag = page.getByLabel("Private tags", { exact: true }).and(page.getByRole("textbox"));
    await tag.fill(" kind ");
    await tag.press("Enter");
    await page.getByRole("button", { name: "Remove tag kind" }).waitFor();
    await tag.fill("kind");
    expect(await page.getByRole("button", { name: "Tag", exact: true }).isDisabled()).toBe(true);
    await tag.fill("tall");
    await page.getByRole("button", { name: "Tag", exact: true }).tap();
    await page.getByRole("button", { name: "Remove tag tall" }).waitFor();
    await page.getByRole("button", { name: "Remove tag kind" }).tap();
    await expect
      .poll(() => site.sql("select body_text, private_tags from profile_note where author_id = ?", me.id))
      .toEqual([{ body_text: "met at the bar", private_tags: '["tall"]' }]);

    await page.goto("/notes");
    await page.getByRole("link", { name: /Alexander vo/ }).waitFor();
    await page.getByLabel("Search your notes").fill("nothing like this");
    await page.getByText("No note contains these words.").waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it("moves nothing when distance, night, badge and likes arrive late on a slow line", { tags: "slow" }, async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    const other = await makeNearby(site, place, "Theo", 0.005);
    await site.sql(
      "insert into profile_like (liker_id, liked_id, like_type, ts_created) values (?, ?, 'LIKE', 1)",
      other.id,
      me.id,
    );
    // Coffee and hosting.
    await site.sql("update profile set characteristics = 17 where id = ?", other.id);
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.addInitScript(() => {
      const shifts: number[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
      Object.assign(window, { shifts });
    });
    await page.goto("/search/tile");
    const released = Promise.withResolvers<void>();
    await page.route(/\/trpc\/.*(relation|among|profiles\.get)/, async (route) => {
      await released.promise;
      await route.fulfill({ response: await fetchLocally(route) });
    });
    await page.getByRole("link", { name: /Theo/ }).first().tap();
    await page.getByRole("heading", { level: 1, name: /^Theo, 3\d$/ }).waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.evaluate(() =>
      Object.assign(window, { before: (window as unknown as { shifts: number[] }).shifts.length }),
    );
    released.resolve();
    await page.getByText("He likes you.").waitFor();
    await page.getByText(/^about [\d,]+ ft$/).waitFor();
    await page.getByRole("heading", { name: "Your notes" }).waitFor();
    const late = await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { shifts, before } = window as unknown as { shifts: number[]; before: number };
      return shifts.slice(before).reduce((sum, shift) => sum + shift, 0);
    });
    expect(late).toBeLessThan(0.005);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("turns to the next man of the list by arrow, button and swipe, and Back leads to the list", {
    tags: "slow",
  }, async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    for (const [index, name] of ["Adam", "Bela", "Caleb"].entries())
      await makeNearby(site, place, name, 0.01 * (index + 1));
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto("/search/tile");
    await page.getByRole("link", { name: /Caleb/ }).first().waitFor();
    const shown = (await page.locator('main li a[href^="/profile/"]').allInnerTexts()).join();
    const [first, second, third] = ["Adam", "Bela", "Caleb"].sort((a, b) => shown.indexOf(a) - shown.indexOf(b)) as [
      string,
      string,
      string,
    ];
    await page
      .getByRole("link", { name: new RegExp(first) })
      .first()
      .tap();
    const named = (name: string) => page.getByRole("heading", { level: 1, name: new RegExp(`^${name}, `) });
    await named(first).waitFor();
    // An open menu keeps the arrows. What the list knows shows at once, although the profile is still loading.
    await page.getByRole("button", { name: "Action" }).press("Enter");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Escape");
    const release = await holdRequests(page, /profiles\.get/);
    await page.keyboard.press("ArrowRight");
    await named(second).waitFor();
    release();
    await page.getByRole("button", { name: "Next man" }).tap();
    await named(third).waitFor();
    const { x, y } = await centerOf(page, "main h1");
    await swipe(page, { x, y: y + 60 }, { x: 160, y: 0 });
    await named(second).waitFor();
    // The tab's title names nobody.
    expect(await page.title()).toMatch(/^View Profile/);
    // By mouse: Chromium takes no tap while the page still moves from a swipe.
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await expect.poll(() => new URL(page.url()).pathname, LONG_TIMEOUT).toBe("/search/tile");

    // A profile that is opened from a conversation belongs to no list.
    await page
      .getByRole("link", { name: new RegExp(first) })
      .first()
      .click();
    await page.getByRole("button", { name: "Next man" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Chat" }).click();
    await page
      .getByRole("link", { name: new RegExp(first) })
      .first()
      .click();
    await named(first).waitFor();
    await page.getByRole("heading", { name: "Your notes" }).waitFor();
    expect(await page.getByRole("button", { name: "Next man" }).count()).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("ends with what was pressed last, however slow the first call is, and shows a like whose answer was lost", {
    tags: "slow",
  }, async () => {
    const [me, other] = [await makeMember(site), await makeMember(site, { name: "Bruno" })];
    const stored = () => site.sql("select like_type from profile_like where liker_id = ?", me.id);
    const { page, context } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/profile/${other.id}`);
    const calls = await delayFirst(page, /likes\.put/);
    const like = page.getByRole("button", { name: "Like", exact: true });
    const unlike = page.getByRole("button", { name: "Remove Like", exact: true });
    await like.tap();
    await unlike.tap();
    await like.waitFor();
    await overtake(page);
    calls.release();
    await expect.poll(calls.answers).toBe(2);
    expect(await stored()).toEqual([{ like_type: "DISLIKE" }]);

    await page.route(/likes\.put/, async (route) => {
      await fetchLocally(route);
      await route.abort();
    });
    await like.tap();
    await page.getByText("You seem to be offline. Check your connection and try again.").first().waitFor();
    expect(await stored()).toEqual([{ like_type: "LIKE" }]);
    await unlike.waitFor();
    await context.close();
  });

  it("searches the notes once per pause in typing, not once per key", async () => {
    const [me, other] = [await makeMember(site), await makeMember(site)];
    await site.sql(
      "insert into profile_note (author_id, about_id, body_text, private_tags, ts_updated) values (?, ?, 'sunshine', '[]', 1)",
      ...[me.id, other.id],
    );
    const { page, context } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, me);
    await page.clock.install();
    await page.goto("/notes");
    const field = page.getByLabel("Search your notes");
    await field.waitFor();
    const searches: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      const input = JSON.parse(url.searchParams.get("input") ?? "{}") as Record<string, { text?: string }>;
      for (const [index, name] of url.pathname.replace("/trpc/", "").split(",").entries()) {
        if (name === "notes.list") searches.push(input[index]?.text ?? "");
      }
    });
    // All keys within one moment of the page's clock.
    await page.clock.pauseAt(Date.now() + 600_000);
    await field.pressSequentially("sunshine");
    await page.clock.resume();
    await expect.poll(() => searches).toContain("sunshine");
    expect(searches.filter((text) => text !== "")).toEqual(["sunshine"]);
    await context.close();
  });

  it("opens the own profile when the id is missing or not a number", async () => {
    const me = await makeMember(site, { name: "Myself" });
    const { page, context } = await site.open();
    await logIn(site, context, me);
    for (const path of ["/profile", "/profile/abc", "/profile/12x"]) {
      await page.goto(path);
      await page.waitForURL(`**/profile/${me.id}`);
    }
    await page.getByText("This is how others see you.").waitFor();
    await page.goto("/profile/999999999");
    await page.getByText("This profile isn't available.").waitFor();
    await context.close();
  });

  it("blocks a member, shows that for three seconds, and goes home; neither finds the other afterwards", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    const nuisance = await makeNearby(site, place, "Pest", 0.01);
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, me);
    await page.goto(`/profile/${nuisance.id}`);
    const block = async () => {
      await page.getByRole("button", { name: "Action" }).press("Enter");
      // An opened menu takes the focus a moment later, and would take the key from another item.
      await page.locator('[role="menuitem"]:focus').waitFor();
      // It waits while an undone block is still on its way.
      const item = page.getByRole("menuitem", { name: "Block / Ignore" }).and(page.locator(":enabled"));
      await item.press("Enter");
      await page.getByText("Blocked and Redirecting...", { exact: true }).waitFor();
    };
    const chat = page.getByRole("main").getByRole("link", { name: "Chat" });
    await chat.waitFor();
    expect(await page.getByRole("menuitem").count()).toBe(0);
    await block();
    expect(await chat.count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await chat.waitFor();
    expect(await site.sql("select * from block where profile_id = ? and blocked_by_profile = 1", me.id)).toEqual([]);
    await block();
    const began = Date.now();
    await page.waitForURL((url) => url.pathname === "/");
    expect(Date.now() - began).toBeGreaterThan(2500);
    await page.goto("/search/tile?maxDistanceMeters=50000");
    await page.getByText("There are no profiles to show").waitFor();
    const other = await site.open();
    await logIn(site, other.context, nuisance);
    await other.page.goto(`/profile/${me.id}`);
    await other.page.getByText("This profile isn't available.").waitFor();
    expect(errors).toEqual([]);
    await context.close();
    await other.context.close();
  });

  it("files a report", async () => {
    const [me, other] = [await makeMember(site), await makeMember(site, { name: "Rude" })];
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto(`/profile/${other.id}`);
    await page.getByRole("button", { name: "Action" }).tap();
    await page.getByRole("menuitem", { name: "Report Violation" }).tap();
    await page.getByLabel("What's wrong?").selectOption("spam");
    await page.getByLabel("What happened?").fill("Sells watches.");
    await page.getByRole("button", { name: "Report", exact: true }).tap();
    await page.getByText("Thank you. Your report is on its way.").first().waitFor();
    expect(await site.sql("select category, state from report where subject_id = ?", other.id)).toMatchObject([
      { category: "spam" },
    ]);
    expect(errors).toEqual([]);
    await context.close();
  });
});
