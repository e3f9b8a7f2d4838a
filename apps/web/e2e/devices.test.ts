/** What devices, browsers and a second tab do to an open page. */
import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { apiFor, logIn, makeMember } from "./members.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

async function openMember(name: string, options: { viewport?: typeof DESKTOP } = {}) {
  const me = await makeMember(site, { name, password: true });
  const opened = await site.open(options);
  await logIn(site, opened.context, me, { freshProof: true });
  return { me, ...opened };
}

it("shows the page or that there is none at every odd address, and never nothing", { tags: "slow" }, async () => {
  const { page, context, errors } = await openMember("Wanderer");
  const missing = "Well, this is embarrassing.";
  for (const [path, shown] of [
    ["/search//tile", missing],
    ["/search/tile//", missing],
    ["//search/tile", missing],
    ["/Search/Tile", missing],
    ["/search/%zz", missing],
    ["/profile/1/2", missing],
    ["/search/tile/", "Invite by link"],
    ["/profile/", "Wanderer"],
    ["/profile/abc", "Wanderer"],
    ["/profile/%zz", "Wanderer"],
    ["/profile/999999999999999", "available"],
    ["/chat/personal?with=", "conversation"],
    ["/chat/personal?with=-1", "conversation"],
    ["/notice/%00", "notice"],
  ] as const) {
    await page.goto(new URL(page.url() === "about:blank" ? site.url("/") : page.url()).origin + path);
    await expect
      .poll(() => page.locator("main").innerText(), { ...LONG_TIMEOUT, message: path })
      .toMatch(new RegExp(shown, "i"));
  }
  expect(errors).toEqual([]);
  await context.close();
});

it("notices at once on return that its connection died while the page slept", { tags: "slow" }, async () => {
  const { page, me, context } = await openMember("Sleeper", { viewport: DESKTOP });
  const other = await makeMember(site, { name: "Waker" });
  let isDead = false;
  let pings = 0;
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    const server = socket.connectToServer();
    const wasDead = isDead;
    isDead = false;
    socket.onMessage((message) => {
      if (message === "ping") pings += 1;
      if (!isDead || wasDead) server.send(message);
    });
    server.onMessage((message) => {
      if (!isDead) socket.send(message);
    });
  });
  await page.clock.install();
  await page.goto(`/chat/personal?with=${other.id}`);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.waitForLoadState("networkidle");
  await page.clock.pauseAt(Date.now() + 1000);
  isDead = true;
  pings = 0;
  const theirs = await apiFor(site, other);
  await theirs.fetch("/api/message", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ recipientProfileId: me.id, bodyText: "are you awake?" }),
  });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect.poll(() => pings).toBe(1);
  await page.clock.runFor(10_000);
  await page.clock.resume();
  await page.getByRole("log").getByText("are you awake?").waitFor();
  await context.close();
});

describe("a second tab", () => {
  const nameField = (page: Page) => page.getByLabel("Real name");
  const save = async (page: Page) => {
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).last().waitFor();
  };

  it("keeps what was saved in the first, and what is being typed in the first", async () => {
    const { page, me, context } = await openMember("Twin", { viewport: DESKTOP });
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await tab.goto("/settings#login");
      await nameField(tab).waitFor();
    }
    await page.getByLabel("New password").fill("a brand new secret");
    await page.getByLabel("Repeat password").fill("a brand new secret");
    // It hears nothing of the other tab, as a phone hears nothing of a computer.
    await page.evaluate(() => Object.defineProperty(document, "visibilityState", { value: "hidden" }));
    await nameField(other).fill("Óscar");
    await save(other);
    await save(page);
    expect(await site.sql("select name from account where id = ?", me.id)).toEqual([{ name: "Óscar" }]);
    await context.close();
  });

  it("shows at once what was saved in the first", { tags: "slow" }, async () => {
    const { page, context } = await openMember("Mirror", { viewport: DESKTOP });
    const other = await context.newPage();
    for (const tab of [page, other]) await tab.goto("/settings#login");
    await nameField(page).waitFor();
    let saves = 0;
    // The tabs talk from the moment when the services are there that a first screen need not wait for.
    await expect
      .poll(async () => {
        saves += 1;
        await nameField(other).fill(`Óscar ${saves}`);
        await save(other);
        return nameField(page).inputValue();
      }, LONG_TIMEOUT)
      .toMatch(/^Óscar/);
    await context.close();
  });

  it("shares with no brand that another device has left", { tags: "slow" }, async () => {
    const { page, me, context } = await openMember("Sharer", { viewport: DESKTOP });
    await site.sql("update profile set shared_on = 3 where id = ?", me.id);
    await page.goto("/settings#sharing");
    await expect.poll(() => page.getByRole("switch", { name: "Harbor" }).isChecked()).toBe(true);
    const answer = await (await apiFor(site, me)).fetch("/api/settings/sharing", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sharedOn: 1 }),
    });
    expect(answer.status).toBe(200);
    await page.getByRole("switch", { name: "Bramble" }).click();
    await expect.poll(() => site.sql("select shared_on from profile where id = ?", me.id)).toEqual([{ shared_on: 5 }]);
    await context.close();
  });
});

it("shows which switches and boxes are set where the member forces the colors of pages", { tags: "slow" }, async () => {
  const { page, context } = await openMember("Contrast");
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  const looksDifferent = async (drawn: Locator, control: Locator) => {
    await drawn.waitFor();
    await page.evaluate(() => document.fonts.ready);
    const before = await drawn.screenshot();
    await control.press(" ");
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    return !before.equals(await drawn.screenshot());
  };
  await page.goto("/settings#notifications");
  const toggle = page.getByRole("switch").first();
  expect(await looksDifferent(toggle.locator("[aria-hidden=true]").first(), toggle)).toBe(true);
  await context.clearCookies();
  await page.goto("/login");
  const box = page.getByRole("checkbox");
  const drawn = page.locator("label").filter({ has: box }).locator("[aria-hidden=true]").first();
  expect(await looksDifferent(drawn, box)).toBe(true);
  await box.press(" ");
  // Drawn also while it is not checked, and then without the mark.
  const { boxShadow, color } = await drawn.evaluate((element) => {
    const style = getComputedStyle(element);
    return { boxShadow: style.boxShadow, color: style.color };
  });
  expect([boxShadow === "none", color]).toEqual([false, "rgba(0, 0, 0, 0)"]);
  await context.close();
});

it("keeps what is being typed, and in sight, when the phone is turned and its keyboard opens", {
  tags: "slow",
}, async () => {
  const { page, context } = await openMember("Turner");
  const other = await makeMember(site, { name: "Upright" });
  const isInSight = (field: Locator) =>
    field.evaluate((element) => {
      const { top, bottom, left } = element.getBoundingClientRect();
      if ([top + 12, bottom - 12].some((y) => document.elementFromPoint(left + 20, y) === element)) return true;
      // What listens comes after the first screen.
      dispatchEvent(new Event("resize"));
      return false;
    });
  const turn = async (field: Locator, text: string) => {
    await field.fill(text);
    for (const [width, height] of [
      [844, 390],
      [844, 200],
      [390, 450],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => isInSight(field), { message: `${text} at ${width} x ${height}` }).toBe(true);
    }
    expect(await field.inputValue()).toBe(text);
    await page.setViewportSize(PHONE);
  };
  await page.goto(`/profile/${other.id}`);
  await page.getByRole("button", { name: "Action" }).click();
  await page.getByRole("menuitem", { name: "Report Violation" }).click();
  const dialog = page.getByRole("dialog");
  await turn(dialog.getByRole("textbox"), "He sells something");
  await page.goto(`/chat/personal?with=${other.id}`);
  await turn(page.getByRole("textbox", { name: "Message" }), "half a\nmessage\nof four\nlines");
  await page.getByRole("button", { name: "Action" }).click();
  await page.getByRole("menuitem", { name: "Meet safely" }).click();
  await turn(dialog.getByLabel("Second PIN: help me"), "1357");
  await page.goto("/contactus");
  await turn(page.getByRole("textbox", { name: "Message" }), "Hello");
  await context.close();
});
