import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, expect, it } from "vitest";
import { apiFor, logIn, makeMember } from "./members.ts";
import { makeNearby, newPlace } from "./nearby.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

it("a notification tells whose it is and how long ago, and further pictures in Details open", async () => {
  const place = newPlace();
  const me = await makeNearby(site, place, "Ansel");
  const other = await makeNearby(site, place, "Tomas", 0.01);
  const api = await apiFor(site, other);
  await api.upload(await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]));
  const second = await api.upload(await makeQuartersPicture(400, 500, [BLUE, YELLOW, RED, GREEN]));
  await site.sql(
    "insert into notification (profile_id, kind, about_id, body_text, body_es, url, brand, ts_created) values (?, 'like', ?, 'Someone likes you', 'Le gustas a alguien', ?, 'ember', ?)",
    me.id,
    other.id,
    "/likes/profilelikedyou",
    Date.now() - 2 * 3_600_000 - 60_000,
  );
  const { page, context, errors } = await site.open({ viewport: PHONE });
  await logIn(site, context, me);
  await page.goto("/notifications");
  const row = page.getByRole("main").getByRole("button", { name: /Someone likes you/ });
  await row.getByText("2h ago").waitFor();
  await row.getByText(/^Tomas, \d+$/).waitFor();
  await row.locator("img").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  // Whatever the account's language, or that of the time when it was written.
  await page.goto("/settings#look");
  await page.getByLabel("Language").selectOption("es");
  await page.goto("/notifications");
  await page.getByText("Le gustas a alguien").waitFor();
  await page.evaluate(() => localStorage.removeItem("locale"));

  await page.goto("/search/profile");
  await page.getByRole("link", { name: "Picture 2 of 2" }).click();
  await page.waitForURL(`**/profilePicCarousel?profileId=${other.id}&id=${second.id}**`);
  expect(errors).toEqual([]);
  await context.close();
});

it("a push about news that are gone takes its notification away, and leaves others", async () => {
  const { page, context, errors } = await site.open({ notifications: true });
  const devTools = await context.newCDPSession(page);
  const registrationId = new Promise<string>((resolve) =>
    devTools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ scopeURL, isDeleted }) => !isDeleted && new URL(scopeURL).pathname === "/");
      if (found) resolve(found.registrationId);
    }),
  );
  await devTools.send("ServiceWorker.enable");
  await page.goto("/aboutus");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const push = async (news: object) =>
    devTools.send("ServiceWorker.deliverPushMessage", {
      origin: new URL(page.url()).origin,
      registrationId: await registrationId,
      data: JSON.stringify({ title: "Ember", body: "News", url: "/notifications", ...news }),
    });
  const shown = () =>
    page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ tag }) => tag));
  // Sent again until it shows: Chromium may lose one that follows the end of another at once.
  const pushUntilShown = (kind: string, expected: readonly string[]) =>
    expect
      .poll(
        async () => {
          await push({ kind });
          return (await shown()).toSorted();
        },
        { interval: 1000 },
      )
      .toEqual(expected);
  await pushUntilShown("message", ["message"]);
  await push({ kind: "message", gone: true });
  await expect.poll(shown).toEqual([]);
  await pushUntilShown("like", ["like"]);
  await pushUntilShown("message", ["like", "message"]);
  await push({ kind: "message", gone: true });
  await expect.poll(shown).toEqual(["like"]);
  expect(errors).toEqual([]);
  await context.close();
});

it("lists notifications, and a click opens the target and deletes the notification", async () => {
  const me = await makeMember(site, { name: "Ansel" });
  const { page, context } = await site.open();
  await logIn(site, context, me);
  await page.goto("/notifications");
  await page.getByText("None", { exact: true }).waitFor();
  await site.sql(
    "insert into notification (profile_id, kind, body_text, url, brand, ts_created) values (?, 'game', 'You were tagged', '/games', 'ember', ?), (?, 'game', 'Old news', null, 'ember', ?)",
    ...[me.id, Date.now(), me.id, Date.now() + 1],
  );
  await page.reload();
  await page.getByText("Old news").waitFor();
  await page.getByRole("button", { name: "Delete" }).first().click();
  await page.getByText("Old news").waitFor({ state: "detached" });
  await page.getByText("You were tagged").click();
  await page.waitForURL("**/games");
  const left = () => site.sql("select id from notification where profile_id = ?", me.id);
  await expect.poll(left, LONG_TIMEOUT).toEqual([]);
  await site.sql(
    `insert into notification (profile_id, kind, body_text, brand, ts_created)
     select ?, 'game', 'News ' || value, 'ember', value from json_each('[1, 2, 3]')`,
    me.id,
  );
  await page.goto("/notifications");
  await page.getByRole("button", { name: "Clear all" }).click();
  await page.getByText("None", { exact: true }).waitFor();
  expect(await left()).toEqual([]);
  await context.close();
});

it("keeps every notification in the list once, whatever arrives, is deleted or fails meanwhile", async () => {
  const me = await makeMember(site, { name: "Aldo" });
  const { page, context } = await site.open();
  await logIn(site, context, me);
  const insert = (from: number, to: number) =>
    site.sql(
      `with recursive count(n) as (select ?1 union all select n + 1 from count where n < ?2)
       insert into notification (profile_id, kind, body_text, brand, ts_created) select ?3, 'game', 'News ' || cast(n as integer), 'ember', ?4 + n from count`,
      ...[from, to, me.id, Date.now()],
    );
  const expectNews = (...numbers: number[]) =>
    expect
      .poll(async () => (await page.getByText(/^News \d+$/).allInnerTexts()).map((text) => Number(text.slice(5))))
      .toEqual(numbers);
  const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

  await insert(1, 27);
  await page.goto("/notifications");
  await page.getByRole("button", { name: "Load More" }).click();
  await expectNews(...range(27, 1));
  await page.getByRole("banner").getByRole("link", { name: "15+ notifications" }).waitFor();
  await insert(28, 29);
  await page.getByRole("button", { name: "Delete" }).first().click();
  await page.getByText("News 29").waitFor();
  await expectNews(29, 28, ...range(26, 1));

  // Neither deletion has been answered when the other row is checked.
  const held: (() => Promise<void>)[] = [];
  await page.route("**/trpc/*notifications.delete*", (route) => void held.push(() => route.abort()));
  await page.getByRole("button", { name: "Delete" }).first().click();
  await expectNews(28, ...range(26, 1));
  await page.getByRole("button", { name: "Delete" }).first().click();
  await expectNews(...range(26, 1));
  await expect.poll(() => held.length).toBe(2);
  await Promise.all(held.map((fail) => fail()));
  await page.getByText("You seem to be offline.").first().waitFor();
  await expectNews(29, 28, ...range(26, 1));
  await context.close();
});
