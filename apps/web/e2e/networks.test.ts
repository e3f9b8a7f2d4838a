/** What a page makes of a network that loses, doubles and blocks. */
import { openSite, type TestSite } from "@lambda/testing/browser";
import type { Locator, Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { field, log, openPair, type Pair } from "./chat-page.ts";
import { insertConversation } from "./chat-scene.ts";
import { apiFor } from "./members.ts";
import { blockSockets, type Fault, playFault } from "./network-proxy.ts";
import { LONG_TIMEOUT, waitForHydration } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

const count = async (query: string, ...values: (string | number)[]) => (await site.sql(query, ...values)).length;

interface Act {
  readonly name: string;
  readonly call: RegExp;
  readonly screen: (pair: Pair) => string;
  /** Does it as a member would, and again if the page says that it failed. `happened` resolves when the network did what it does. */
  readonly act: (pair: Pair, happened: () => Promise<void>) => Promise<void>;
  readonly stored: (pair: Pair) => Promise<number>;
}

/** Presses a button, and again if the page then shows that it failed, until what was wanted is shown. */
async function pressUntil(button: Locator, happened: () => Promise<void>, failed: Locator, done: Locator) {
  await button.click();
  await happened();
  await failed.or(done).first().waitFor(LONG_TIMEOUT);
  if (!(await done.isVisible())) await button.click();
  await done.waitFor(LONG_TIMEOUT);
}

const ACTS: readonly Act[] = [
  {
    name: "a message",
    call: /messages\.send/,
    screen: ({ other }) => `/chat/personal?with=${other.id}`,
    act: async ({ page }, happened) => {
      await field(page).fill("only once");
      await field(page).press("Enter");
      await happened();
      await log(page)
        .getByText("Sent", { exact: true })
        .or(log(page).getByText("Delivered"))
        .first()
        .waitFor(LONG_TIMEOUT);
    },
    stored: ({ me }) => count("select id from message where sender_id = ?", me.id),
  },
  {
    name: "a like",
    call: /likes\.put/,
    screen: ({ other }) => `/profile/${other.id}`,
    act: async ({ page, me }, happened) => {
      const like = page.getByRole("button", { name: "Like", exact: true });
      const isOver = new Promise<void>((resolve) => {
        const end = (request: Request) => request.url().includes("likes.put") && resolve();
        page.on("requestfinished", end).on("requestfailed", end);
      });
      await like.click();
      await happened();
      await isOver;
      // A like whose answer was lost is there after a reload, whatever the page showed.
      await page.reload();
      if ((await count("select 1 from profile_like where liker_id = ?", me.id)) === 0) await like.click();
      await page.getByRole("button", { name: "Remove Like" }).waitFor(LONG_TIMEOUT);
      // It is shown before the server has it.
      await expect.poll(() => count("select 1 from profile_like where liker_id = ?", me.id)).toBe(1);
    },
    stored: ({ me }) => count("select 1 from profile_like where liker_id = ?", me.id),
  },
  {
    name: "an upload",
    call: /api\/profile-pic(\?|$)/,
    screen: () => "/profilePicUpload",
    act: async ({ page }, happened) => {
      await page.locator("input[type=file][multiple]").setInputFiles({
        name: "me.jpg",
        mimeType: "image/jpeg",
        buffer: await makeQuartersPicture(40, 40, [RED, GREEN, BLUE, YELLOW]),
      });
      await happened();
      const again = page.getByRole("button", { name: "Try again" });
      const done = page.getByText("Uploaded", { exact: true });
      await again.or(done).first().waitFor(LONG_TIMEOUT);
      if (await again.isVisible()) await again.click();
      await page.waitForURL("**/profileEdit", LONG_TIMEOUT);
    },
    stored: ({ me }) => count("select 1 from picture where profile_id = ?", me.id),
  },
  {
    name: "a report",
    call: /reports\.file/,
    screen: ({ other }) => `/profile/${other.id}`,
    act: async ({ page }, happened) => {
      await page.getByRole("button", { name: "Action" }).click();
      await page.getByRole("menuitem", { name: "Report Violation" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("combobox").selectOption("spam");
      await dialog.getByRole("textbox").fill("He sells something");
      const done = page.getByText(/^Thank you|already reported/).first();
      await pressUntil(dialog.getByRole("button", { name: "Report" }), happened, dialog.getByRole("alert"), done);
      await dialog.waitFor({ state: "hidden" });
    },
    stored: ({ other }) => count("select 1 from report where subject_id = ?", other.id),
  },
  {
    name: "a plan",
    call: /meets\.create/,
    screen: ({ other }) => `/chat/personal?with=${other.id}`,
    act: async ({ page }, happened) => {
      await page.getByRole("button", { name: "Action" }).click();
      await page.getByRole("menuitem", { name: "Meet safely" }).click();
      const sheet = page.getByRole("dialog");
      await sheet.getByLabel("PIN: I am fine").fill("2468");
      await sheet.getByLabel("Second PIN: help me").fill("1357");
      const made = sheet.getByRole("heading", { name: "Now send the link" });
      await pressUntil(sheet.getByRole("button", { name: "Make the plan" }), happened, sheet.getByRole("alert"), made);
      const link = new URL((await sheet.getByText(/\/meet\//).textContent()) ?? "");
      plans.push(link.pathname);
    },
    // The server knows a plan by its id alone, so the one that the page shows is the one that was made, if it can be answered.
    stored: async ({ page }) => {
      await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
      const bar = page.getByRole("complementary", { name: "Your plan" });
      await bar.getByRole("button", { name: "Answer" }).click();
      await page.getByRole("dialog").getByLabel("Your PIN").fill("2468");
      await page.getByRole("dialog").getByRole("button", { name: "I am fine" }).click();
      await page.getByText("Good. The plan has ended.").first().waitFor();
      return new Set(plans.splice(0)).size;
    },
  },
];
const plans: string[] = [];

/** Longer than any deadline of a call or an upload. */
const ALL_DEADLINES_MS = 95_000;

/** Plays the fault to the page's next such call. Of one that is never answered, the page's clock shows it the end. */
async function play(page: Page, call: RegExp, fault: Fault | "blocked"): Promise<() => Promise<void>> {
  if (fault === "blocked") return async () => undefined;
  const happened = await playFault(page, call, fault);
  return async () => {
    await happened();
    if (fault === "silent") await page.clock.fastForward(ALL_DEADLINES_MS);
  };
}

describe.each([
  ["whose answer is lost", "lost"],
  ["that arrives twice", "doubled"],
  ["that is never answered", "silent"],
  ["without sockets, while the browser says that it is offline", "blocked"],
] as const)("a call %s", (_, fault) => {
  const tags = fault === "lost" ? [] : ["slow"];
  const leavesOne = async ({ call, screen, act, stored }: Act) => {
    const pair = await openPair(site);
    if (fault === "blocked") await blockSockets(pair.page);
    if (fault === "silent") await pair.page.clock.install();
    await pair.page.goto(screen(pair));
    await act(pair, await play(pair.page, call, fault));
    expect(await stored(pair)).toBe(1);
    await pair.close();
  };
  // `npm test` plays each fault with a message, and one fault with everything.
  it.each(ACTS.slice(0, 1))("leaves one of $name", leavesOne);
  it.each(ACTS.slice(1))("leaves one of $name", { tags }, leavesOne);

  it("registers, and the mail's link logs in", { tags }, async () => {
    const email = `line-${fault}-${Date.now()}@example.test`;
    const { page, context } = await site.open();
    if (fault === "blocked") await blockSockets(page);
    if (fault === "silent") await page.clock.install();
    const happened = await play(page, /accounts\.register/, fault);
    const register = async () => {
      await page.goto("/register");
      await waitForHydration(page);
      await page.getByLabel("Email").fill(email);
      for (const box of await page.getByRole("checkbox").all()) await box.check();
      await page.getByRole("button", { name: "Send me a login link" }).click();
    };
    await register();
    await happened();
    if (fault === "silent") {
      await page.getByText("No mail after a few minutes", { exact: false }).waitFor();
      await register();
    }
    await page.goto(await site.loginLink(email));
    await page.getByRole("heading", { name: "Who's coming in?" }).waitFor();
    expect(await count("select 1 from account where email = ?", email)).toBe(1);
    await context.close();
  });
});

it("makes a plan although another call of the same moment gets no answer", { tags: "slow" }, async () => {
  const { page, me, other, close } = await openPair(site);
  await insertConversation(site, me, other, [[false, "hello", 60_000]], 1);
  await page.clock.install();
  await page.goto(`/chat/personal?with=${other.id}`);
  await log(page).getByText("hello").waitFor();
  await page.getByRole("button", { name: "Action" }).click();
  await page.getByRole("menuitem", { name: "Meet safely" }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("PIN: I am fine").fill("2468");
  await sheet.getByLabel("Second PIN: help me").fill("1357");
  const happened = await playFault(page, /messages\.read/, "silent");
  // While no timer runs, calls that are made wait for each other.
  await page.clock.pauseAt(Date.now() + 60_000);
  await sheet.getByRole("button", { name: "Make the plan" }).click();
  await (await apiFor(site, other)).fetch("/api/message", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ recipientProfileId: me.id, bodyText: "where are you?" }),
  });
  await page.getByText("where are you?").first().waitFor({ state: "attached" });
  await page.clock.runFor(100);
  await page.clock.resume();
  await happened();
  await sheet.getByRole("heading", { name: "Now send the link" }).waitFor();
  await close();
});

it("chats from memory in a browser whose databases never open, and says to keep the page open", {
  tags: "slow",
}, async () => {
  const { page, me, other, close } = await openPair(site);
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  await page.goto(`/chat/personal?with=${other.id}`);
  const write = async (text: string) => {
    await field(page).fill(text);
    await field(page).press("Enter");
  };
  const sent = () => count("select id from message where sender_id = ?", me.id);
  await write("from memory");
  await expect.poll(sent).toBe(1);
  await page.context().setOffline(true);
  await write("in a tunnel");
  const word = page.getByText("Keep this page open until your messages are sent");
  await word.waitFor();
  expect(await page.getByText("Your messages wait on this device").count()).toBe(0);
  await page.context().setOffline(false);
  await expect.poll(sent).toBe(2);
  await word.waitFor({ state: "detached" });
  await close();
});

it("asks before a logout that would lose waiting messages, also in another tab", async () => {
  const { page, other, close } = await openPair(site);
  await page.context().route(/messages\.send/, (route) => route.abort());
  await page.goto(`/chat/personal?with=${other.id}`);
  await field(page).fill("still here");
  await field(page).press("Enter");
  await log(page).getByText("still here").waitFor();
  const tab = await page.context().newPage();
  // It learns whose session this is from the server's answer alone.
  await tab.addInitScript(() => localStorage.removeItem("query-cache"));
  await tab.goto("/logout");
  await tab.getByText("One message hasn't been sent yet.", { exact: false }).waitFor();
  await tab.getByRole("link", { name: "Stay logged in" }).click();
  await tab.waitForURL("**/chat/personal");
  await tab.goto("/logout");
  await tab.getByRole("button", { name: "Log out anyway" }).click();
  await tab.waitForURL("**/login");
  await page.waitForURL("**/login");
  await log(page).waitFor({ state: "detached" });
  await close();
});
