/**
 * What Chromium writes into its profile folder, which outlives the page, the session and the browser.
 *
 * @module-tag slow
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { insertConversation } from "./chat-scene.ts";
import { readStoredValues } from "./chat-storage.ts";
import { enterPin, field, PIN, SECOND_PIN, setSecondPin, turnOnLock } from "./lock-scene.ts";
import { type BrowserMember, logIn, makeMember } from "./members.ts";
import { clickButton, waitForHydration } from "./page-actions.ts";

const DRAFT = "Shall we meet at the old harbour";
const LOCKED_DRAFT = ", below the green lighthouse";
const CONTROL = "in the clear";
const FILTERS = "?characteristics=bear";
const NAME = "Anselmus the Ferryman";
const PLACE = 41.3871;
const ADDRESS = "harbour.master@example.test";

let site: TestSite;
let me: BrowserMember;
let other: BrowserMember;
let folder: string;
let context: BrowserContext;

beforeAll(async () => {
  site = await openSite();
  me = await makeMember(site, { name: NAME, email: ADDRESS, password: true });
  other = await makeMember(site, { name: "Marco" });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "profile-"));
});
afterEach(async () => {
  await context.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openBrowser(): Promise<Page> {
  context = await chromium.launchPersistentContext(folder, {
    executablePath: findChromium({ windows: true }) ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
    viewport: PHONE,
    locale: "en-US",
    baseURL: site.url(""),
  });
  return context.pages()[0] ?? context.newPage();
}

/** The files of a part of the profile folder that contain a text, as bytes or as UTF-16. */
function findOnDisk(text: string, part: RegExp): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => part.test(path.slice(folder.length)))
    .filter((path) => {
      const bytes = readFileSync(path);
      return bytes.includes(text) || bytes.includes(Buffer.from(text, "utf16le"));
    });
}

/** Types a message in a conversation, leaves it unsent and closes the browser. */
async function leaveDraft(page: Page): Promise<void> {
  await logIn(site, context, me);
  await page.goto(`/chat/personal?with=${other.id}`);
  const message = page.getByRole("textbox", { name: "Message" });
  await message.pressSequentially(DRAFT);
  await message.blur();
  await page.goto("/aboutus");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await context.close();
}

it("keeps nothing that was typed for restoring a tab or for suggestions", async () => {
  const undefended = await openBrowser();
  await context.addInitScript(() => {
    const { setAttribute } = Element.prototype;
    Element.prototype.setAttribute = function (name, value) {
      if (name.toLowerCase() !== "autocomplete") setAttribute.call(this, name, value);
    };
  });
  await leaveDraft(undefended);
  expect(findOnDisk(DRAFT, /Sessions/)).not.toEqual([]);

  rmSync(folder, { recursive: true, force: true });
  const page = await openBrowser();
  await page.goto("/login");
  await waitForHydration(page);
  const email = page.getByLabel("Email");
  // Password managers and passkeys need it before anything is typed.
  expect(await email.getAttribute("autocomplete")).toBe("username webauthn");
  await email.pressSequentially(ADDRESS);
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
  await page.getByRole("alert").first().waitFor();
  await page.goto("/aboutus");
  await leaveDraft(page);
  expect(findOnDisk("/aboutus", /Sessions/)).not.toEqual([]);
  for (const text of [DRAFT, ADDRESS]) expect(findOnDisk(text, /Sessions|Web Data|Login Data/)).toEqual([]);
});

it("keeps nothing readable of a member: without a lock, while locked, after the second PIN, and after a logout", async () => {
  let page = await openBrowser();
  // What a page stores in the clear is found.
  await page.goto("/aboutus");
  for (const storage of ["localStorage", "sessionStorage"] as const)
    await page.evaluate(([name, text]) => window[name].setItem("theme", `${name} ${text}`), [
      storage,
      CONTROL,
    ] as const);
  await context.close();
  for (const storage of ["localStorage", "sessionStorage"])
    expect(findOnDisk(`${storage} ${CONTROL}`, /./), storage).not.toEqual([]);

  page = await openBrowser();
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: PLACE, longitude: 2.1703 });
  await logIn(site, context, me, { freshProof: true });
  await page.goto("/search/map");
  // Sealed, so only that something was stored.
  const isPlaceStored = () => page.evaluate(() => localStorage.getItem("lastLocation") !== null);
  await expect.poll(isPlaceStored).toBe(true);
  await page.goto(`/chat/personal?with=${other.id}`);
  await page.getByRole("textbox", { name: "Message" }).fill(DRAFT);
  await expect.poll(() => readStoredValues(page, "drafts").catch(() => [])).toEqual([DRAFT]);
  await page.goto(`/search/tile${FILTERS}`);
  await page.getByRole("button", { name: "Remove filter Bear" }).waitFor();
  const secrets = [DRAFT, LOCKED_DRAFT, NAME, ADDRESS, String(PLACE), "dentist", "plumber"];
  // An address of a search stands in the history, as long as there is no lock.
  const found = () => [
    ...secrets.flatMap((text) => findOnDisk(text, /./)),
    ...findOnDisk(FILTERS.slice(1), /Storage|IndexedDB/),
  ];
  await context.close();
  expect(found()).toEqual([]);

  page = await openBrowser();
  await logIn(site, context, me, { freshProof: true });
  await setSecondPin(page, "Call the plumber");
  await enterPin(page, PIN);
  await page.goto(`/chat/personal?with=${other.id}`);
  await enterPin(page, PIN);
  const message = page.getByRole("textbox", { name: "Message" });
  await expect.poll(() => message.inputValue()).toBe(DRAFT);
  await message.pressSequentially(LOCKED_DRAFT);
  await page.goto("/search/tile");
  await enterPin(page, PIN);
  await page.getByRole("button", { name: "Remove filter Bear" }).waitFor();
  await page.goto(`/chat/personal?with=${other.id}`);
  await enterPin(page, PIN);
  await expect.poll(() => message.inputValue()).toBe(DRAFT + LOCKED_DRAFT);
  await context.close();
  expect(found()).toEqual([]);

  page = await openBrowser();
  await page.goto("/");
  await enterPin(page, SECOND_PIN);
  await page.getByText("Call the plumber").waitFor();
  await clickButton(page, "New note");
  await page.getByRole("textbox").fill("Call the dentist");
  await clickButton(page, "Done");
  await context.close();
  expect(found()).toEqual([]);

  rmSync(folder, { recursive: true, force: true });
  page = await openBrowser();
  await logIn(site, context, me);
  await page.goto(`/chat/personal?with=${other.id}`);
  await page.getByRole("textbox", { name: "Message" }).fill(DRAFT);
  await expect.poll(() => readStoredValues(page, "drafts").catch(() => [])).toEqual([DRAFT]);
  await page.goto("/logout");
  await page.waitForURL(/\/login/);
  await context.close();
  expect(found()).toEqual([]);
});

it("does not tell by the generations of the lock's record what was changed", async () => {
  const page = await openBrowser();
  await logIn(site, context, me, { freshProof: true });
  const generations: string[] = [];
  const keep = async () => {
    generations.push(await page.evaluate(() => localStorage.lock));
  };
  await setSecondPin(page, "", keep);
  await enterPin(page, "9999");
  await page.getByText("That's not the PIN.", { exact: false }).waitFor();
  await keep();
  await enterPin(page, PIN);
  await page.getByRole("navigation").first().waitFor();
  await keep();
  const kinds = [...generations];
  expect(new Set(kinds.map(({ length }) => length)).size).toBe(1);
  for (const [index, one] of kinds.entries())
    for (const next of kinds.slice(index + 1)) {
      const same = [...one].filter((character, at) => character === next[at]).length;
      // One character in 64 is the same by chance.
      expect(same / one.length).toBeLessThan(1 / 16);
    }
});

it("names nobody in the history and restored tabs while the lock is on, and still leads back", async () => {
  await insertConversation(site, me, other, [[false, "Are you there?", 60_000]]);
  const page = await openBrowser();
  await logIn(site, context, me);
  await turnOnLock(page);
  await clickButton(page, "Turn the lock off");
  await field(page, "Your PIN").fill(PIN);
  await page.getByRole("dialog").getByRole("button", { name: "Turn the lock off" }).click();
  await page.getByRole("button", { name: "Turn the lock on" }).waitFor();
  // As without a lock.
  expect(new URL(page.url()).pathname).toBe("/settings");
  await turnOnLock(page);
  await page.getByRole("link", { name: "Chat", exact: true }).first().click();
  await page.getByRole("link", { name: /Marco/ }).first().click();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const openProfile = page.getByRole("link", { name: "Marco" }).first();
  await openProfile.click();
  const profile = page.getByRole("heading", { name: /Marco/ });
  await profile.waitFor();
  expect([new URL(page.url()).pathname, await page.title()]).toEqual(["/", "Ember"]);
  await page.goBack();
  await page.getByRole("textbox", { name: "Message" }).waitFor();

  await page.reload();
  await enterPin(page, PIN);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.goForward();
  await profile.waitFor();
  await page.goBack();
  const [tab] = await Promise.all([context.waitForEvent("page"), openProfile.click({ modifiers: ["Control"] })]);
  await enterPin(tab, PIN);
  await tab.getByRole("heading", { name: /Marco/ }).waitFor();
  await context.close();
  expect(findOnDisk("http://", /\/History$/)).not.toEqual([]);
  const names = [`profile/${other.id}`, `with=${other.id}`, "Marco", NAME, "/chat/", "Profile"];
  expect(
    names.flatMap((text) => findOnDisk(text, /History|Sessions|Favicons|Top Sites|Shortcuts|Local State/)),
  ).toEqual([]);
  const ids = names.slice(0, 2);
  expect([...ids, NAME].flatMap((text) => findOnDisk(text, /./))).toEqual([]);
});
