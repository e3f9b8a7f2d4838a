/** Keys, filled fields and Back, as phones, input methods and password managers send them. */
import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember, PASSWORD } from "./members.ts";
import { makeNearby, newPlace } from "./nearby.ts";
import { LONG_TIMEOUT, waitForHydration } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

/** Fills a field as a password manager may: without any event, and past what the page's script could see. */
const fillSilently = (field: Locator, text: string) =>
  field.evaluate((element, value) => {
    const prototype = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(prototype.prototype, "value")?.set?.call(element, value);
  }, text);

async function openMember(path: string, name = "Ansel") {
  const member = await makeMember(site, { name, password: true });
  const opened = await site.open({ viewport: DESKTOP });
  await logIn(site, opened.context, member, { freshProof: true });
  await opened.page.goto(path);
  return { member, ...opened };
}

describe("fields that are filled without an event", () => {
  it("log in", async () => {
    const member = await makeMember(site, { password: true });
    const { page, context } = await site.open();
    await page.goto("/login");
    await waitForHydration(page);
    await fillSilently(page.getByLabel("Email"), member.email);
    await fillSilently(page.getByLabel("Password", { exact: true }), PASSWORD);
    await page.getByLabel("Remember me").check();
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByRole("heading", { name: "Hello, Marco." }).waitFor();
    await context.close();
  });

  it("register, and log in by the code from the mail", async () => {
    const email = `filled-${Date.now()}@example.test`;
    const { page, context } = await site.open();
    await page.goto("/register");
    await waitForHydration(page);
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await fillSilently(page.getByLabel("Email"), email);
    await page.getByLabel("Email").click();
    await page.getByRole("button", { name: "Send me a login link" }).click();
    await fillSilently(page.getByLabel("Six-digit code"), await site.loginDigits(email));
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL("**/welcome");
    await context.close();
  });

  it("reach a form through a sheet's own button, and a field that its button waits for", { tags: "slow" }, async () => {
    const { page, context } = await openMember("/settings#lock");
    await page.getByRole("button", { name: "Turn the lock on" }).click();
    const sheet = page.getByRole("dialog");
    await fillSilently(sheet.getByLabel("New PIN"), "8642");
    await fillSilently(sheet.getByLabel("Repeat the PIN"), "8643");
    await sheet.getByRole("button", { name: "Turn the lock on" }).click();
    await sheet.getByText("The two PINs aren't the same.").waitFor();
    await page.goto("/transparency");
    const verify = page.getByRole("button", { name: "Check my case" });
    await verify.waitFor();
    await fillSilently(page.getByLabel("Case reference"), "00ff00ff00ff00ff00ff00ff");
    // Playwright waits for an enabled button; a person presses, and again if what still loads has moved it.
    await expect
      .poll(async () => {
        await verify.click({ force: true });
        return verify.isEnabled();
      })
      .toBe(true);
    await context.close();
  });

  it("are sent where the browser chose an option, also when the member types afterwards", {
    tags: "slow",
  }, async () => {
    const other = await makeMember(site, { name: "Bruno" });
    const { page, context } = await openMember(`/chat/personal?with=${other.id}`);
    await page.getByRole("button", { name: "Action" }).click();
    await page.getByRole("menuitem", { name: "Meet safely" }).click();
    const sheet = page.getByRole("dialog");
    const choose = (label: string, value: string) =>
      sheet.getByLabel(label).evaluate((element, chosen) => Object.assign(element, { value: chosen }), value);
    await sheet.getByRole("textbox", { name: "Where" }).fill("Bar Central");
    await choose("In which country", "ES");
    await sheet.getByLabel("PIN: I am fine").fill("2468");
    await sheet.getByLabel("Second PIN: help me").fill("1357");
    expect(await sheet.getByLabel("In which country").inputValue()).toBe("ES");
    await choose("You will be back in", "4");
    const sent = page.waitForRequest((request) => request.url().includes("meets.create"));
    // By a key, because a press of the pointer announces what was filled before it.
    await sheet.getByLabel("Second PIN: help me").press("Enter");
    expect((await sent).postDataJSON()[0]).toMatchObject({ runsMs: 4 * 3_600_000 });
    await context.close();
  });

  it("change the password in the settings, and send what is controlled elsewhere", { tags: "slow" }, async () => {
    const { page, context, member } = await openMember("/settings");
    await fillSilently(page.getByLabel("New password"), "a quite new passphrase");
    await page.getByLabel("Repeat").fill("a quite new passphrase");
    await page.getByRole("button", { name: "Save", exact: true }).first().click();
    await page.getByText("Saved", { exact: false }).first().waitFor();
    const [account] = await site.sql<{ password_hash: string }>(
      "select password_hash from account where id = ?",
      member.id,
    );
    expect(account?.password_hash).toBeTruthy();
    await page.goto("/contactus");
    await fillSilently(page.getByLabel("Full name"), "A filled name");
    await fillSilently(page.getByRole("textbox", { name: "Message" }), "A filled letter");
    const sent = page.waitForRequest((request) => request.url().includes("contact.send"));
    await page.getByRole("button", { name: "Submit" }).click();
    expect((await sent).postData()).toMatch(/A filled name.*A filled letter/s);
    await context.close();
  });
});

it("a held Enter sends a refused login once, and a shown password is neither corrected nor checked by a service", {
  tags: "slow",
}, async () => {
  const member = await makeMember(site, { password: true });
  const { page, context } = await site.open({ viewport: DESKTOP });
  await page.goto("/login");
  await waitForHydration(page);
  let logins = 0;
  page.on("request", (request) => {
    if (request.url().includes("accounts.login")) logins += 1;
  });
  const isHeldIgnored = () =>
    page.evaluate(() => {
      const held = { key: "Enter", repeat: true, bubbles: true, cancelable: true };
      return !document.body.dispatchEvent(new KeyboardEvent("keydown", held));
    });
  await expect.poll(isHeldIgnored, LONG_TIMEOUT).toBe(true);
  await page.getByLabel("Email").fill(member.email);
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("not this one");
  await page.getByRole("button", { name: "Show password" }).click();
  expect(
    await password.evaluate(({ type, autocapitalize, spellcheck }: HTMLInputElement) => [
      type,
      autocapitalize,
      spellcheck,
    ]),
  ).toEqual(["text", "none", false]);
  await password.focus();
  const refused = () => page.waitForResponse((response) => response.url().includes("accounts.login"));
  await Promise.all([refused(), page.keyboard.down("Enter")]);
  await page.getByRole("alert").first().waitFor();
  for (const _ of [1, 2, 3]) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await Promise.all([refused(), page.keyboard.press("Enter")]);
  expect(logins).toBe(2);
  await context.close();
});

it("a password that is too long is said to be that", async () => {
  const { page, context } = await openMember("/settings");
  for (const label of ["New password", "Repeat"]) await page.getByLabel(label).fill("long pass phrase ".repeat(20));
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await page.getByText("too long: at most 256 characters").waitFor();
  await context.close();
});

describe("what cannot be right", () => {
  /** Types what looks like digits, and reads the sentence and the field. */
  async function typeDigits(field: Locator, text: string, page: Page) {
    await field.fill(text);
    const alert = page.getByRole("alert").filter({ hasText: "U+" });
    await alert.waitFor();
    return [await alert.innerText(), await field.inputValue()];
  }

  it("is named in the field, in both languages, and what looks right is taken", async () => {
    const other = await makeMember(site, { name: "Bruno" });
    const { page, context } = await openMember(`/chat/personal?with=${other.id}`);
    await page.getByRole("button", { name: "Action" }).click();
    await page.getByRole("menuitem", { name: "Meet safely" }).click();
    const pin = page.getByRole("dialog").getByLabel("PIN: I am fine");
    expect(await typeDigits(pin, "24O8", page)).toEqual(["Only digits belong here, and “O” (U+004F) is none.", "248"]);
    await pin.fill("２ ٤\u200B-68");
    expect(await pin.inputValue()).toBe("2468");
    expect(await page.getByRole("alert").filter({ hasText: "U+" }).count()).toBe(0);

    await page.goto("/transparency");
    await page.getByLabel("Case reference").fill("00ff-00fg");
    await page.getByRole("button", { name: "Check my case" }).click();
    await page.getByText("contains “g” (U+0067), which does not belong there").waitFor();

    const newcomer = await makeMember(site);
    await site.sql("update profile set birthdate = null where id = ?", newcomer.id);
    const spanish = await site.open({ viewport: DESKTOP, locale: "es-ES" });
    await logIn(site, spanish.context, newcomer);
    await spanish.page.goto("/welcome");
    const day = spanish.page.getByLabel("Día");
    expect((await typeDigits(day, "l2", spanish.page))[0]).toBe("Aquí solo van cifras, y “l” (U+006C) no lo es.");
    await day.fill("٢٩");
    expect(await day.inputValue()).toBe("29");
    await spanish.context.close();
    await context.close();
  });

  it("is named for addresses and codes from a mail", { tags: "slow" }, async () => {
    const { page, context } = await site.open();
    await page.goto("/login");
    await waitForHydration(page);
    await page.getByLabel("Email").fill("marco;polo@example.test");
    await page.getByLabel("Password", { exact: true }).fill("whatever it was");
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("The address contains “;” (U+003B), which does not belong there.").waitFor();

    const email = `letter-${Date.now()}@example.test`;
    await page.goto("/register");
    await waitForHydration(page);
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send me a login link" }).click();
    const code = page.getByLabel("Six-digit code");
    expect(await typeDigits(code, "12З45", page)).toEqual([
      "Only digits belong here, and “З” (U+0417) is none.",
      "1245",
    ]);
    await context.close();
  });
});

/** Presses Enter as an input method does to confirm a word; in Safari this comes after the composition. */
const confirmWord = (field: Locator, init: { isComposing?: boolean; keyCode?: number }) =>
  field.evaluate(
    (element, options) =>
      element.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...options }),
      ),
    init,
  );

describe("the Enter of an input method", () => {
  it("confirms a word in the composer, and sends nothing", async () => {
    const other = await makeMember(site, { name: "Bruno" });
    const { page, context } = await openMember(`/chat/personal?with=${other.id}`);
    const field = page.getByRole("textbox", { name: "Message" });
    await field.fill("かんじ");
    await confirmWord(field, { isComposing: true });
    await confirmWord(field, { keyCode: 229 });
    expect(await field.inputValue()).toBe("かんじ");
    await confirmWord(field, { keyCode: 13 });
    await expect.poll(() => field.inputValue()).toBe("");
    // What nobody would see is nothing to send.
    await field.fill("\u200B\u2800 ");
    await confirmWord(field, { keyCode: 13 });
    expect(await field.inputValue()).toBe("\u200B\u2800 ");
    expect(await page.getByRole("button", { name: "Send", exact: true }).count()).toBe(0);
    await context.close();
  });
});

/** Waits until what lies on top has an entry of its own in the history. */
const isFollowed = (page: Page) =>
  expect.poll(() => page.evaluate(() => history.state?.layer?.depth ?? 0), LONG_TIMEOUT).toBeGreaterThan(0);

describe("Back", () => {
  it("closes what lies on top, loses nothing typed, and then leaves the screen at once", async () => {
    const other = await makeMember(site, { name: "Bruno" });
    const { page, context, errors } = await openMember("/aboutus");
    await page.goto(`/chat/personal?with=${other.id}`);
    const path = () => page.evaluate(() => location.pathname + location.search);
    const menu = page.getByRole("button", { name: "Action" });
    const report = page.getByRole("menuitem", { name: "Report" });
    const words = page.getByRole("dialog").getByRole("textbox");

    // Opened before the part that follows Back starts, and followed from then on.
    await menu.click();
    await isFollowed(page);
    await page.goBack();
    await report.waitFor({ state: "hidden" });
    expect(await path()).toBe(`/chat/personal?with=${other.id}`);

    await menu.click();
    await report.click();
    await words.fill("He wrote that");
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await path()).toBe(`/chat/personal?with=${other.id}`);
    await menu.click();
    await report.click();
    expect(await words.inputValue()).toBe("He wrote that");

    // Closed by its button, it leaves nothing for Back to close.
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.goBack();
    await page.waitForURL("**/aboutus");
    await page.goForward();
    await menu.waitFor();
    await page.goBack();
    await page.waitForURL("**/aboutus");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("closes the filters, which keep what was chosen, and a link out of a menu can be gone back from", {
    tags: "slow",
  }, async () => {
    const { page, context } = await openMember("/aboutus");
    await page.goto("/search/tile");
    const online = page.getByRole("dialog").getByRole("switch").first();
    await page.getByRole("button", { name: "Filters" }).click();
    await online.click();
    await isFollowed(page);
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Filters" }).click();
    expect(await online.getAttribute("aria-checked")).toBe("true");
    await page.getByRole("button", { name: /^Show/ }).click();
    await page.getByRole("button", { name: /^Filters/ }).click();
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.goBack();
    await page.waitForURL("**/aboutus");
    await context.close();
  });

  it("closes the card on the map, even if it was opened before Back is followed, and the navigation, and then leaves", {
    tags: "slow",
  }, async () => {
    const sea = newPlace();
    const [me, other] = [await makeNearby(site, sea, "Ansel"), await makeNearby(site, sea, "Bruno", 0.02)];
    const { page, context, errors } = await site.open({ viewport: PHONE });
    await logIn(site, context, me);
    const view = JSON.stringify({ ...sea, zoom: 12 });
    await context.addInitScript((saved) => localStorage.setItem("mapViewState", saved), view);
    await page.goto("/aboutus");
    await page.goto("/search/map");
    const path = () => page.evaluate(() => location.pathname);
    const card = page.getByRole("region", { name: "Bruno" });
    const marker = page.locator(`[data-member="${other.id}"]`);
    await marker.click();
    await card.waitFor();
    await page.goBack();
    await card.waitFor({ state: "detached" });
    expect(await path()).toBe("/search/map");
    // Closed by Escape, it leaves nothing for Back to close.
    await marker.click();
    await card.waitFor();
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    // Dialogs are followed from two seconds on.
    await page.waitForTimeout(2500);
    await page.getByRole("button", { name: "Open navigation" }).click();
    await page.getByRole("button", { name: "Close navigation" }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Open navigation" }).waitFor();
    expect(await path()).toBe("/search/map");
    await page.goBack();
    await page.waitForURL("**/aboutus");
    expect(errors).toEqual([]);
    await context.close();
  });
});
