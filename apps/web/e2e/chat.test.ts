import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { createMember } from "@lambda/testing/members";
import { quickHash } from "@lambda/testing/password";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { readOutboxTexts, readStoredValues } from "./chat-storage.ts";

let site: TestSite;
let hash: string;
let made = 0;

beforeAll(async () => {
  site = await openSite();
  hash = quickHash("chat-password");
});

/** A member with a browser that is logged in. */
async function member(
  name: string,
  { viewport = PHONE, serviceWorker = true } = {},
): Promise<{ id: number; page: Page; errors: string[] }> {
  made += 1;
  const { id, email } = await createMember(site.run, {
    name,
    passwordHash: hash,
    sharingChosen: Date.now(),
    randomOrder: made,
  });
  const { page, errors } = await site.open({ viewport, serviceWorker });
  await page.goto("/aboutus");
  const status = await page.evaluate(
    async (username) =>
      (
        await fetch("/api/auth", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ username, password: "chat-password", remember: true }),
        })
      ).status,
    email,
  );
  expect(status).toBe(200);
  return { id, page, errors };
}

/** A machine with two busy cores takes its time. */
const PATIENTLY = { timeout: 20_000 };

const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const log = (page: Page) => page.getByRole("log");

async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

/** The texts in the conversation, oldest first, without those of states and times. */
async function said(page: Page, of: readonly string[]): Promise<string[]> {
  const all = (await log(page).innerText()).split("\n").map((line) => line.trim());
  return all.filter((line) => of.includes(line));
}

describe("two browsers", () => {
  it("chat live: message, typing, delivered and seen, badge, unsend", async () => {
    const ann = await member("Ansel", { viewport: DESKTOP });
    const bob = await member("Bruno");
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await bob.page.goto("/chat/personal");
    await bob.page.getByText("No conversations found").waitFor();
    await say(ann.page, "hello there");
    const row = bob.page.getByRole("link", { name: /Ansel/ });
    await row.waitFor();
    await bob.page.getByText("1 unread").first().waitFor({ state: "attached" });
    await ann.page.getByText("Delivered", { exact: true }).waitFor({ state: "attached" });
    await row.click();
    await log(bob.page).getByText("hello there").waitFor();
    await ann.page.getByText("Seen", { exact: true }).waitFor({ state: "attached" });

    await field(bob.page).pressSequentially("hm");
    await ann.page.getByText("is typing").waitFor();
    await say(bob.page, "hi yourself");
    await log(ann.page).getByText("hi yourself").waitFor();

    await log(ann.page).getByText("hello there").click();
    await ann.page.getByText(/^Seen \d/).waitFor();
    await ann.page.getByRole("button", { name: "Take back" }).click();
    await log(bob.page).getByText("hello there").waitFor({ state: "detached" });
    expect([...ann.errors, ...bob.errors]).toEqual([]);
  });

  it("lose nothing offline: three messages, a reload, and back: each once and in order", async () => {
    const ann = await member("Ansel");
    const bob = await member("Bruno");
    await bob.page.goto(`/chat/personal?with=${ann.id}`);
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await say(ann.page, "before");
    await log(bob.page).getByText("before").waitFor();
    // The service worker holds the shell once the page was opened with it.
    await ann.page.evaluate(async () => void (await navigator.serviceWorker.ready));

    await ann.page.context().setOffline(true);
    const texts = ["one", "two", "three"];
    for (const text of texts) await say(ann.page, text);
    await ann.page.getByText("Offline. Your messages wait on this device.").waitFor();
    await expect.poll(() => said(ann.page, texts), PATIENTLY).toEqual(texts);
    await ann.page.reload({ waitUntil: "commit" });
    await ann.page.context().setOffline(false);
    await ann.page.reload();

    await log(bob.page).getByText("three").waitFor();
    expect(await said(bob.page, ["before", ...texts])).toEqual(["before", ...texts]);
    const rows = await site.sql<{ body_text: string }>(
      "select body_text from message where sender_id = ? order by id",
      ann.id,
    );
    expect(rows.map((row) => row.body_text)).toEqual(["before", ...texts]);
    await expect.poll(() => said(ann.page, ["before", ...texts]), PATIENTLY).toEqual(["before", ...texts]);
    await ann.page.getByText("Sending", { exact: true }).first().waitFor({ state: "detached" });
  });

  it("lose nothing that is on its way when the page goes", async () => {
    // A service worker sends requests itself, where no route holds them back.
    const ann = await member("Ansel", { serviceWorker: false });
    const bob = await member("Bruno");
    await ann.page.route("**/messages.send*", () => {});
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await say(ann.page, "on its way");
    await ann.page.getByText("Sending", { exact: true }).waitFor({ state: "attached" });
    await expect.poll(() => readOutboxTexts(ann.page), PATIENTLY).toEqual(["on its way"]);
    await ann.page.unrouteAll();
    await ann.page.reload();
    await bob.page.goto(`/chat/personal?with=${ann.id}`);
    await log(bob.page).getByText("on its way").waitFor();
    await expect.poll(() => readOutboxTexts(ann.page), PATIENTLY).toEqual([]);
    const rows = await site.sql("select body_text from message where sender_id = ?", ann.id);
    expect(rows).toEqual([{ body_text: "on its way" }]);
  });

  it("wait with what is written now for no other tab", async () => {
    const [ann, bob] = [await member("Ansel"), await member("Bruno")];
    await bob.page.goto(`/chat/personal?with=${ann.id}`);
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await field(ann.page).waitFor();
    await ann.page.evaluate((id) => void navigator.locks.request(`outbox-${id}`, () => new Promise(() => {})), ann.id);
    await say(ann.page, "at once");
    await log(bob.page).getByText("at once").waitFor();
  });

  it("hear the area that they are in, wherever they go", async () => {
    const ann = await member("Ansel");
    const bob = await member("Bruno");
    const areas: string[] = [];
    bob.page.on("websocket", (socket) => socket.url().endsWith("/ws/area") && areas.push(socket.url()));
    await bob.page.goto("/chat/broadcast");
    await expect.poll(() => areas.length, PATIENTLY).toBe(1);
    // Their device reports by itself once; what it says later than the move would take them back.
    const places = () => site.sql("select profile_id from position where profile_id = ?", bob.id);
    await expect.poll(async () => (await places()).length, PATIENTLY).toBe(1);
    for (const { id, page } of [bob, ann]) {
      const status = await page.evaluate(
        async (profileId) =>
          (
            await fetch(`/api/profile-position/${profileId}`, {
              method: "PUT",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({
                ...{ profileId, session: 1, use: "OVERRIDE", hide: false, overrideLat: -40.5, overrideLon: 60.5 },
              }),
            })
          ).status,
        id,
      );
      expect(status).toBe(200);
    }
    await expect.poll(() => areas.length, PATIENTLY).toBeGreaterThan(1);
    // Her page is left as it is: opened anew, it would report her own device's place.
    const posted = await ann.page.evaluate(async () => {
      const body = JSON.stringify({ bodyText: "somewhere new" });
      return (await fetch("/api/message", { method: "POST", headers: { "content-type": "application/json" }, body }))
        .status;
    });
    expect(posted).toBe(201);
    await bob.page.getByRole("article").filter({ hasText: "somewhere new" }).waitFor();
    expect([...ann.errors, ...bob.errors]).toEqual([]);
  });

  it("share the map chat, and what one takes back is gone for the other", async () => {
    const ann = await member("Ansel", { viewport: DESKTOP });
    const bob = await member("Bruno");
    await bob.page.goto("/chat/broadcast");
    await ann.page.goto("/chat/broadcast");
    await say(ann.page, "anybody for coffee?");
    const post = bob.page.getByRole("article").filter({ hasText: "anybody for coffee?" });
    await post.waitFor();
    await ann.page.getByRole("article").filter({ hasText: "anybody" }).getByRole("button", { name: "More" }).click();
    await ann.page.getByRole("menuitem", { name: "Take back" }).click();
    await post.waitFor({ state: "detached" });
    expect([...ann.errors, ...bob.errors]).toEqual([]);
  });
});

describe("one browser", () => {
  it("keeps what was begun before the session's first answer, and sends it after", async () => {
    const { page } = await member("Ansel");
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/accounts\.session/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/chat/broadcast");
    await field(page).fill("quick fingers");
    answer();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("article").filter({ hasText: "quick fingers" }).waitFor();
    await expect.poll(() => field(page).inputValue(), PATIENTLY).toBe("");
  });

  it("keeps a draft, reads upward without a jump, and searches", async () => {
    const ann = await member("Ansel");
    const bob = await member("Bruno");
    const now = Date.now();
    await site.sql(
      `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created, ts_recipient_read)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
       select ?1, ?2, ?1, ?2, 'seeded-' || i || '-' || ?1, 'line ' || i, 'ember', ?3 + i * 60000, ?3 from n`,
      ...[ann.id, bob.id, now - 100 * 60_000],
    );
    await site.sql(
      `insert into conversation select x.value ->> 0, x.value ->> 1, (select max(id) from message where sender_id = ?1), 0
       from json_each(json_array(json_array(?1, ?2), json_array(?2, ?1))) x`,
      ...[ann.id, bob.id],
    );
    const { page } = bob;
    await page.goto(`/chat/personal?with=${ann.id}`);
    await log(page).getByText("line 100", { exact: true }).waitFor();
    await field(page).fill("not finished");
    await expect
      .poll(async () => {
        await log(page).evaluate((element) => element.scrollBy(0, -300));
        return log(page).getByText("line 1", { exact: true }).count();
      }, PATIENTLY)
      .toBe(1);
    await page.getByRole("button", { name: "Jump to newest" }).click();
    await page.getByRole("link", { name: "Back to conversations" }).click();
    await page.getByRole("searchbox", { name: "Search your messages" }).fill("line 42");
    await page.getByRole("link", { name: /line 42/ }).waitFor();
    await page.goto(`/chat/personal?with=${ann.id}`);
    await expect.poll(() => field(page).inputValue(), PATIENTLY).toBe("not finished");
  });

  it("keeps what was written in the very moment of leaving", async () => {
    const [ann, bob] = [await member("Ansel"), await member("Bruno")];
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await field(ann.page).fill("hard");
    await ann.page.waitForFunction(async () => (await indexedDB.databases()).some(({ name }) => name === "drafts"));
    await expect.poll(() => readStoredValues(ann.page, "drafts"), PATIENTLY).toEqual(["hard"]);
    await field(ann.page).fill("hardly");
    await ann.page.reload();
    await expect.poll(() => field(ann.page).inputValue(), PATIENTLY).toBe("hardly");
  });

  it("stops calling while the member's standing keeps them out, and comes back with it", async () => {
    const { id, page } = await member("Ansel");
    let sockets = 0;
    page.on("websocket", () => {
      sockets += 1;
    });
    await page.clock.install();
    await page.goto("/aboutus");
    await expect.poll(() => sockets, PATIENTLY).toBe(1);
    await site.sql(
      "update profile set status = 'suspended', ts_status_until = ? where id = ?",
      ...[Date.now() + 30 * 86_400_000, id],
    );
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page
      .getByRole("alert")
      .getByText(/suspended/i)
      .waitFor();
    const before = sockets;
    const asked = page.waitForResponse((answer) => answer.url().includes("accounts.session"));
    await page.clock.fastForward(120_000);
    await asked;
    expect(sockets).toBe(before);
    await site.sql("update profile set status = 'active', ts_status_until = null where id = ?", id);
    await page.clock.fastForward(120_000);
    await expect.poll(() => sockets, PATIENTLY).toBe(before + 1);
  });

  it("lists notifications; a click goes where it points and deletes it", async () => {
    const { id, page } = await member("Ansel");
    await page.goto("/notifications");
    await page.getByText("None", { exact: true }).waitFor();
    await site.sql(
      "insert into notification (profile_id, kind, body_text, url, brand, ts_created) values (?, 'game', 'You were tagged', '/games', 'ember', ?), (?, 'game', 'Old news', null, 'ember', ?)",
      ...[id, Date.now(), id, Date.now() + 1],
    );
    await page.reload();
    await page.getByText("Old news").waitFor();
    await page.getByRole("button", { name: "Delete" }).first().click();
    await page.getByText("Old news").waitFor({ state: "detached" });
    await page.getByText("You were tagged").click();
    await page.waitForURL("**/games");
    await expect.poll(() => site.sql("select id from notification where profile_id = ?", id), PATIENTLY).toEqual([]);
  });
});
