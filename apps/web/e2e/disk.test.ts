/** What Chromium writes into its profile folder, which outlives the page, the session and the browser. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { readStoredValues } from "./chat-storage.ts";
import { enterPin, PIN, SECOND_PIN, setSecondPin } from "./lock-scene.ts";
import { type BrowserMember, logIn, makeMember } from "./members.ts";
import { clickButton, waitForHydration } from "./page-actions.ts";

const DRAFT = "Shall we meet at the old harbour";
const NAME = "Anselmus the Ferryman";
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

it("keeps nothing that was typed for restoring a tab or for suggestions", async () => {
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
  await logIn(site, context, me);
  await page.goto(`/chat/personal?with=${other.id}`);
  const message = page.getByRole("textbox", { name: "Message" });
  await message.pressSequentially(DRAFT);
  await message.blur();
  await page.goto("/aboutus");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await context.close();
  expect(findOnDisk("/aboutus", /Sessions/)).not.toEqual([]);
  for (const text of [DRAFT, ADDRESS]) expect(findOnDisk(text, /Sessions|Web Data|Login Data/)).toEqual([]);
});

it("keeps nothing readable of a member: without a lock, while locked, and after the second PIN", async () => {
  let page = await openBrowser();
  await logIn(site, context, me, { freshProof: true });
  const writeDraft = async () => {
    await page.goto(`/chat/personal?with=${other.id}`);
    if (await page.getByRole("heading", { name: "Locked" }).isVisible()) await enterPin(page, PIN);
    await page.getByRole("textbox", { name: "Message" }).fill(DRAFT);
  };
  await writeDraft();
  await expect.poll(() => readStoredValues(page, "drafts").catch(() => [])).toEqual([DRAFT]);
  const secrets = [DRAFT, NAME, ADDRESS, "dentist"];
  const found = () => secrets.flatMap((text) => findOnDisk(text, /./));
  await context.close();
  expect(found()).toEqual([]);

  page = await openBrowser();
  await logIn(site, context, me, { freshProof: true });
  await setSecondPin(page);
  await context.close();
  expect(found()).toEqual([]);

  page = await openBrowser();
  await page.goto("/");
  await enterPin(page, SECOND_PIN);
  await clickButton(page, "New note");
  await page.getByRole("textbox").fill("Call the dentist");
  await clickButton(page, "Done");
  await context.close();
  expect(found()).toEqual([]);
});
