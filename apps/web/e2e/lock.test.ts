/** The app lock and the second PIN: what they leave on the disk and send over the network. */

import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { readStored, readStoredValues } from "./chat-storage.ts";
import { enterPin, field, PIN, readBrowserStorage, SECOND_PIN, turnOnLock } from "./lock-scene.ts";
import { apiFor, type BrowserMember, logIn, makeMember, PASSWORD } from "./members.ts";
import { clickButton, waitForHydration } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

/** A dot, and the random number with which the page seals: it may be the same until the page is closed. */
const NONCE_CHARS = 24;
const DRAFT = "Shall we meet at the old harbour";

let site: TestSite;
let me: BrowserMember;
let other: BrowserMember;

beforeAll(async () => {
  site = await openSite();
  me = await makeMember(site, { name: "Ansel", password: true });
  other = await makeMember(site, { name: "Marco" });
});

/** Writes plain text into a sealed database, as a tab does that has not learned of the lock yet. */
const saveUnsealed = (page: Page, database: string, text: string) =>
  page.evaluate(
    ([name, value]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction("keyval", "readwrite");
          transaction.objectStore("keyval").put(value, "unsealed");
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    [database, text] as const,
  );

/** Delays each encryption, as a busy phone does, and lets the lock wait for it longer than the second after which it reloads the page. */
const slowEncryption = (page: Page) =>
  page.evaluate(() => {
    const { setTimeout } = window;
    const { encrypt } = SubtleCrypto.prototype;
    SubtleCrypto.prototype.encrypt = async function (...args) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return encrypt.apply(this, args);
    };
    const wait = (act: () => void, ms = 0) => setTimeout(act, ms === 1000 ? 20_000 : ms);
    window.setTimeout = wait as typeof setTimeout;
  });

/** Hides the page, as switching to another app does. */
async function hidePage(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
}

async function showPage(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => false });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "visible" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
}

const bodyVisibility = (page: Page) => page.evaluate(() => getComputedStyle(document.body).visibility);

const readDrafts = async (page: Page) =>
  (await readBrowserStorage(page)).split("\n").find((line) => line.startsWith('["drafts"'));

/** Waits until the draft is on the device, where nobody reads it without the device's key. */
async function waitForDraft(page: Page): Promise<void> {
  await expect.poll(() => readStoredValues(page, "drafts").catch(() => [])).toEqual([DRAFT]);
  expect(await readBrowserStorage(page)).not.toContain(DRAFT);
}

describe("an app lock", () => {
  it("covers the page at once, seals stored data, keeps a draft, and erases everything after ten wrong PINs", async () => {
    const { context, page, errors } = await site.open();
    await logIn(site, context, me, { freshProof: true });
    await page.goto(`/chat/personal?with=${other.id}`);
    const message = page.getByRole("textbox", { name: "Message" });
    await message.fill(DRAFT);
    await waitForDraft(page);
    await page.evaluate(() => localStorage.setItem("lastLocation", JSON.stringify({ lat: 33.4484, lon: -112.074 })));

    await turnOnLock(page);
    const sealed = await readBrowserStorage(page);
    for (const secret of [DRAFT, "33.44", `${me.id}:${other.id}`, "Ansel", "profileId"])
      expect(sealed).not.toContain(secret);

    // Away for less than the chosen minute: the page is covered, then shown again without a PIN.
    await page.goto(`/chat/personal?with=${other.id}`);
    await enterPin(page, PIN);
    await expect.poll(() => message.inputValue()).toBe(DRAFT);
    const earlier = await readDrafts(page);
    await message.fill(`${DRAFT} at six`);
    await hidePage(page);
    expect(await bodyVisibility(page)).toBe("hidden");
    expect(await page.locator("[data-cover]").isVisible()).toBe(true);
    await showPage(page);
    expect(await bodyVisibility(page)).toBe("visible");
    await expect.poll(() => readDrafts(page)).not.toBe(earlier);

    await page.goto("/settings#lock");
    await enterPin(page, PIN);
    await page.getByRole("radio", { name: "When I leave" }).check({ force: true });
    expect(await findBarriers(page)).toEqual([]);
    await page.goto(`/chat/personal?with=${other.id}`);
    await enterPin(page, PIN);
    await expect.poll(() => message.inputValue()).toBe(`${DRAFT} at six`);
    await slowEncryption(page);
    await message.fill(`${DRAFT} at seven`);
    const calls: string[] = [];
    await Promise.all([page.waitForEvent("load"), hidePage(page)]);
    page.on("request", (request) => calls.push(new URL(request.url()).pathname));
    await page.getByRole("heading", { name: "Locked" }).waitFor();
    expect(await page.title()).toBe("Notes");
    expect(await page.locator("body").innerText()).not.toMatch(/Ember|Marco|harbour/);
    expect(await findBarriers(page)).toEqual([]);
    // What cannot be the PIN costs no try.
    await enterPin(page, "72O4");
    await page.getByText("Only digits belong here, and “O” (U+004F) is none.").waitFor();
    await enterPin(page, "0000");
    await page.getByText("That's not the PIN. 9 more tries.").waitFor();
    expect(calls.filter((path) => /^\/(api|trpc|ws)/.test(path))).toEqual([]);
    await saveUnsealed(page, "drafts", "saved by another tab");
    await enterPin(page, PIN);
    await expect.poll(() => message.inputValue()).toBe(`${DRAFT} at seven`);
    expect(await readBrowserStorage(page)).not.toContain("saved by another tab");

    await page.reload();
    for (let count = 0; count < 10; count += 1) {
      // Reloading does not reset the count.
      if (count === 5) await page.reload();
      await enterPin(page, "0000");
      await page
        .getByText(count === 9 ? "Everything here was erased" : `${9 - count} more tr`)
        .or(page.getByText("One more try."))
        .first()
        .waitFor();
    }
    await clickButton(page, "Start again");
    await page
      .getByRole("link", { name: /log ?in/i })
      .first()
      .waitFor();
    const left = await readBrowserStorage(page);
    for (const name of ["lock", "query-cache", "lastLocation", "seven"]) expect(left).not.toContain(name);
    expect(await site.sql("select 1 from session where account_id = ?", me.id)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("loses nothing when the page is closed while the data is being sealed", { tags: "slow" }, async () => {
    const { context, page } = await site.open();
    await logIn(site, context, other);
    await page.goto(`/chat/personal?with=${me.id}`);
    const message = page.getByRole("textbox", { name: "Message" });
    await message.fill(DRAFT);
    await waitForDraft(page);
    await page.evaluate(() => localStorage.setItem("earlier", '"saved before"'));
    await page.goto("/settings#lock");
    const readEarlier = () => page.evaluate(() => localStorage.getItem("earlier"));
    await expect.poll(readEarlier).not.toContain("before");
    const before = await readEarlier();
    await clickButton(page, "Turn the lock on");
    await field(page, "New PIN").fill(PIN);
    await field(page, "Repeat the PIN").fill(PIN);
    // Local storage is sealed under the new key, then the database of drafts does not answer anymore.
    await page.evaluate((value) => {
      const { transaction } = IDBDatabase.prototype;
      IDBDatabase.prototype.transaction = function (...args) {
        if (this.name === "drafts" && localStorage.getItem("earlier") !== value) throw new Error("the page is closing");
        return transaction.apply(this, args);
      };
    }, before);
    await page.getByRole("dialog").getByRole("button", { name: "Turn the lock on" }).click();
    await expect.poll(readEarlier).not.toBe(before);

    await page.goto(`/chat/personal?with=${me.id}`);
    await enterPin(page, PIN);
    await expect.poll(() => message.inputValue()).toBe(DRAFT);
    await page.goto("/settings#lock");
    await enterPin(page, PIN);
    await clickButton(page, "Turn the lock off");
    await field(page, "Your PIN").fill(PIN);
    await page.getByRole("dialog").getByRole("button", { name: "Turn the lock off" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await readStored(page, "earlier")).toBe("saved before");
    expect(await readStoredValues(page, "drafts")).toEqual([DRAFT]);
  });

  it("allows leaving for the picture picker, but locks when the page is left after that", {
    tags: "slow",
  }, async () => {
    const { context, page } = await site.open();
    await logIn(site, context, other);
    await turnOnLock(page);
    await page.getByRole("radio", { name: "When I leave" }).check({ force: true });
    const files = {
      name: "one.jpg",
      mimeType: "image/jpeg",
      buffer: await makeQuartersPicture(80, 100, [RED, RED, RED, RED]),
    };
    const removals = page.getByRole("button", { name: "Remove picture" });
    const choosePicture = async () => {
      const chooser = page.waitForEvent("filechooser");
      await clickButton(page, "Add to message");
      await page.getByRole("menuitem", { name: "Picture", exact: true }).click();
      return chooser;
    };
    for (const isChosenBeforeReturn of [false, true]) {
      await page.goto(`/chat/personal?with=${me.id}`);
      await enterPin(page, PIN);
      const chooser = await choosePicture();
      await hidePage(page);
      if (isChosenBeforeReturn) await chooser.setFiles(files);
      await showPage(page);
      if (!isChosenBeforeReturn) await chooser.setFiles(files);
      await removals.first().waitFor();
      // On a desktop, the page stays visible behind the picker.
      await (await choosePicture()).setFiles(files);
      await expect.poll(() => removals.count()).toBe(2);
      await Promise.all([page.waitForEvent("load"), hidePage(page)]);
      await page.getByRole("heading", { name: "Locked" }).waitFor();
    }
  });

  it("locks after the time away, even if the device's clock was set back meanwhile", { tags: "slow" }, async () => {
    const { context, page } = await site.open();
    await logIn(site, context, other);
    await turnOnLock(page);
    await page.getByRole("radio", { name: "After 1 min" }).check({ force: true });
    await hidePage(page);
    await page.evaluate(() => {
      const [dateNow, pageNow] = [Date.now, performance.now.bind(performance)];
      Date.now = () => dateNow() - 2 * 86_400_000;
      performance.now = () => pageNow() + 61_000;
    });
    await Promise.all([page.waitForEvent("load"), showPage(page)]);
    await page.getByRole("heading", { name: "Locked" }).waitFor();
    await context.close();
  });
});

it("Back closes what lies on top while the lock hides addresses, and keeps what was typed", {
  tags: "slow",
}, async () => {
  const { context, page } = await site.open({ viewport: DESKTOP });
  const member = await makeMember(site, { name: "Ansel" });
  const partner = await makeMember(site, { name: "Bruno" });
  const api = await apiFor(site, partner);
  await api.upload(await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]));
  await logIn(site, context, member, { freshProof: true });
  await turnOnLock(page);
  // Every screen has the address of the home page, so the router moves without loading the page.
  const open = (path: string) =>
    page.evaluate((to) => {
      history.pushState(null, "", to);
    }, path);
  const isFollowed = () => expect.poll(() => page.evaluate(() => history.state?.layer?.depth ?? 0)).toBeGreaterThan(0);
  const closeByBack = async (shown: Locator) => {
    await shown.waitFor();
    await isFollowed();
    await page.goBack();
    await shown.waitFor({ state: "hidden" });
    expect(await page.evaluate(() => location.pathname + location.search + location.hash)).toBe("/");
  };

  await open(`/chat/personal?with=${partner.id}`);
  const menu = page.getByRole("button", { name: "Action" });
  const report = page.getByRole("menuitem", { name: "Report" });
  const words = page.getByRole("dialog").getByRole("textbox");
  await page.getByRole("textbox", { name: "Message" }).fill("half a message");
  await menu.click();
  await closeByBack(report);
  await menu.click();
  await report.click();
  await words.fill("He wrote that");
  await closeByBack(page.getByRole("dialog"));
  await menu.click();
  await report.click();
  expect(await words.inputValue()).toBe("He wrote that");
  await closeByBack(page.getByRole("dialog"));
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("half a message");

  await open("/search/tile");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("dialog").getByRole("switch").first().click();
  await closeByBack(page.getByRole("dialog"));
  await page.getByRole("button", { name: "Filters" }).click();
  expect(await page.getByRole("dialog").getByRole("switch").first().getAttribute("aria-checked")).toBe("true");
  await closeByBack(page.getByRole("dialog"));

  await open(`/profile/${partner.id}`);
  const name = page.getByRole("heading", { name: "Bruno" }).first();
  await page.locator("main a:has(img)").first().click();
  await name.waitFor({ state: "hidden" });
  await page.goBack();
  await name.waitFor();
  // And then Back leaves the screen.
  await page.goBack();
  await page.getByRole("button", { name: "Filters" }).waitFor();
  await context.close();
});

describe("a second PIN", () => {
  it("opens a page of notes, sends the same request as the first PIN, and refuses every login until the recovery words end that", {
    tags: "slow",
  }, async () => {
    const { context, page, errors } = await site.open();
    await logIn(site, context, me);
    const elsewhere = await site.open();
    await logIn(site, elsewhere.context, me);
    await elsewhere.page.goto("/settings");
    const watcher = await site.open();
    await logIn(site, watcher.context, other);
    await watcher.page.goto(`/profile/${me.id}`);
    await watcher.page.getByText("Ansel").first().waitFor();

    await turnOnLock(page);
    await clickButton(page, "Set a second PIN");
    await field(page, "Your PIN").fill(PIN);
    await field(page, "Second PIN").fill(PIN);
    await field(page, "Repeat the PIN").fill(PIN);
    await page.getByLabel("A first note").fill("Milk, bread, coffee");
    expect(await findBarriers(page)).toEqual([]);
    const save = page.getByRole("dialog").getByRole("button", { name: "Save" });
    await save.click();
    await page.getByText("different from your PIN").waitFor();
    const before = await readBrowserStorage(page);
    await field(page, "Second PIN").fill(SECOND_PIN);
    await field(page, "Repeat the PIN").fill(SECOND_PIN);
    await save.click();
    // An unlocked phone is not enough to lock its owner out.
    await page.getByLabel("Current password").fill(PASSWORD);
    await clickButton(page, "Confirm");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    // The length of the stored record must not reveal the second PIN.
    const recordOf = (disk: string) => JSON.parse(disk.split("\n")[0] ?? "{}").lock as string;
    const after = recordOf(await readBrowserStorage(page));
    expect(after.length).toBe(recordOf(before).length);
    // Nor may two generations have anything in common by which one could see what changed.
    const partsOf = (record: string) => record.slice(NONCE_CHARS).match(/.{20}/g) ?? [];
    expect(partsOf(after).filter((part) => recordOf(before).includes(part))).toEqual([]);
    await page.route(/\/assets\/english-/, (route) => route.abort());
    await clickButton(page, "Recovery words");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.unroute(/\/assets\/english-/);
    // Chromium loads a failed module again only in a new page.
    await page.reload();
    await enterPin(page, PIN);
    await clickButton(page, "Recovery words");
    const listed = page.getByRole("dialog").getByRole("listitem");
    await expect.poll(() => listed.count()).toBe(8);
    const words = await listed.allInnerTexts();
    await clickButton(page, "I've written them down");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    const unlock = async (pin: string) => {
      await page.goto("/");
      // This cookie exists for some seconds after any write, so it would make the requests differ.
      await context.clearCookies({ name: "plain_wrote" });
      const sent = page.waitForRequest((request) => request.method() === "POST");
      await enterPin(page, pin);
      const request = await sent;
      const response = await request.response();
      const headerLengths = (headers: Record<string, string>) =>
        Object.entries(headers)
          .filter(([name]) => !/^(x-request-id|x-d1-|date$)/.test(name))
          .map(([name, value]) => [name, value.length]);
      return {
        path: new URL(request.url()).pathname,
        sent: [request.postData()?.length, headerLengths(await request.allHeaders())],
        received: [response?.status(), headerLengths((await response?.allHeaders()) ?? {})],
      };
    };
    const first = await unlock(PIN);
    expect(first.path).toBe("/api/unlock");
    await page.getByRole("link", { name: "Home" }).waitFor();
    const second = await unlock(SECOND_PIN);
    expect(second).toEqual(first);

    await page.getByRole("heading", { name: "Notes" }).waitFor();
    await page.getByText("Milk, bread, coffee").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await clickButton(page, "New note");
    await page.getByRole("textbox").fill("Call the dentist");
    await clickButton(page, "Done");
    const calls: string[] = [];
    page.on("request", (request) => calls.push(new URL(request.url()).pathname));
    await page.goto("/settings");
    await page.getByText("Call the dentist").waitFor();
    expect(await page.title()).toBe("Notes");
    expect(calls.filter((path) => /^\/(api|trpc|ws)/.test(path))).toEqual([]);
    const left = await readBrowserStorage(page);
    // What is sealed is random letters, and has some of these words now and then.
    expect(left.replace(recordOf(left), "")).not.toMatch(/sync|notes|Milk|dentist|query-cache|geo|Ansel|drafts.*:/);
    // The notes lie where the lock lay, in as many bytes.
    expect(recordOf(left).length).toBe(after.length);
    expect(await page.evaluate(() => document.cookie)).toBe("");

    await elsewhere.page.goto("/settings");
    await elsewhere.page.waitForURL(/\/login/);
    await watcher.page.reload();
    await watcher.page.getByText("This profile isn't available.").waitFor();
    expect(await watcher.page.getByText("Ansel").count()).toBe(0);

    const logInWith = async (password: string) => {
      await elsewhere.page.goto("/login");
      await waitForHydration(elsewhere.page);
      await elsewhere.page.getByLabel("Email").fill(me.email);
      await elsewhere.page.getByLabel("Password", { exact: true }).fill(password);
      await elsewhere.page.getByRole("main").getByRole("button", { name: "Login" }).click();
    };
    await logInWith(PASSWORD);
    await elsewhere.page.getByText("Password and/or Email address is incorrect").waitFor();
    await logInWith(words.join(" "));
    await elsewhere.page.getByText("The lock-down is over. Log in now as you always do.").waitFor();
    await logInWith(PASSWORD);
    await elsewhere.page.waitForURL((url) => url.pathname !== "/login");
    await elsewhere.page.goto("/settings#lock");
    await elsewhere.page.getByRole("button", { name: "Turn the lock on" }).waitFor();
    expect([...errors, ...watcher.errors].filter((error) => !/40[14]/.test(error))).toEqual([]);
  });
});
