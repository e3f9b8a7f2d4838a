import { openSite, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";

/** What Back shows of a page that the browser keeps as it was left. Tests switch that off, so its events are sent by hand. */
let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

const send = (page: Page, name: "pagehide" | "pageshow") =>
  page.evaluate((type) => dispatchEvent(new PageTransitionEvent(type, { persisted: true })), name);
const isSeen = (page: Page) => page.evaluate(() => getComputedStyle(document.body).visibility === "visible");

it("Back shows nothing of a member whose session ended meanwhile, also without a connection, and otherwise the page as it was", async () => {
  const { context, page } = await site.open();
  const [me, other] = [await makeMember(site, { name: "Secretive" }), await makeMember(site, { name: "Confidant" })];
  await logIn(site, context, me);
  await page.goto(`/profile/${other.id}`);
  const name = page.getByRole("heading", { name: "Confidant" }).first();
  await name.waitFor();
  // The services that a first screen need not wait for listen from then on.
  await expect
    .poll(async () => {
      await send(page, "pagehide");
      return isSeen(page);
    })
    .toBe(false);
  await send(page, "pageshow");
  await expect.poll(() => isSeen(page)).toBe(true);
  expect(await name.isVisible()).toBe(true);

  await send(page, "pagehide");
  await context.clearCookies();
  await context.setOffline(true);
  await send(page, "pageshow");
  await expect.poll(() => isSeen(page)).toBe(true);
  // The login page, or the browser's own of a lost connection.
  await expect.poll(() => page.locator("body").innerText()).not.toContain("Confidant");
  await context.close();
});
