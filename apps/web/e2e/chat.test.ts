import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { insertMember } from "@lambda/testing/members";
import { quickHash } from "@lambda/testing/password";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { readOutboxTexts, readStoredValues } from "./chat-storage.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

let site: TestSite;
let hash: string;
let made = 0;

beforeAll(async () => {
  site = await openSite();
  hash = quickHash("chat-password");
});

/** Creates a member and logs a browser in. */
async function openMember(
  name: string,
  { viewport = PHONE, serviceWorker = true } = {},
): Promise<{ id: number; page: Page; errors: string[] }> {
  made += 1;
  const { id, email } = await insertMember(site.run, {
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
  if (serviceWorker) await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  return { id, page, errors };
}

/** Waits until the page can be opened without a network: its files are cached and its queries stored. */
async function waitUntilCached(page: Page): Promise<void> {
  const isCached = async () => {
    const files = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/assets/"));
    const cached = await Promise.all(files.map(({ name }) => caches.match(name)));
    return cached.every((response) => response !== undefined) && localStorage.getItem("query-cache") !== null;
  };
  await expect.poll(() => page.evaluate(isCached), LONG_TIMEOUT).toBe(true);
}

const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const log = (page: Page) => page.getByRole("log");

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

/** Reads which of these texts the conversation shows, in order; leaves out states and times. */
async function shownTexts(page: Page, texts: readonly string[]): Promise<string[]> {
  const all = (await log(page).innerText()).split("\n").map((line) => line.trim());
  return all.filter((line) => texts.includes(line));
}

describe("two browsers", () => {
  it("exchange messages live, with typing, delivered, seen, unread badge and unsend", async () => {
    const ann = await openMember("Ansel", { viewport: DESKTOP });
    const bob = await openMember("Bruno");
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await bob.page.goto("/chat/personal");
    await bob.page.getByText("No conversations found").waitFor();
    await send(ann.page, "hello there");
    const row = bob.page.getByRole("link", { name: /Ansel/ });
    await row.waitFor();
    await bob.page.getByText("1 unread").first().waitFor({ state: "attached" });
    await ann.page.getByText("Delivered", { exact: true }).waitFor({ state: "attached" });
    await row.click();
    await log(bob.page).getByText("hello there").waitFor();
    await ann.page.getByText("Seen", { exact: true }).waitFor({ state: "attached" });

    await field(bob.page).pressSequentially("hm");
    await ann.page.getByText("is typing").waitFor();
    await send(bob.page, "hi yourself");
    await log(ann.page).getByText("hi yourself").waitFor();

    await log(ann.page).getByText("hello there").click();
    await ann.page.getByText(/^Seen \d/).waitFor();
    await ann.page.getByRole("button", { name: "Take back" }).click();
    await log(bob.page).getByText("hello there").waitFor({ state: "detached" });
    expect([...ann.errors, ...bob.errors]).toEqual([]);
  });

  it("answer and react to messages live, also offline, and lose a quote with its message", {
    tags: "slow",
  }, async () => {
    const ann = await openMember("Ansel", { viewport: DESKTOP });
    const bob = await openMember("Bruno");
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
    const ann = await openMember("Ansel");
    const bob = await openMember("Bruno");
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
    const ann = await openMember("Ansel");
    const bob = await openMember("Bruno");
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
    const ann = await openMember("Ansel", { serviceWorker: false });
    const bob = await openMember("Bruno");
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
    const [ann, bob] = [await openMember("Ansel"), await openMember("Bruno")];
    await bob.page.goto(`/chat/personal?with=${ann.id}`);
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await field(ann.page).waitFor();
    await ann.page.evaluate((id) => void navigator.locks.request(`outbox-${id}`, () => new Promise(() => {})), ann.id);
    await send(ann.page, "at once");
    await log(bob.page).getByText("at once").waitFor();
  });

  it("receive the map chat of the area that they move to", { tags: "slow" }, async () => {
    const ann = await openMember("Ansel");
    const bob = await openMember("Bruno");
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
    const ann = await openMember("Ansel", { viewport: DESKTOP });
    const bob = await openMember("Bruno");
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

describe("one browser", () => {
  it("keeps a picture chosen before the session has loaded, and uploads it afterwards", async () => {
    const { page } = await openMember("Ansel");
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/accounts\.session/, (route) => promise.then(() => route.continue()));
    await page.goto("/chat/broadcast");
    const file = { name: "one.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") };
    await page.locator("form input[type=file]").setInputFiles(file);
    resolve();
    await page.getByText("only png, jpg/jpeg and webp pictures are accepted").first().waitFor();
  });

  it("keeps text typed before the session has loaded, and sends it afterwards", async () => {
    const { page } = await openMember("Ansel");
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/accounts\.session/, (route) => promise.then(() => route.continue()));
    await page.goto("/chat/broadcast");
    await field(page).fill("quick fingers");
    resolve();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("article").filter({ hasText: "quick fingers" }).waitFor();
    await expect.poll(() => field(page).inputValue(), LONG_TIMEOUT).toBe("");
  });

  it("keeps a draft, loads older messages on scroll, and searches", async () => {
    const ann = await openMember("Ansel");
    const bob = await openMember("Bruno");
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
      }, LONG_TIMEOUT)
      .toBe(1);
    await page.getByRole("button", { name: "Jump to newest" }).click();
    await page.getByRole("link", { name: "Back to conversations" }).click();
    await page.getByRole("searchbox", { name: "Search your messages" }).fill("line 42");
    await page.getByRole("link", { name: /line 42/ }).waitFor();
    await page.goto(`/chat/personal?with=${ann.id}`);
    await expect.poll(() => field(page).inputValue(), LONG_TIMEOUT).toBe("not finished");
  });

  it("shows a conversation on a phone as one screen, upright and turned, with the mark that leaves the site", {
    tags: "slow",
  }, async () => {
    const [ann, bob] = [await openMember("Ansel"), await openMember("Bruno")];
    const { page } = ann;
    await page.goto(`/chat/personal?with=${bob.id}`);
    await field(page).waitFor();
    const tabBar = page.getByRole("navigation", { name: "Main destinations" });
    for (const viewport of [PHONE, { width: 844, height: 390 }]) {
      await page.setViewportSize(viewport);
      expect(await tabBar.isVisible()).toBe(false);
      expect(await page.getByRole("button", { name: "Open navigation" }).count()).toBe(0);
      await page.getByRole("link", { name: "Home" }).click({ trial: true });
      // A click reaches its target only if nothing covers it.
      await field(page).click({ trial: true });
      for (const name of ["Add to message", "Camera", "Voice message"])
        await page.getByRole("button", { name }).click({ trial: true });
      const composer = await page
        .locator("form")
        .filter({ has: field(page) })
        .boundingBox();
      expect(composer && composer.y + composer.height).toBeLessThanOrEqual(viewport.height);
    }
    await page.getByRole("button", { name: "Action" }).click();
    for (const name of ["View profile", "Meet safely", "Hide me", "Report Violation", "Block / Ignore"])
      await page.getByRole("menuitem", { name }).waitFor();
    await page.getByRole("menuitem", { name: "Hide me" }).click();
    await expect.poll(() => site.sql("select hidden from profile where id = ?", ann.id)).toEqual([{ hidden: 1 }]);
    await page.getByRole("link", { name: "Back to conversations" }).click();
    expect(await tabBar.isVisible()).toBe(false);
    await page.setViewportSize(PHONE);
    await tabBar.waitFor();
    expect([...ann.errors, ...bob.errors]).toEqual([]);
  });

  it("keeps text typed immediately before a reload", async () => {
    const [ann, bob] = [await openMember("Ansel"), await openMember("Bruno")];
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await field(ann.page).fill("hard");
    await ann.page.waitForFunction(async () => (await indexedDB.databases()).some(({ name }) => name === "drafts"));
    await expect.poll(() => readStoredValues(ann.page, "drafts"), LONG_TIMEOUT).toEqual(["hard"]);
    await field(ann.page).fill("hardly");
    await ann.page.reload();
    await expect.poll(() => field(ann.page).inputValue(), LONG_TIMEOUT).toBe("hardly");
  });

  it("opens no socket while the member is suspended, and reconnects afterwards", { tags: "slow" }, async () => {
    const { id, page } = await openMember("Ansel");
    let sockets = 0;
    page.on("websocket", () => {
      sockets += 1;
    });
    await page.clock.install();
    // A new connection fetches the session again, which must not see the suspension yet. The poll did the same before there was one.
    let caughtUp: Promise<unknown> | undefined;
    page.on("request", (request) => {
      if (sockets > 0 && /conversations.*accounts\.session/.test(request.url())) caughtUp ??= request.response();
    });
    await page.goto("/aboutus");
    await expect.poll(() => caughtUp, LONG_TIMEOUT).toBeDefined();
    await caughtUp;
    const connected = sockets;
    await site.sql(
      "update profile set status = 'suspended', ts_status_until = ? where id = ?",
      ...[Date.now() + 30 * 86_400_000, id],
    );
    await page.context().setOffline(true);
    // An attempt that fails for lack of a network must not hide that the next one is refused.
    await expect.poll(() => sockets, LONG_TIMEOUT).toBeGreaterThan(connected);
    await page.context().setOffline(false);
    await page
      .getByRole("alert")
      .getByText(/suspended/i)
      .waitFor();
    const before = sockets;
    const sessionResponse = page.waitForResponse((response) => response.url().includes("accounts.session"));
    await page.clock.fastForward(120_000);
    await (await sessionResponse).finished();
    expect(sockets).toBe(before);
    await site.sql("update profile set status = 'active', ts_status_until = null where id = ?", id);
    await page.clock.fastForward(120_000);
    await expect.poll(() => sockets, LONG_TIMEOUT).toBe(before + 1);
  });

  it("marks messages as read although the server failed at first", async () => {
    const [ann, bob] = [await openMember("Ansel"), await openMember("Bruno", { serviceWorker: false })];
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await send(ann.page, "are you there?");
    await expect
      .poll(() => site.sql("select id from message where sender_id = ?", ann.id), LONG_TIMEOUT)
      .toHaveLength(1);
    const isReading = /messages\.read/;
    await bob.page.route(isReading, (route) => route.fulfill({ status: 503, body: "down" }));
    const failed = bob.page.waitForResponse(isReading);
    await bob.page.goto(`/chat/personal?with=${ann.id}`);
    await failed;
    // The message that reports the failure proves that the page has handled it.
    await bob.page.getByRole("heading", { level: 1, name: /having trouble communicating/ }).waitFor();
    await bob.page.waitForLoadState("networkidle");
    await bob.page.unroute(isReading);
    await ann.page.getByText("Seen", { exact: true }).waitFor({ state: "attached" });
  });

  it("offers the next page if the newest conversations have no readable message, and loads it even if a message comes", {
    tags: "slow",
  }, async () => {
    const [ann, bob, carl] = [await openMember("Ansel"), await openMember("Bruno"), await openMember("Carl")];
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await send(ann.page, "still here");
    await ann.page
      .getByText("Sent", { exact: true })
      .or(ann.page.getByText("Delivered", { exact: true }))
      .waitFor({ state: "attached" });
    for (let index = 1; index <= 20; index += 1) {
      const { id } = await insertMember(site.run, { name: "Gone", randomOrder: index });
      await site.sql(
        "insert into conversation (profile_id, other_id, last_message_id, unread) select ?, ?, max(id) + ?, 0 from message",
        ...[ann.id, id, index],
      );
    }
    await carl.page.goto(`/chat/personal?with=${ann.id}`);
    const { promise: interrupted, resolve } = Promise.withResolvers<void>();
    const onRequest = async (route: Route) => {
      await send(carl.page, "hello from Carl");
      await ann.page.getByRole("link", { name: /hello from Carl/ }).waitFor();
      // The refetch that brought the message has canceled this request.
      await route.continue().catch(() => undefined);
      resolve();
    };
    await ann.page.route(/messages\.conversations.*beforeMessageId/, onRequest, { times: 1 });
    await ann.page.goto("/chat/personal");
    await ann.page.getByRole("button", { name: "Load More" }).click();
    await interrupted;
    await ann.page.getByRole("link", { name: /still here/ }).waitFor();
  });

  it("says why a picture cannot be added when the code for it cannot be loaded", { tags: "slow" }, async () => {
    const [ann, bob] = [await openMember("Ansel", { serviceWorker: false }), await openMember("Bruno")];
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await field(ann.page).waitFor();
    await ann.page.context().setOffline(true);
    const file = { name: "one.jpg", mimeType: "image/jpeg", buffer: Buffer.from("picture") };
    await ann.page.locator("form input[type=file]").setInputFiles(file);
    await ann.page.getByText("the connection was lost").first().waitFor();
  });

  it("lists notifications, and a click opens the target and deletes the notification", async () => {
    const { id, page } = await openMember("Ansel");
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
    const left = () => site.sql("select id from notification where profile_id = ?", id);
    await expect.poll(left, LONG_TIMEOUT).toEqual([]);
    await site.sql(
      `insert into notification (profile_id, kind, body_text, brand, ts_created)
       select ?, 'game', 'News ' || value, 'ember', value from json_each('[1, 2, 3]')`,
      id,
    );
    await page.goto("/notifications");
    await page.getByRole("button", { name: "Clear all" }).click();
    await page.getByText("None", { exact: true }).waitFor();
    expect(await left()).toEqual([]);
  });

  it("keeps every notification in the list once, whatever arrives, is deleted or fails meanwhile", async () => {
    const { id, page } = await openMember("Aldo");
    const insert = (from: number, to: number) =>
      site.sql(
        `with recursive count(n) as (select ?1 union all select n + 1 from count where n < ?2)
         insert into notification (profile_id, kind, body_text, brand, ts_created) select ?3, 'game', 'News ' || cast(n as integer), 'ember', ?4 + n from count`,
        ...[from, to, id, Date.now()],
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
  });
});
