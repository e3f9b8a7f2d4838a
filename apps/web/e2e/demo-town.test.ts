/** @module-tag slow */
import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { DEMO_LOGINS, DEMO_PASSWORD, seedMembers } from "@lambda/tooling/seed";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, it } from "vitest";

/** The seeded demo of `npm start`, seen through its demo logins. */
let site: TestSite;
beforeAll(async () => {
  site = await openSite();
  await seedMembers(`http://localhost:${site.port}`);
}, 400_000);

const opened: Awaited<ReturnType<TestSite["open"]>>[] = [];
afterEach(async () => {
  const errors = opened.flatMap((one) => one.errors);
  await Promise.all(opened.splice(0).map(({ context }) => context.close()));
  expect(errors).toEqual([]);
});

async function logIn(which: 0 | 2): Promise<Page> {
  const browser = await site.open({ viewport: PHONE, serviceWorker: true });
  opened.push(browser);
  const { page } = browser;
  await page.goto("/aboutus");
  const status = await page.evaluate(
    async ([username, password]) => {
      const body = JSON.stringify({ username, password, remember: true });
      const headers = { "content-type": "application/json" };
      return (await fetch("/api/auth", { method: "POST", headers, body })).status;
    },
    [DEMO_LOGINS[which].email, DEMO_PASSWORD],
  );
  expect(status).toBe(200);
  return page;
}

const waitForTexts = (page: Page, ...texts: (string | RegExp)[]) =>
  Promise.all(texts.map((text) => page.locator("main").getByText(text).first().waitFor()));

describe("the demo member", { timeout: 240_000 }, () => {
  it("finds conversations, one of them unread, with pictures and a location", async () => {
    const page = await logIn(0);
    await page.goto("/chat/personal");
    await waitForTexts(page, "Rafael", "Sam", "Theo", "Javier", "Mateo", "Marcus", "Thursday, eight");
    await page.getByText("Now I am walking faster").click();
    await page.getByRole("log").getByText("Now I am walking faster").waitFor();
    await page.getByRole("log").getByText("Show on the map").waitFor({ state: "attached" });
    await page.getByText("Seen", { exact: true }).first().waitFor({ state: "attached" });
    await page.goto("/chat/broadcast");
    await waitForTexts(page, "Kitchen closes late tonight", "guajillo");
  });

  it("finds likes, notifications, an album, a crop suggestion, jury duty, precedents and notes", async () => {
    const page = await logIn(0);
    await page.goto("/likes/profilelikedyou");
    await waitForTexts(page, "Omar", "Wes", "Match");
    await page.goto("/notifications");
    await waitForTexts(page, "It's a match", "opened his album to you", "called as a juror");
    await page.goto("/profile/7");
    await waitForTexts(page, "Photographer of other people's weddings");
    await page.goto("/games/photocrop?tab=mine");
    await waitForTexts(page, "Suggestions for you", "Apply");
    await page.goto("/games/arbitration");
    await waitForTexts(page, "4 of 9 have voted", "Your record as a juror");
    await page.getByRole("link", { name: "Precedents" }).click();
    await waitForTexts(page, "The map chat belongs to everyone on the map.");
    await page.goto("/notes");
    await waitForTexts(page, "Rafael", "Theo", /climbing/);
  });

  it("writes to a demo member, who sees the message, types and replies", async () => {
    const page = await logIn(0);
    await page.goto("/chat/personal?with=10");
    await page.getByRole("textbox", { name: "Message" }).fill("Is there falafel left?");
    // Typing shows for two seconds.
    const typing = page.getByText("is typing").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Seen", { exact: true }).waitFor({ state: "attached" });
    await typing;
    await page
      .getByRole("log")
      .getByText(/Good question|Evenings are best|I would say yes/)
      .waitFor();
  });
});

describe("the admin", { timeout: 240_000 }, () => {
  it("finds a report queue, appeals and statistics", async () => {
    const page = await logIn(2);
    await page.goto("/dashboard");
    await page.getByRole("link", { name: "Reports" }).click();
    await waitForTexts(page, "Threat of violence", "Intimate pictures without consent");
    await page.goto("/transparency");
    await waitForTexts(page, "Reversed on appeal", "Suspensions", "Threat of violence");
  });
});
