import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { field, log, openMember, send } from "./chat-page.ts";
import { readOutboxTexts } from "./chat-storage.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

/** Waits until the page can be opened without a network: its files are cached and its queries stored. */
async function waitUntilCached(page: Page): Promise<void> {
  const isCached = async () => {
    const files = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/assets/"));
    const cached = await Promise.all(files.map(({ name }) => caches.match(name)));
    return cached.every((response) => response !== undefined) && localStorage.getItem("query-cache") !== null;
  };
  await expect.poll(() => page.evaluate(isCached), LONG_TIMEOUT).toBe(true);
}

/** Reads which of these texts the conversation shows, in order; leaves out states and times. */
async function shownTexts(page: Page, texts: readonly string[]): Promise<string[]> {
  const all = (await log(page).innerText()).split("\n").map((line) => line.trim());
  return all.filter((line) => texts.includes(line));
}

describe("two browsers", () => {
  it("exchange messages live, with typing, delivered, seen, unread badge and unsend", async () => {
    const ann = await openMember(site, "Ansel", { viewport: DESKTOP });
    const bob = await openMember(site, "Bruno");
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await bob.page.goto("/chat/personal");
    await bob.page.getByText("No conversations found").waitFor();
    await send(ann.page, "hello there");
    const row = bob.page.getByRole("link", { name: /Ansel/ });
    await row.waitFor();
    await bob.page.getByText("1 unread").first().waitFor({ state: "attached" });
    await row.click();
    await log(bob.page).getByText("hello there").waitFor();

    await field(bob.page).pressSequentially("hm");
    await ann.page.getByText("is typing").waitFor();
    // A first contact learns of nothing that was delivered or seen until it is answered.
    await ann.page.getByText("Sent", { exact: true }).waitFor({ state: "attached" });
    await send(bob.page, "hi yourself");
    await log(ann.page).getByText("hi yourself").waitFor();
    await ann.page.getByText("Seen", { exact: true }).waitFor({ state: "attached" });
    await bob.page.goto("/chat/personal");
    await send(ann.page, "how are you?");
    await ann.page.getByText("Delivered", { exact: true }).waitFor({ state: "attached" });

    await log(ann.page).getByText("hello there").click();
    await ann.page.getByText(/^Seen \d/).waitFor();
    await ann.page.getByRole("button", { name: "Take back" }).click();
    await log(bob.page).getByText("hello there").waitFor({ state: "detached" });
    expect([...ann.errors, ...bob.errors]).toEqual([]);
  });

  it("answer and react to messages live, also offline, and lose a quote with its message", {
    tags: "slow",
  }, async () => {
    const ann = await openMember(site, "Ansel", { viewport: DESKTOP });
    const bob = await openMember(site, "Bruno");
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await bob.page.goto(`/chat/personal?with=${ann.id}`);
    await send(ann.page, "Saturday or Sunday?");
    const question = log(bob.page).getByRole("button", { name: "Saturday or Sunday?" });
    // A long press does on a phone what a click does.
    await question.dispatchEvent("pointerdown", { button: 0, pointerType: "touch", bubbles: true });
    await bob.page.getByRole("button", { name: "Fire" }).click();
    await log(ann.page).getByText("He reacted: Fire").waitFor({ state: "attached" });
    await log(bob.page).getByText("You reacted: Fire").waitFor({ state: "attached" });
    await expect.poll(() => question.evaluate((button) => button === document.activeElement)).toBe(true);
    await question.press("Enter");
    await bob.page.getByRole("button", { name: "Fire", pressed: true }).click();
    await log(ann.page).getByText("He reacted: Fire").waitFor({ state: "detached" });

    await question.click();
    await bob.page.getByRole("button", { name: "Reply" }).click();
    await bob.page.getByText("Reply to Ansel").waitFor();
    expect(await field(bob.page).evaluate((area) => area === document.activeElement)).toBe(true);
    await field(bob.page).press("Escape");
    await bob.page.getByText("Reply to Ansel").waitFor({ state: "detached" });
    await question.click();
    await bob.page.getByRole("button", { name: "Reply" }).click();
    // Written offline it waits with what it answers.
    await bob.page.context().setOffline(true);
    await send(bob.page, "Sunday");
    const quoteOf = (page: Page) =>
      log(page).getByRole("button", { name: /Saturday or Sunday/, description: "Go to the message" });
    await quoteOf(bob.page).waitFor();
    await bob.page.context().setOffline(false);
    await log(ann.page).getByText("Sunday", { exact: true }).waitFor();
    for (let more = 0; more < 30; more += 1) await send(ann.page, `line ${more}`);
    await quoteOf(ann.page).click();
    await expect
      .poll(() =>
        log(ann.page)
          .getByRole("button", { name: "You: Saturday" })
          .evaluate((own) => own === document.activeElement),
      )
      .toBe(true);

    // The mouse finds a button beside a message.
    await log(ann.page).getByText("Sunday", { exact: true }).hover();
    await log(ann.page).getByRole("button", { name: "Reply" }).and(ann.page.locator(":visible")).first().waitFor();
    await log(ann.page).getByRole("button", { name: "You: Saturday" }).click();
    await ann.page.getByRole("button", { name: "Take back" }).click();
    for (const { page } of [ann, bob]) {
      await quoteOf(page).waitFor({ state: "detached" });
      await log(page).getByText("Sunday", { exact: true }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
    }
    expect([...ann.errors, ...bob.errors].filter((error) => !/ERR_INTERNET|Failed to fetch/.test(error))).toEqual([]);
  });

  it("deliver messages written offline once and in order, even after a reload", async () => {
    const ann = await openMember(site, "Ansel");
    const bob = await openMember(site, "Bruno");
    await bob.page.goto(`/chat/personal?with=${ann.id}`);
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await send(ann.page, "before");
    await log(bob.page).getByText("before").waitFor();
    await waitUntilCached(ann.page);

    await ann.page.context().setOffline(true);
    const texts = ["one", "two", "three"];
    for (const text of texts) await send(ann.page, text);
    await ann.page.getByText("Offline. Your messages wait on this device.").waitFor();
    await expect.poll(() => shownTexts(ann.page, texts), LONG_TIMEOUT).toEqual(texts);
    await ann.page.reload({ waitUntil: "commit" });
    // Neither the messages nor the name are kept on the device, but what waits is there, and one can write on.
    await expect.poll(() => shownTexts(ann.page, texts), LONG_TIMEOUT).toEqual(texts);
    await ann.page.getByRole("link", { name: "Back to conversations" }).waitFor();
    await send(ann.page, "four");
    texts.push("four");
    await expect.poll(() => shownTexts(ann.page, texts), LONG_TIMEOUT).toEqual(texts);
    await ann.page.context().setOffline(false);
    await ann.page.reload();

    await log(bob.page).getByText("four").waitFor();
    expect(await shownTexts(bob.page, ["before", ...texts])).toEqual(["before", ...texts]);
    const rows = await site.sql<{ body_text: string }>(
      "select body_text from message where sender_id = ? order by id",
      ann.id,
    );
    expect(rows.map((row) => row.body_text)).toEqual(["before", ...texts]);
    await expect.poll(() => shownTexts(ann.page, ["before", ...texts]), LONG_TIMEOUT).toEqual(["before", ...texts]);
    await ann.page.getByText("Sending", { exact: true }).first().waitFor({ state: "detached" });
  });

  it("deliver a message that was sent offline in the last moment before the page closes", {
    tags: "slow",
  }, async () => {
    const ann = await openMember(site, "Ansel");
    const bob = await openMember(site, "Bruno");
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await field(ann.page).waitFor();
    await waitUntilCached(ann.page);
    await ann.page.context().setOffline(true);
    await field(ann.page).fill("just in time");
    // A busy phone encrypts too late for a page that closes.
    await ann.page.evaluate(() => {
      SubtleCrypto.prototype.encrypt = () => new Promise(() => undefined);
    });
    await Promise.all([
      ann.page.waitForEvent("load"),
      ann.page.getByRole("button", { name: "Send", exact: true }).evaluate((button: HTMLElement) => {
        button.click();
        location.reload();
      }),
    ]);
    await expect.poll(() => readOutboxTexts(ann.page)).toEqual(["just in time"]);
    await ann.page.context().setOffline(false);
    await bob.page.goto(`/chat/personal?with=${ann.id}`);
    await log(bob.page).getByText("just in time").waitFor();
  });

  it("deliver a message whose request was interrupted by closing the page", { tags: "slow" }, async () => {
    // Requests sent by a service worker would bypass the route.
    const ann = await openMember(site, "Ansel", { serviceWorker: false });
    const bob = await openMember(site, "Bruno");
    await ann.page.route("**/messages.send*", () => {});
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await send(ann.page, "on its way");
    await ann.page.getByText("Sending", { exact: true }).waitFor({ state: "attached" });
    await expect.poll(() => readOutboxTexts(ann.page), LONG_TIMEOUT).toEqual(["on its way"]);
    await ann.page.unrouteAll();
    await ann.page.reload();
    await bob.page.goto(`/chat/personal?with=${ann.id}`);
    await log(bob.page).getByText("on its way").waitFor();
    await expect.poll(() => readOutboxTexts(ann.page), LONG_TIMEOUT).toEqual([]);
    const rows = await site.sql("select body_text from message where sender_id = ?", ann.id);
    expect(rows).toEqual([{ body_text: "on its way" }]);
  });

  it("send a new message at once while another tab holds the outbox lock", { tags: "slow" }, async () => {
    const [ann, bob] = [await openMember(site, "Ansel"), await openMember(site, "Bruno")];
    await bob.page.goto(`/chat/personal?with=${ann.id}`);
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await field(ann.page).waitFor();
    await ann.page.evaluate((id) => void navigator.locks.request(`outbox-${id}`, () => new Promise(() => {})), ann.id);
    await send(ann.page, "at once");
    await log(bob.page).getByText("at once").waitFor();
  });

  it("receive the map chat of the area that they move to", { tags: "slow" }, async () => {
    const ann = await openMember(site, "Ansel");
    const bob = await openMember(site, "Bruno");
    let readyAreas = 0;
    bob.page.on("websocket", (socket) => {
      if (!socket.url().endsWith("/ws/area")) return;
      socket.on("framereceived", ({ payload }) => {
        if (String(payload).includes('"ready"')) readyAreas += 1;
      });
    });
    await bob.page.goto("/chat/broadcast");
    await expect.poll(() => readyAreas, LONG_TIMEOUT).toBeGreaterThan(0);
    // The device reports its own position once; waiting for it keeps it from undoing the move.
    const positions = () => site.sql("select profile_id from position where profile_id = ?", bob.id);
    await expect.poll(async () => (await positions()).length, LONG_TIMEOUT).toBe(1);
    const before = readyAreas;
    for (const { id, page } of [bob, ann]) {
      const status = await page.evaluate(
        async (profileId) =>
          (
            await fetch(`/api/profile-position/${profileId}`, {
              method: "PUT",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({
                profileId,
                session: 1,
                use: "OVERRIDE",
                hide: false,
                overrideLat: -40.5,
                overrideLon: 60.5,
              }),
            })
          ).status,
        id,
      );
      expect(status).toBe(200);
    }
    await expect.poll(() => readyAreas, LONG_TIMEOUT).toBeGreaterThan(before);
    // Posts without opening a page, which would report the device's own position.
    const posted = await ann.page.evaluate(async () => {
      const body = JSON.stringify({ bodyText: "somewhere new" });
      return (await fetch("/api/message", { method: "POST", headers: { "content-type": "application/json" }, body }))
        .status;
    });
    expect(posted).toBe(201);
    await bob.page.getByRole("article").filter({ hasText: "somewhere new" }).waitFor();
    expect([...ann.errors, ...bob.errors]).toEqual([]);
  });

  it("share the map chat, and a post taken back disappears for both", async () => {
    const ann = await openMember(site, "Ansel", { viewport: DESKTOP });
    const bob = await openMember(site, "Bruno");
    await bob.page.goto("/chat/broadcast");
    await ann.page.goto("/chat/broadcast");
    await send(ann.page, "anybody for coffee?");
    // In the thumb's reach on a phone, above the tabs.
    const [composer, tabs] = await Promise.all(
      [field(bob.page), bob.page.getByRole("navigation", { name: "Main destinations" })].map((box) =>
        box.boundingBox(),
      ),
    );
    expect(composer!.y + composer!.height).toBeGreaterThan(tabs!.y - 40);
    expect(composer!.y + composer!.height).toBeLessThanOrEqual(tabs!.y);
    const post = bob.page.getByRole("article").filter({ hasText: "anybody for coffee?" });
    await post.waitFor();
    await post.getByRole("button", { name: "More" }).click();
    await bob.page.getByRole("menuitem", { name: "Block" }).click();
    const sheet = bob.page.getByRole("dialog", { name: "Block this man?" });
    await sheet.getByRole("button", { name: "Block" }).click();
    await sheet.getByRole("alert").getByText("Blocked and Redirecting...").waitFor();
    await sheet.getByRole("button", { name: "Undo" }).click();
    await sheet.getByRole("button", { name: "Cancel" }).click();
    await post.waitFor();
    await ann.page.getByRole("article").filter({ hasText: "anybody" }).getByRole("button", { name: "More" }).click();
    await ann.page.getByRole("menuitem", { name: "Take back" }).click();
    await post.waitFor({ state: "detached" });
    expect([...ann.errors, ...bob.errors]).toEqual([]);
  });
});
