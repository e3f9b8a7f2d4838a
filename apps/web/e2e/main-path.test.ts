import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { openFold } from "./page-actions.ts";

/**
 * The main path through the product in two browsers: register by mail, fill in a profile, upload a picture, report a position,
 * find a member nearby, like them and write; the other reads the message and replies.
 */
let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

async function register(page: Page, email: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "Register", exact: true }).first().click();
  await page.getByLabel("Email").fill(email);
  const send = page.getByRole("button", { name: "Send me a login link" });
  expect(await send.isDisabled()).toBe(true);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await send.click();
  await page.getByText("Check your mail").waitFor();
  await page.goto(await site.loginLink(email));
  await page.waitForURL("**/welcome");
}

async function fillInProfile(page: Page, name: string): Promise<void> {
  await page.goto("/profileEdit");
  await openFold(page, "You");
  await page.getByLabel("Profile name").fill(name);
  await page.getByLabel("Birthdate").fill("1990-05-17");
  await page.getByLabel("Height").click();
  await expect
    .poll(() => site.sql("select birthdate from profile where profile_name = ?", name))
    .toEqual([{ birthdate: "1990-05-17" }]);
}

async function uploadPicture(page: Page, color: string): Promise<void> {
  await page.goto("/profilePicUpload");
  const file = await sharp({ create: { width: 800, height: 1000, channels: 3, background: color } })
    .jpeg()
    .toBuffer();
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer: file });
  await page.waitForURL("**/profileEdit");
}

describe("the main path", () => {
  it("leads from the mail link to a reply in the other browser", async () => {
    const stamp = Date.now();
    // No other test uses the third brand.
    const first = await site.open({ viewport: PHONE, brand: "bramble", serviceWorker: true });
    const second = await site.open({ viewport: DESKTOP, brand: "bramble", serviceWorker: true });

    await register(first.page, `first-${stamp}@example.test`);
    await fillInProfile(first.page, "Firstman");
    await uploadPicture(first.page, "#a86");
    await register(second.page, `second-${stamp}@example.test`);
    await fillInProfile(second.page, "Secondman");
    await uploadPicture(second.page, "#68a");

    // Opening the map reports a position; then each finds the other among the tiles.
    for (const { page } of [first, second]) await page.goto("/search/map");
    await expect
      .poll(() => site.sql("select 1 from presence where profile_name in ('Firstman', 'Secondman')"), {
        timeout: 20_000,
      })
      .toHaveLength(2);

    await first.page.goto("/search/tile");
    await first.page
      .getByRole("link", { name: /Secondman/ })
      .first()
      .click();
    await first.page.waitForURL(/\/profile\/\d+/);
    await first.page
      .getByRole("heading", { name: /Secondman/ })
      .first()
      .waitFor();
    await first.page.getByRole("button", { name: "Like", exact: true }).first().click();
    await first.page.getByRole("button", { name: "Remove Like" }).first().waitFor();
    await first.page.getByRole("link", { name: "Chat", exact: true }).last().click();
    const message = `Good evening ${stamp}`;
    await first.page.getByRole("textbox", { name: "Message" }).fill(message);
    await first.page.getByRole("button", { name: "Send", exact: true }).click();
    await first.page.getByText(message).filter({ visible: true }).first().waitFor();

    await second.page.goto("/chat/personal");
    await second.page.getByText(message).filter({ visible: true }).first().click();
    const reply = `And to you ${stamp}`;
    await second.page.getByRole("textbox", { name: "Message" }).fill(reply);
    await second.page.keyboard.press("Enter");
    await first.page.getByText(reply).filter({ visible: true }).first().waitFor();

    const stored = await site.sql<{ like_type: string }>(
      "select like_type from profile_like l join profile p on p.id = l.liked_id where p.profile_name = 'Secondman'",
    );
    expect(stored).toEqual([{ like_type: "LIKE" }]);
    expect([...first.errors, ...second.errors]).toEqual([]);
    await first.context.close();
    await second.context.close();
  });
});
