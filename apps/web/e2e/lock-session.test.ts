/**
 * The session of a locked device: what its cookies open, and what remains when the lock is interrupted.
 *
 * @module-tag slow
 */
import { openSite, type TestSite } from "@lambda/testing/browser";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { enterPin, field, PIN, SECOND_PIN, setSecondPin, turnOnLock } from "./lock-scene.ts";
import { type BrowserMember, logIn, makeMember, PASSWORD } from "./members.ts";
import { clickButton } from "./page-actions.ts";

let site: TestSite;
let other: BrowserMember;
let me: BrowserMember;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  site = await openSite();
  other = await makeMember(site, { name: "Marco" });
});
beforeEach(async () => {
  me = await makeMember(site, { name: "Ansel", password: true });
  ({ context, page } = await site.open());
  await logIn(site, context, me, { freshProof: true });
});

/** The statuses of what a thief would ask for, with the cookies of this browser alone; and whether a socket opens. */
const askServer = (from: Page = page) =>
  from.evaluate(
    async ([mine, theirs]) => {
      const paths = [
        ...["settings", "conversations", "profiles/mine", "sessions", "profile-notes", "blocks", "profile-pics/mine"],
        ...["travel", "credits", "push-subscriptions", "notification-preferences", `profile/${theirs}`],
        ...[`profile-position/${mine}`, `messages/between/${mine}/${theirs}`],
      ];
      const statuses = await Promise.all(paths.map(async (path) => (await fetch(`/api/${path}`)).status));
      const socket = new WebSocket(`ws://${location.host}/ws`);
      const opened = await new Promise((resolve) => {
        socket.onmessage = () => resolve(200);
        socket.onclose = () => resolve(401);
      });
      socket.close();
      return [...new Set([...statuses, opened])];
    },
    [me.id, other.id] as const,
  );

const hasSecret = async () => (await context.cookies()).some(({ name }) => name === "plain_unlocked");
const isLockedAtServer = async () => {
  const [row] = await site.sql<{ lock_hash: string | null }>(
    "select lock_hash from session where account_id = ?",
    me.id,
  );
  return row && row.lock_hash !== null;
};
const waitForLockedPage = (from: Page = page) => from.getByRole("heading", { name: "Locked" }).waitFor();

/** Lets the server carry out the next calls for the lock, and loses its answers: for ever, or until the page is loaded again. */
const loseAnswers = (how: "fails" | "hangs") =>
  page.evaluate((kind) => {
    const real = window.fetch;
    window.fetch = async (...call) => {
      const response = await real(...call);
      if (!String(call[0]).endsWith("/session/lock")) return response;
      document.body.dataset.answered = "yes";
      if (kind === "hangs") await new Promise(() => undefined);
      throw new TypeError("the connection was lost");
    };
  }, how);

async function startTurningOn(): Promise<void> {
  await page.goto("/settings#lock");
  await clickButton(page, "Turn the lock on");
  await field(page, "New PIN").fill(PIN);
  await field(page, "Repeat the PIN").fill(PIN);
}
const submitSheet = (name: string) => page.getByRole("dialog").getByRole("button", { name }).click();

describe("a locked device", () => {
  it("opens no call and no socket with its cookies, however it was locked, and everything again with the PIN", async () => {
    await turnOnLock(page);
    expect([await askServer(), await hasSecret(), await isLockedAtServer()]).toEqual([[200], true, true]);
    await page.getByRole("radio", { name: "When I leave" }).check({ force: true });
    const leave = () =>
      page.evaluate(() => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
        document.dispatchEvent(new Event("visibilitychange"));
      });
    for (const lock of [() => clickButton(page, "Lock now"), () => page.reload(), leave]) {
      await Promise.all([page.waitForEvent("load"), lock()]);
      await waitForLockedPage();
      expect([await askServer(), await hasSecret()]).toEqual([[401], false]);
      await enterPin(page, PIN);
      await page.getByRole("button", { name: "Lock now" }).waitFor();
      expect([await askServer(), await hasSecret()]).toEqual([[200], true]);
    }
    // A page that is closed, and one that has left the site.
    await page.goto("about:blank");
    expect(await hasSecret()).toBe(false);

    await page.goto("/settings#lock");
    await enterPin(page, PIN);
    await clickButton(page, "Turn the lock off");
    await field(page, "Your PIN").fill(PIN);
    await submitSheet("Turn the lock off");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect([await askServer(), await hasSecret(), await isLockedAtServer()]).toEqual([[200], false, false]);
  });

  it("locks its other tabs at once, without a call of theirs", async () => {
    await turnOnLock(page);
    await page.route(/\/(trpc|api)\//, (route) => route.abort());
    const tab = await context.newPage();
    await tab.goto("/");
    await Promise.all([waitForLockedPage(tab), waitForLockedPage()]);
    await enterPin(tab, PIN);
    await tab.getByRole("link", { name: "Home" }).waitFor();
    expect(await askServer(tab)).toEqual([200]);
  });

  it("opens nothing after the second PIN, even if the network was off and the tab is closed at once", async () => {
    await setSecondPin(page);
    await context.setOffline(true);
    await enterPin(page, SECOND_PIN);
    await page.getByRole("heading", { name: "Notes" }).waitFor();
    expect(await hasSecret()).toBe(false);
    await page.close();
    await context.setOffline(false);
    const tab = await context.newPage();
    await tab.route("**/api/unlock", (route) => route.abort());
    await tab.goto("/");
    await tab.getByRole("heading", { name: "Notes" }).waitFor();
    expect(await askServer(tab)).toEqual([401]);
    await tab.unroute("**/api/unlock");
    await tab.reload();
    await expect.poll(() => site.sql("select 1 from session where account_id = ?", me.id)).toEqual([]);
  });
});

describe("a lock that is interrupted", () => {
  it("is not on when the server's answer is lost, and the session opens as before", async () => {
    await startTurningOn();
    await loseAnswers("fails");
    await submitSheet("Turn the lock on");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Turn the lock on" }).waitFor();
    await expect
      .poll(async () => [await askServer(), await hasSecret(), await isLockedAtServer()])
      .toEqual([[200], false, false]);
  });

  it("is not on when the page closes before the answer, even if the browser closes too", async () => {
    await startTurningOn();
    await loseAnswers("hangs");
    await submitSheet("Turn the lock on");
    await page.locator("body[data-answered]").waitFor();
    expect(await isLockedAtServer()).toBe(true);
    const cookies = await context.cookies();
    // It outlasts the browser.
    expect(cookies.find(({ name }) => name === "plain_unlocked")?.expires).toBeGreaterThan(0);
    await page.reload();
    await page.getByRole("button", { name: "Turn the lock on" }).waitFor();
    await expect
      .poll(async () => [await askServer(), await hasSecret(), await isLockedAtServer()])
      .toEqual([[200], false, false]);
  });

  it("is off when the page closes while it is turned off", async () => {
    await turnOnLock(page);
    await loseAnswers("hangs");
    await clickButton(page, "Turn the lock off");
    await field(page, "Your PIN").fill(PIN);
    await submitSheet("Turn the lock off");
    await page.locator("body[data-answered]").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Turn the lock on" }).waitFor();
    await expect
      .poll(async () => [await askServer(), await hasSecret(), await isLockedAtServer()])
      .toEqual([[200], false, false]);
  });

  it("leaves a way to log in when its secret is lost", async () => {
    await turnOnLock(page);
    await page.evaluate(() => localStorage.removeItem("lock"));
    await context.clearCookies({ name: "plain_unlocked" });
    await page.goto("/settings");
    await page.waitForURL(/\/login/);
    await page.getByLabel("Email").fill(me.email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("main").getByRole("button", { name: "Login" }).click();
    await page.waitForURL((url) => url.pathname !== "/login");
    expect(await askServer()).toEqual([200]);
  });
});
