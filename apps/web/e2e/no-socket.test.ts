/**
 * What a chat shows without a socket.
 *
 * @module-tag slow
 */
import { openSite, type TestSite } from "@lambda/testing/browser";
import { beforeAll, expect, it } from "vitest";
import { field, log, openPair } from "./chat-page.ts";
import { insertConversation } from "./chat-scene.ts";
import { apiFor } from "./members.ts";
import { blockSockets } from "./network-proxy.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

it("the poll takes away what was unsent, and shows what was seen", async () => {
  const { page, me, other, close } = await openPair(site);
  await insertConversation(
    site,
    me,
    other,
    [
      [true, "not seen yet", 60_000],
      [false, "taken back", 30_000],
    ],
    1,
  );
  await blockSockets(page);
  await page.clock.install();
  await page.goto(`/chat/personal?with=${other.id}`);
  await log(page).getByText("taken back").waitFor();
  const theirs = await apiFor(site, other);
  const [unsent] = await site.sql<{ id: number }>("select id from message where sender_id = ?", other.id);
  const [seen] = await site.sql<{ id: number }>("select id from message where sender_id = ?", me.id);
  await site.sql("update message set ts_recipient_read = null, ts_delivered = null where id = ?", seen?.id ?? 0);
  expect((await theirs.fetch(`/api/message/${unsent?.id}`, { method: "DELETE" })).status).toBe(204);
  await theirs.fetch("/api/messages/read", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ profileId: me.id, upToMessageId: seen?.id }),
  });
  await page.clock.fastForward(16_000);
  await log(page).getByText("taken back").waitFor({ state: "detached" });
  await log(page).getByText("Seen", { exact: true }).waitFor();
  await close();
});

it("the poll takes away pictures that the member declined on another device", async () => {
  const { page, me, other, close } = await openPair(site);
  const theirs = await apiFor(site, other);
  const { id } = await theirs.upload(await makeQuartersPicture(40, 50, [RED, GREEN, BLUE, YELLOW]), {
    audience: "chat",
  });
  const sent = await theirs.fetch("/api/message", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ recipientProfileId: me.id, bodyText: "Look at this", profilePicIds: [id] }),
  });
  const message = (await sent.json()) as { id: number };
  await blockSockets(page);
  await page.clock.install();
  await page.goto(`/chat/personal?with=${other.id}`);
  await log(page).getByText("Look at this").waitFor();
  const declined = await (await apiFor(site, me)).fetch(`/api/message/${message.id}/decline-pictures`, {
    method: "PUT",
  });
  expect(declined.status).toBe(200);
  await page.clock.fastForward(16_000);
  await log(page).getByText("Look at this").waitFor({ state: "detached" });
  await close();
});

it("a block can be undone although the poll no longer finds the conversation, which then comes back", async () => {
  const { page, me, other, close } = await openPair(site);
  await insertConversation(site, me, other, [[false, "hello", 60_000]]);
  await blockSockets(page);
  await page.clock.install();
  await page.goto(`/chat/personal?with=${other.id}`);
  await log(page).getByText("hello").waitFor();
  // The page's clock goes on by the test's steps, because a busy machine would miss the seconds until the page leaves.
  // It polls at the end of this step, so that it will poll again 15 s later.
  await page.clock.pauseAt(Date.now() + 16_000);
  await page.clock.fastForward(13_500);
  const until = (isReached: () => Promise<boolean>) =>
    expect
      .poll(async () => {
        await page.clock.runFor(1);
        return isReached();
      })
      .toBe(true);
  await page.getByRole("button", { name: "Action" }).click();
  await page.getByRole("menuitem", { name: "Block / Ignore" }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await until(() => undo.isVisible());
  await page.clock.fastForward(2_000);
  await until(async () => (await log(page).count()) === 0 && (await undo.isVisible()));
  await undo.click();
  await until(() => log(page).getByText("hello").isVisible());
  expect(await site.sql("select 1 from block where profile_id = ? and blocked_by_profile = 1", me.id)).toEqual([]);
  await close();
});

it("one who writes to a member who has just blocked sees what a reload would show", async () => {
  const { page, me, other, close } = await openPair(site);
  await insertConversation(site, me, other, [[false, "hello", 60_000]]);
  await blockSockets(page);
  await page.goto(`/chat/personal?with=${other.id}`);
  await log(page).getByText("hello").waitFor();
  const theirs = await apiFor(site, other);
  await theirs.fetch("/api/profile-like", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ likedProfileId: me.id, blocked: true }),
  });
  await field(page).fill("are you there?");
  await field(page).press("Enter");
  await field(page).waitFor({ state: "detached" });
  const away = page.getByRole("heading", { name: "Not visible now" });
  await away.waitFor();
  expect(await page.getByText("Not found").count()).toBe(0);
  await page.reload();
  await away.waitFor();
  await field(page).waitFor({ state: "detached" });
  await close();
});
