/**
 * Kills the server in the middle of actions that keep members safe: every promise must hold with the data left on disk.
 *
 * @module-tag slow
 */
import { type Cell, cellPrecision } from "@lambda/geo/grid";
import { waitFor } from "@lambda/testing/wait-for";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { enterPin, PIN, readBrowserStorage, SECOND_PIN, setSecondPin, turnOnLock } from "./lock-scene.ts";
import { apiFor, type BrowserMember, makeMember, PASSWORD } from "./members.ts";
import { KAMPALA, makeNearby } from "./nearby.ts";
import { clickButton, LONG_TIMEOUT } from "./page-actions.ts";
import { addAuthenticator, addPasskey, openLoginWithoutSession, waitForLogin } from "./passkey-device.ts";
import { BLUE, makeQuartersPicture } from "./picture-members.ts";
import { type OpenedBrowser, openRestartableSite, type RestartableSite } from "./restartable-site.ts";
import { loseFirstOpenResponse, requestOpening, sendViewOncePicture } from "./view-once-scene.ts";

const WAITING = "The key is under the third stone";
const OPENER = "Good evening, I like your smile and the boat behind you";

/** One promise to a member: what happens before the kill, while the server is down, and after its restart. */
interface Scene {
  /** The last action that the server acknowledged. */
  readonly beforeKill?: () => Promise<void>;
  readonly whileDown?: () => Promise<void>;
  readonly afterRestart: () => Promise<void>;
}

/** Fetches a path with the page's session; returns the status. */
const statusOf = (page: Page, path: string) => page.evaluate(async (url) => (await fetch(url)).status, path);

/** Closes browsers; fails when a screen crashed while the server was down. */
async function close(...opened: OpenedBrowser[]): Promise<void> {
  expect(opened.flatMap(({ errors }) => errors)).toEqual([]);
  await Promise.all(opened.map(({ context }) => context.close()));
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** Two view-once pictures, one of them being opened; their sender has an app lock and writes while the server is down. */
async function openOnceAndOutbox(): Promise<Scene> {
  const sender = await makeMember(site, { name: "Marco" });
  const reader = await makeMember(site, { name: "Ansel" });
  const [mine, theirs] = await Promise.all([site.open(sender), site.open(reader)]);
  const [mineLog, theirLog] = [mine.page.getByRole("log"), theirs.page.getByRole("log")];
  const opening = theirLog.getByRole("button", { name: "Open once" });
  const picture = theirs.page.getByRole("img", { name: "Picture, shown once" });
  const width = () => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth);
  const outboxLength = async () =>
    (await readBrowserStorage(mine.page)).split("\n").find((line) => line.startsWith('["outbox"'))?.length;
  const closePicture = async () => {
    await expect.poll(width).toBe(400);
    await theirs.page.getByRole("button", { name: "Close" }).click();
    await picture.waitFor({ state: "detached" });
  };
  await theirs.page.goto(`/chat/personal?with=${sender.id}`);
  await turnOnLock(mine.page);
  await mine.page.goto("/settings#disguise");
  await enterPin(mine.page, PIN);
  await mine.page.getByText("Weather", { exact: true }).click();
  await mine.page.goto(`/chat/personal?with=${reader.id}`);
  await enterPin(mine.page, PIN);
  await sendViewOncePicture(mine.page);
  await opening.waitFor();
  await sendViewOncePicture(mine.page);
  await opening.nth(1).waitFor();
  const messages = await site.sql<{ id: number }>("select message_id as id from once_view order by id");
  return {
    beforeKill: async () => {
      expect(site.listObjectKeys("once/")).not.toEqual([]);
      await loseFirstOpenResponse(theirs.page);
      await opening.first().click();
      await theirs.page.locator("body[data-answered='200']").waitFor();
    },
    whileDown: async () => {
      await theirs.page.evaluate(() => dispatchEvent(new Event("dead")));
      const emptyLength = await outboxLength();
      await write(mine.page, WAITING);
      await mineLog.getByText(WAITING).waitFor();
      await waitFor(async () => expect(await outboxLength()).toBeGreaterThan(emptyLength ?? 0));
      expect(await readBrowserStorage(mine.page)).not.toContain(WAITING);
      // The member leaves the page until the network is back.
      await mine.page.goto("about:blank");
    },
    afterRestart: async () => {
      // Only the page that opened it may ask again, with the same opening id.
      await picture.waitFor();
      expect(await requestOpening(theirs.page, messages[0]!.id, "a-raw-request-afterwards")).toBe(404);
      await closePicture();
      await opening.click();
      await closePicture();
      await expect.poll(() => theirLog.getByText(/^Opened/).count()).toBe(2);
      for (const { id } of messages) expect(await requestOpening(theirs.page, id, "a-raw-request-of-closed")).toBe(404);
      await expect.poll(() => site.listObjectKeys("once/")).toEqual([]);
      expect(await site.sql("select 1 from picture where audience = 'once'")).toEqual([]);

      await mine.page.goto(`/chat/personal?with=${reader.id}`);
      await mine.page.getByRole("heading", { name: "Locked" }).waitFor();
      expect(await mine.page.title()).toBe("Weather");
      expect(await mine.page.locator("body").innerText()).not.toMatch(/Ember|Ansel|stone/);
      expect(await theirLog.getByText(WAITING).count()).toBe(0);
      // Pages reconnect within a random 30 s after a crash, and at once when they become visible.
      await theirs.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await enterPin(mine.page, PIN);
      await theirLog.getByText(WAITING).waitFor();
      // Before an answer the sender learns of no opening.
      await expect.poll(() => mineLog.getByText("Not opened yet").count()).toBe(2);
      expect(await mineLog.getByText(WAITING).count()).toBe(1);
      expect(await theirLog.getByText(WAITING).count()).toBe(1);
      expect(await site.sqlOnAllDatabases("select 1 from message where sender_id = ?", sender.id)).toHaveLength(3);
      await close(mine, theirs);
    },
  };
}

/** Two phones enter the second PIN: one before the kill, with an acknowledged request, the other while the server is down. */
async function secondPins(): Promise<Scene> {
  const acknowledged = await makeMember(site, { name: "Ansel", password: true });
  const offline = await makeMember(site, { name: "Bruno", password: true });
  const watcher = await site.open(await makeMember(site, { name: "Marco" }));
  const [phone, offlinePhone] = await Promise.all([
    site.open(acknowledged, { freshProof: true }),
    site.open(offline, { freshProof: true }),
  ]);
  const [elsewhere, second] = await Promise.all([site.open(acknowledged), site.open(offline)]);
  await Promise.all([phone, offlinePhone].map(({ page }) => setSecondPin(page)));
  await Promise.all([elsewhere, second].map(({ page }) => page.goto("/settings")));
  await watcher.page.goto("/aboutus");
  const profileStatus = (member: BrowserMember) => statusOf(watcher.page, `/api/profile/${member.id}`);
  expect([await profileStatus(acknowledged), await profileStatus(offline)]).toEqual([200, 200]);
  return {
    beforeKill: async () => {
      const response = phone.page.waitForResponse(/\/api\/unlock$/);
      await enterPin(phone.page, SECOND_PIN);
      expect((await response).status()).toBe(204);
    },
    whileDown: async () => {
      await phone.page.getByRole("heading", { name: "Notes" }).waitFor();
      await enterPin(offlinePhone.page, SECOND_PIN);
      await offlinePhone.page.getByRole("heading", { name: "Notes" }).waitFor();
      // The queued lock-down request stays on the device, where nobody can tell.
      await waitFor(async () =>
        expect(await readBrowserStorage(offlinePhone.page)).not.toMatch(/sync|notes|query-cache|Bruno/),
      );
    },
    afterRestart: async () => {
      expect(await profileStatus(acknowledged)).toBe(404);
      await elsewhere.page.goto("/settings");
      await elsewhere.page.waitForURL(/\/login/);
      await elsewhere.page.getByLabel("Email").fill(acknowledged.email);
      await elsewhere.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await elsewhere.page.getByRole("main").getByRole("button", { name: "Login" }).click();
      await elsewhere.page.getByText("Password and/or Email address is incorrect").waitFor();

      await offlinePhone.page.goto("/settings");
      await offlinePhone.page.getByRole("heading", { name: "Notes" }).waitFor();
      await expect.poll(() => profileStatus(offline)).toBe(404);
      await second.page.goto("/settings");
      await second.page.waitForURL(/\/login/);
      const left = await site.sql("select 1 from session where account_id in (?, ?)", acknowledged.id, offline.id);
      expect(left).toEqual([]);
      await close(phone, offlinePhone, elsewhere, second, watcher);
    },
  };
}

/** One member with a passkey on each of two devices, one of which is removed. */
async function passkeys(): Promise<Scene> {
  const member = await makeMember(site, { name: "Keyholder" });
  const [phone, tablet] = await Promise.all([1, 2].map(() => site.open(member, { freshProof: true })));
  if (!phone || !tablet) throw new Error("two browsers are needed");
  for (const { page, context } of [phone, tablet]) {
    await addAuthenticator(await context.newCDPSession(page));
    await page.goto("/settings#passkeys");
  }
  await addPasskey(phone.page, "My phone");
  await addPasskey(tablet.page, "My tablet");
  return {
    beforeKill: async () => {
      await clickButton(tablet.page, "Remove My tablet");
      await tablet.page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
      await tablet.page.getByRole("button", { name: "Remove My tablet" }).waitFor({ state: "detached" });
    },
    afterRestart: async () => {
      // The virtual authenticators respond as soon as a login field offers passkeys.
      await Promise.all([openLoginWithoutSession(phone.page), openLoginWithoutSession(tablet.page)]);
      await waitForLogin(phone.page);
      await tablet.page.getByText("This passkey opens no account here").waitFor();
      expect(new URL(tablet.page.url()).pathname).toBe("/login");
      await close(phone, tablet);
    },
  };
}

/** An unwanted word, and an opener that was sent to somebody else before. */
async function firstMessages(): Promise<Scene> {
  const reader = await makeMember(site, { name: "Rafael" });
  const third = await makeMember(site, { name: "Tomas" });
  const sender = await makeMember(site, { name: "Sergio" });
  const [mine, theirs] = await Promise.all([site.open(reader), site.open(sender)]);
  await mine.page.goto("/settings#words");
  await mine.page.getByLabel("Word", { exact: true }).fill("n00ds");
  await clickButton(mine.page, "Add word");
  await mine.page.getByRole("button", { name: "Remove n00ds" }).waitFor();
  await theirs.page.goto(`/chat/personal?with=${third.id}`);
  const log = theirs.page.getByRole("log");
  return {
    beforeKill: async () => {
      await write(theirs.page, `${OPENER}.`);
      const sent = "select 1 from message where sender_id = ?";
      await waitFor(async () => expect(await site.sqlOnAllDatabases(sent, sender.id)).toHaveLength(1));
    },
    afterRestart: async () => {
      await theirs.page.goto(`/chat/personal?with=${reader.id}`);
      await write(theirs.page, `${OPENER}!`);
      await theirs.page.getByText("You already sent this to someone else.").waitFor();
      await write(theirs.page, "Send noods");
      await log.getByText("Send noods").waitFor();
      const kept = "select filtered from message where sender_id = ? and recipient_id = ?";
      await expect.poll(() => site.sqlOnAllDatabases(kept, sender.id, reader.id)).toEqual([{ filtered: 1 }]);
      await mine.page.goto(`/chat/personal?with=${sender.id}`);
      await mine.page.getByRole("textbox", { name: "Message" }).waitFor();
      expect(await mine.page.getByText("Send noods").count()).toBe(0);
      await close(mine, theirs);
    },
  };
}

/** A member who has arrived in a country that punishes and has not chosen how to be shown. */
async function stay(): Promise<Scene> {
  const localApi = await apiFor(site, await makeNearby(site, KAMPALA, "Okello"));
  const guest = await makeMember(site, { name: "Anton" });
  const file = await makeQuartersPicture(40, 50, [BLUE, BLUE, BLUE, BLUE]);
  const explicit = await (await apiFor(site, guest)).upload(file, { nsfw: true });
  const mine = await site.open(guest, { geolocation: { latitude: KAMPALA.lat, longitude: KAMPALA.lon } });
  const { page } = mine;
  await mine.context.addInitScript((id) => {
    localStorage.getItem("geo") ?? localStorage.setItem("geo", JSON.stringify({ use: "device", override: null }));
    localStorage.setItem("geo_account", JSON.stringify(id));
  }, guest.id);
  const profile = async () => (await localApi.fetch(`/api/profile/${guest.id}`)).status;
  const picture = async () => (await localApi.fetch(`/api/profile-pic/nsfw/${explicit.id}?scale_x=256`)).status;
  const precision = async () => {
    const [row] = await site.sql<{ cell: Cell }>("select cell from position where profile_id = ?", guest.id);
    return row && cellPrecision(row.cell);
  };
  expect([await profile(), await picture()]).toEqual([200, 200]);
  await page.goto("/support");
  const heading = page.getByRole("heading", { name: "You seem to be in or near Uganda" });
  await heading.waitFor(LONG_TIMEOUT);
  await waitFor(async () => expect(await precision()).toBe("city"));
  return {
    whileDown: async () => {
      await page.getByRole("radio", { name: "Others, to within about 5 km" }).check();
      await clickButton(page, "Keep this while I am here");
    },
    afterRestart: async () => {
      expect([await profile(), await picture()]).toEqual([404, 404]);
      // The page that was open during the kill still works.
      await heading.waitFor();
      await clickButton(page, "Keep this while I am here");
      await page.getByText("Kept until you leave.").waitFor();
      expect([await profile(), await picture(), await precision()]).toEqual([200, 404, "city"]);
      await close(mine);
    },
  };
}

const PROMISES: readonly (readonly [promise: string, begin: () => Promise<Scene>])[] = [
  ["view-once pictures open once, and messages queued under a lock arrive once", openOnceAndOutbox],
  ["a second PIN locks the account down, whether it was entered before or after the kill", secondPins],
  ["a passkey logs in, and a removed one does not", passkeys],
  ["unwanted words and repeated openers stay blocked", firstMessages],
  ["protection in a country that punishes stays in force", stay],
];

let site: RestartableSite;
let scenes: readonly Scene[] = [];
beforeAll(async () => {
  site = await openRestartableSite();
  scenes = await Promise.all(PROMISES.map(([, begin]) => begin()));
  // The opening of the view-once picture comes last: its page may repeat it for a minute only.
  const [viewOnce, ...others] = scenes;
  await Promise.all(others.map(({ beforeKill }) => beforeKill?.()));
  await viewOnce?.beforeKill?.();
  await site.kill();
  await Promise.all(scenes.map(({ whileDown }) => whileDown?.()));
  await site.start();
}, 300_000);
afterAll(() => site.close());

for (const [index, [promise]] of PROMISES.entries())
  it(`${promise}, even when the server is killed`, () => scenes[index]?.afterRestart());
