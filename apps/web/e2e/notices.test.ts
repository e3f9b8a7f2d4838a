import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { fileNotice, parseReceiptLink } from "@lambda/testing/notices";
import { makeScenePng } from "@lambda/testing/scene-picture";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createActors } from "./community-scene.ts";
import { apiFor } from "./members.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

/** A visitor's notice from the form to the owner's objection, seen by visitor, owner, another member and admin. */
let site: TestSite;
const { addActor, closeActors } = createActors(() => site);
beforeAll(async () => {
  site = await openSite();
  await site.sql("delete from account");
});
afterAll(async () => {
  // A hidden picture returns 404 to everybody.
  expect((await closeActors()).filter((error) => !/ 404/.test(error))).toEqual([]);
});

async function waitForMail(address: string): Promise<string> {
  const read = async () => {
    const mails = (await (await fetch(`http://localhost:${site.port}/dev/mail.json`)).json()) as {
      to: string;
      text: string;
    }[];
    return mails.find(({ to }) => to === address)?.text ?? "";
  };
  await expect.poll(read, LONG_TIMEOUT).not.toBe("");
  return read();
}

it("a picture that a visitor attaches to a notice is hidden at once, removed by an admin, and restored after its owner objects", {
  tags: "slow",
}, async () => {
  const owner = await addActor({ name: "Owner" });
  const other = await addActor({ name: "Other" });
  const admin = await addActor({ name: "Admin", adminBrand: "ember" });
  const { id: picture } = await (await apiFor(site, owner)).upload(makeScenePng(7));
  const pictureStatus = async () =>
    (await other.send("GET", `/api/profile-pic/${picture}`).catch(() => ({ status: 200 }))).status;
  expect(await pictureStatus()).toBe(200);

  const visitor = await site.open({ viewport: PHONE, brand: "ember" });
  const { page } = visitor;
  await page.goto(site.url("/"));
  await page.locator("footer").getByRole("link", { name: "Remove an image" }).click();
  await page.getByRole("heading", { name: "Remove an intimate picture" }).waitFor();
  await page.getByRole("button", { name: "Ask for its removal" }).click();
  await page.getByText("Say where it is, or choose the picture above.").waitFor();
  // The first missing field has the focus.
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("radio");
  await page.getByRole("radio", { name: "I am the person in the picture" }).check();
  const file = { name: "mine.png", mimeType: "image/png", buffer: makeScenePng(7, { width: 384, height: 480 }) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByText("Chosen: mine.png").waitFor();
  await page.getByLabel("Your full name").fill("Ann Example");
  await page.getByLabel("Email address").fill("ann@example.test");
  await page.getByRole("checkbox", { name: /I believe in good faith/ }).check();
  // As if strangers had filed many in her name: the page does more work by itself, and says so.
  const tooEasy = { code: "TOO_MANY_REQUESTS", field: "proof", reason: "TOO_EASY", message: "Many notices" };
  const data = { code: "TOO_MANY_REQUESTS", httpStatus: 429, error: tooEasy };
  await page.route(
    /notices\.file/,
    (route) => route.fulfill({ status: 429, json: [{ error: { message: "Many notices", code: -32_029, data } }] }),
    { times: 1 },
  );
  await page.getByRole("button", { name: "Ask for its removal" }).click();
  await page.getByText("so this takes longer").waitFor();
  await page.getByRole("heading", { name: "We have your notice." }).waitFor({ timeout: 60_000 });

  const { ref, secret, code } = parseReceiptLink(await waitForMail("ann@example.test"));
  // With the full stop of a sentence, as some mail programs read a link.
  const receipt = site.url(`/notice/${ref}#${secret}.${code}.`);
  await page.goto(receipt);
  await page.getByText("People are looking at it.").waitFor();
  await expect.poll(pictureStatus, LONG_TIMEOUT).toBe(404);

  await admin.page.goto(site.url("/dashboard?section=notices"));
  await admin.page.getByRole("link", { name: ref }).waitFor();
  await admin.page.keyboard.press("j");
  await admin.page.keyboard.press("Enter");
  await admin.page.getByText("hidden, hidden at once").waitFor();
  await admin.page.keyboard.press("r");
  await admin.page.keyboard.type("It shows somebody who did not agree.");
  await admin.page.keyboard.press("Tab");
  await admin.page.keyboard.press("Tab");
  await admin.page.keyboard.press("Enter");
  await admin.page.getByRole("link", { name: "Back to the list" }).click();
  await admin.page.getByText("Nothing is waiting here.").waitFor();

  await page.reload();
  await page.getByText("Decided: we removed what it is about").waitFor();
  await page.getByText("It shows somebody who did not agree.").waitFor();

  await owner.page.goto(site.url("/games/dungeon"));
  await owner.page.getByRole("heading", { name: "A picture of yours was removed" }).waitFor();
  await owner.page.getByRole("button", { name: "Object", exact: true }).click();
  await owner.page.getByLabel("Why should it stay?").fill("It shows nobody but me, and I put it here.");
  await owner.page.getByRole("button", { name: "Send the objection" }).click();
  await owner.page.getByText("We have received your objection.").waitFor();

  await admin.page.getByRole("radio", { name: "Objections" }).check();
  await admin.page.getByRole("link", { name: ref }).waitFor();
  await admin.page.keyboard.press("j");
  await admin.page.keyboard.press("Enter");
  await admin.page.getByText("It shows nobody but me, and I put it here.").waitFor();
  await admin.page.keyboard.press("r");
  await admin.page.keyboard.type("It is the owner alone.");
  await admin.page.getByRole("button", { name: "Uphold the objection" }).press("Enter");
  await admin.page.getByRole("link", { name: "Back to the list" }).click();
  await admin.page.getByText("Nothing is waiting here.").waitFor();
  expect(await pictureStatus()).toBe(200);
  await page.reload();
  await page.getByText("and the picture may stay").waitFor();

  // She was not the only one to use her address: she ends that.
  const origin = `http://localhost:${site.port}`;
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { ...init, headers: { ...init.headers, origin } });
  expect((await fileNotice({ fetch: api }, { email: "eve@example.test" })).status).toBe(201);
  const named = parseReceiptLink(await waitForMail("eve@example.test"));
  await page.goto(site.url(`/notice/${named.ref}#${named.secret}.${named.code}.no`));
  await page.getByRole("button", { name: "I did not file it" }).click();
  await page.getByText("You get no more of these mails.").waitFor();
  await admin.page.getByRole("radio", { name: "Open" }).check();
  await admin.page.getByRole("link", { name: named.ref }).click();
  await admin.page.getByText("The owner of this address says someone else filed it.").waitFor();
  expect(visitor.errors.filter((error) => !/ 429/.test(error))).toEqual([]);
  await visitor.context.close();
});
