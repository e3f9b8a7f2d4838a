/**
 * What a chat shows when an answer comes after what happened since.
 *
 * @module-tag slow
 */
import { openSite, type TestSite } from "@lambda/testing/browser";
import { beforeAll, expect, it } from "vitest";
import { log, openPair } from "./chat-page.ts";
import { insertConversation } from "./chat-scene.ts";
import { apiFor, type BrowserMember, makeMember } from "./members.ts";
import { newPlace, reportPosition } from "./nearby.ts";
import { delayFirst, overtake, returnToPage } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

it("shows no message that was unsent while the history with it was on its way", async () => {
  const { page, me, other, close } = await openPair(site);
  await insertConversation(
    site,
    me,
    other,
    [
      [false, "stays", 60_000],
      [false, "taken back", 30_000],
    ],
    2,
  );
  const ready = page.waitForEvent("websocket").then((socket) => socket.waitForEvent("framereceived"));
  await page.goto("/chat/personal");
  await ready;
  const histories = await delayFirst(page, /messages\.history/, "answer");
  await page.getByRole("link", { name: /Bruno/ }).click();
  await histories.reached;
  const [row] = await site.sql<{ id: number }>("select max(id) id from message where sender_id = ?", other.id);
  const deleted = await (await apiFor(site, other)).fetch(`/api/message/${row?.id}`, { method: "DELETE" });
  expect(deleted.status).toBe(204);
  await overtake(page);
  histories.release();
  await log(page).getByText("stays").waitFor();
  expect(await log(page).getByText("taken back").count()).toBe(0);
  await close();
});

it("shows no post of the map chat that was taken back, and each that came, while an older list was on its way", async () => {
  const { page, me, other, close } = await openPair(site);
  const place = newPlace();
  await reportPosition(site, me, place);
  await reportPosition(site, other, place);
  // One post in ten seconds is all that a member may send.
  const third = await makeMember(site, { name: "Carl" });
  await reportPosition(site, third, place);
  const theirs = await apiFor(site, other);
  const send = async (by: BrowserMember, bodyText: string) => {
    const response = await (await apiFor(site, by)).fetch("/api/message", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ recipientProfileId: null, bodyText }),
    });
    return ((await response.json()) as { id: number }).id;
  };
  const id = await send(other, "taken back");
  const ready = page
    .waitForEvent("websocket", (socket) => socket.url().endsWith("/ws/area"))
    .then((socket) => socket.waitForEvent("framereceived"));
  await page.goto("/chat/broadcast");
  const post = page.getByRole("article").filter({ hasText: "taken back" });
  await post.waitFor();
  await ready;
  const lists = await delayFirst(page, /messages\.area/, "answer");
  await returnToPage(page, lists);
  expect((await theirs.fetch(`/api/message/${id}`, { method: "DELETE" })).status).toBe(204);
  await post.waitFor({ state: "detached" });
  lists.release();
  await overtake(page);
  expect(await post.count()).toBe(0);

  const newLists = await delayFirst(page, /messages\.area/, "answer");
  await returnToPage(page, newLists);
  await send(third, "comes meanwhile");
  const later = page.getByRole("article").filter({ hasText: "comes meanwhile" });
  await later.waitFor();
  newLists.release();
  await overtake(page);
  expect(await later.count()).toBe(1);
  await close();
});

it("loads more of the map chat once, although a post comes during the load", async () => {
  const { page, me, other, close } = await openPair(site);
  const place = newPlace();
  for (const member of [me, other]) await reportPosition(site, member, place);
  const post = (by: BrowserMember, bodyText: string) =>
    apiFor(site, by).then((api) =>
      api.fetch("/api/message", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ recipientProfileId: null, bodyText }),
      }),
    );
  await post(me, "the oldest");
  await site.sql(
    `insert into message (sender_id, client_id, body_text, brand, sector, ts_created)
     select sender_id, 'copy' || value, 'post ' || value, brand, sector, ts_created from message, json_each(?)
     where sender_id = ? and body_text = 'the oldest'`,
    JSON.stringify(Array.from({ length: 30 }, (_, index) => index)),
    me.id,
  );
  const ready = page
    .waitForEvent("websocket", (socket) => socket.url().endsWith("/ws/area"))
    .then((socket) => socket.waitForEvent("framereceived"));
  await page.goto("/chat/broadcast");
  await ready;
  await page.waitForLoadState("networkidle");
  const lists = await delayFirst(page, /messages\.area/, "answer");
  await page.getByRole("button", { name: "Load More" }).click();
  await lists.reached;
  await post(other, "comes during the load");
  const shown = (text: string) => page.getByRole("article").filter({ hasText: text });
  await shown("comes during the load").waitFor();
  lists.release();
  await shown("the oldest").waitFor();
  expect(await shown("comes during the load").count()).toBe(1);
  expect(lists.answers()).toBe(1);
  await close();
});

it("takes back a reaction that was not saved, also after another one", async () => {
  const { page, me, other, close } = await openPair(site);
  await insertConversation(site, me, other, [
    [false, "one", 60_000],
    [false, "two", 30_000],
  ]);
  await page.goto(`/chat/personal?with=${other.id}`);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    /messages\.react/,
    async (route) => {
      await promise;
      await route.abort();
    },
    { times: 1 },
  );
  await log(page).getByText("one").click();
  await page.getByRole("button", { name: "Fire" }).click();
  await log(page).getByText("two").click();
  const saved = page.waitForResponse(/messages\.react/);
  await page.getByRole("button", { name: "Heart" }).click();
  await saved;
  resolve();
  await log(page).getByText("You reacted: Fire").waitFor({ state: "detached" });
  await log(page).getByText("You reacted: Heart").waitFor({ state: "attached" });
  await close();
});

it("ends with the reaction that was pressed last, however slow the first call is", async () => {
  const { page, me, other, close } = await openPair(site);
  await insertConversation(site, me, other, [[false, "hello", 60_000]]);
  await page.goto(`/chat/personal?with=${other.id}`);
  const reactions = await delayFirst(page, /messages\.react/);
  for (const name of ["Fire", "Heart"]) {
    await log(page).getByText("hello").click();
    await page.getByRole("button", { name }).click();
    await log(page).getByText(`You reacted: ${name}`).waitFor({ state: "attached" });
  }
  await overtake(page);
  reactions.release();
  await expect.poll(reactions.answers).toBe(2);
  expect(await site.sql("select reaction from message where recipient_id = ?", me.id)).toEqual([{ reaction: "heart" }]);
  await log(page).getByText("You reacted: Heart").waitFor({ state: "attached" });
  await close();
});

it("says that a member is shown although an answer from before comes later", async () => {
  const { page, me, other, close } = await openPair(site);
  await reportPosition(site, me, newPlace());
  await site.sql("update profile set hidden = 1 where id = ?", me.id);
  await insertConversation(site, me, other, [[false, "hello", 60_000]]);
  await site.sql("update profile set ts_seen = ? where id = ?", Date.now() - 9 * 3_600_000, other.id);
  await page.goto(`/chat/personal?with=${other.id}`);
  await log(page).getByText("hello").waitFor();
  // Not seen before the latest message was written; only typing is announced.
  await page.getByText(/seen 1m ago/).waitFor();
  expect(await page.locator("header [aria-live]").allTextContents()).toEqual([""]);
  const menu = page.getByRole("button", { name: "Action" });
  await menu.click();
  const show = page.getByRole("menuitem", { name: "Show me again" });
  await show.waitFor();
  const sessions = await delayFirst(page, /accounts\.session/, "answer");
  await returnToPage(page, sessions);
  await show.click();
  await expect.poll(() => site.sql("select hidden from profile where id = ?", me.id)).toEqual([{ hidden: 0 }]);
  await page.getByText("You are visible to others.").first().waitFor();
  sessions.release();
  await overtake(page);
  await menu.click();
  await page.getByRole("menuitem", { name: "Hide from everyone" }).waitFor();
  await close();
});
