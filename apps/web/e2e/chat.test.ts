import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { insertMember } from "@lambda/testing/members";
import type { Route } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { field, log, openMember, openPair, send } from "./chat-page.ts";
import { insertConversation } from "./chat-scene.ts";
import { readStoredValues } from "./chat-storage.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

describe("one browser", () => {
  it("keeps a picture chosen before the session has loaded, and uploads it afterwards", { tags: "slow" }, async () => {
    const { page } = await openMember(site, "Ansel");
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/accounts\.session/, (route) => promise.then(() => route.continue()));
    await page.goto("/chat/broadcast");
    const file = { name: "one.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") };
    await page.locator("form input[type=file]").setInputFiles(file);
    resolve();
    await page.getByText("only png, jpg/jpeg and webp pictures are accepted").first().waitFor();
  });

  it("keeps text typed before the session has loaded, and sends it afterwards", { tags: "slow" }, async () => {
    const { page } = await openMember(site, "Ansel");
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
    const ann = await openMember(site, "Ansel");
    const bob = await openMember(site, "Bruno");
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
    const [ann, bob] = [await openMember(site, "Ansel"), await openMember(site, "Bruno")];
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
    const items = page.getByRole("menuitem");
    await items.first().waitFor();
    expect(await items.allTextContents()).toEqual([
      ...[
        "View profile",
        "Meet safely",
        "Did you meet him?",
        "Report Violation",
        "Block / Ignore",
        "Hide from everyone",
      ],
    ]);
    await items.last().click();
    const question = page.getByRole("dialog", { name: "Hide from everyone?" });
    await question.waitFor();
    expect(await site.sql("select hidden from profile where id = ?", ann.id)).toEqual([{ hidden: 0 }]);
    await question.getByRole("button", { name: "Hide me" }).click();
    await expect.poll(() => site.sql("select hidden from profile where id = ?", ann.id)).toEqual([{ hidden: 1 }]);
    await page.getByRole("link", { name: "Back to conversations" }).click();
    expect(await tabBar.isVisible()).toBe(false);
    await page.setViewportSize(PHONE);
    await tabBar.waitFor();
    expect([...ann.errors, ...bob.errors]).toEqual([]);
  });

  it("keeps text typed immediately before a reload", async () => {
    const [ann, bob] = [await openMember(site, "Ansel"), await openMember(site, "Bruno")];
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await field(ann.page).fill("hard");
    await ann.page.waitForFunction(async () => (await indexedDB.databases()).some(({ name }) => name === "drafts"));
    await expect.poll(() => readStoredValues(ann.page, "drafts"), LONG_TIMEOUT).toEqual(["hard"]);
    await field(ann.page).fill("hardly");
    await ann.page.reload();
    await expect.poll(() => field(ann.page).inputValue(), LONG_TIMEOUT).toBe("hardly");
  });

  it("opens no socket while the member is suspended, and reconnects afterwards", { tags: "slow" }, async () => {
    const { id, page } = await openMember(site, "Ansel");
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

  it("marks messages as read although the server asked to slow down and then failed", async () => {
    const [ann, bob] = [await openMember(site, "Ansel"), await openMember(site, "Bruno", { serviceWorker: false })];
    // The other wrote first, or receipts would not be told.
    await bob.page.goto(`/chat/personal?with=${ann.id}`);
    await send(bob.page, "call me");
    await log(bob.page).getByText("call me").waitFor();
    await bob.page.goto("/");
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await send(ann.page, "are you there?");
    await expect
      .poll(() => site.sql("select id from message where sender_id = ?", ann.id), LONG_TIMEOUT)
      .toHaveLength(1);
    const isReading = /messages\.read/;
    let isFirst = true;
    await bob.page.route(isReading, async (route) => {
      const status = isFirst ? 429 : 503;
      isFirst = false;
      await route.fulfill({ status, body: "down" });
    });
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
    const [ann, bob, carl] = [
      await openMember(site, "Ansel"),
      await openMember(site, "Bruno"),
      await openMember(site, "Carl"),
    ];
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
    const [ann, bob] = [await openMember(site, "Ansel", { serviceWorker: false }), await openMember(site, "Bruno")];
    await ann.page.goto(`/chat/personal?with=${bob.id}`);
    await field(ann.page).waitFor();
    await ann.page.context().setOffline(true);
    const file = { name: "one.jpg", mimeType: "image/jpeg", buffer: Buffer.from("picture") };
    await ann.page.locator("form input[type=file]").setInputFiles(file);
    await ann.page.getByText("the connection was lost").first().waitFor();
  });

  it("opens hundreds of unread messages at the first one, and marks only what was on the screen", async () => {
    const { page, me, other, close } = await openPair(site);
    const messages = Array.from({ length: 130 }, (_, at) => [false, `word ${at}`, (200 - at) * 1000] as const);
    await insertConversation(site, me, other, [[true, "before", 300_000], [false, "read", 250_000], ...messages], 130);
    await page.goto(`/chat/personal?with=${other.id}`);
    await log(page).getByText("word 0", { exact: true }).waitFor();
    const line = log(page).locator("[data-unread-line]");
    expect(await line.evaluate((element) => element.nextElementSibling?.textContent)).toContain("word 0");
    const isShown = (text: string) =>
      log(page)
        .getByText(text, { exact: true })
        .evaluate((element) => {
          const [own, all] = [element.getBoundingClientRect(), element.closest("[role=log]")?.getBoundingClientRect()];
          return own.top >= (all?.top ?? 0) && own.bottom <= (all?.bottom ?? 0);
        });
    expect(await isShown("word 0")).toBe(true);
    const unread = async () =>
      (await site.sql<{ unread: number }>("select unread from conversation where profile_id = ?", me.id))[0]?.unread ??
      0;
    await expect.poll(unread).toBeLessThan(130);
    expect(await unread()).toBeGreaterThan(80);
    await page.getByRole("button", { name: "Jump to newest" }).click();
    await expect.poll(unread).toBe(0);
    await close();
  });

  it("says that it looks for the exact position, and sends none that comes after the sheet was closed", {
    tags: "slow",
  }, async () => {
    const { page, me, other, close } = await openPair(site);
    await page.addInitScript(() => {
      const waiting: PositionCallback[] = [];
      navigator.geolocation.getCurrentPosition = (found) => waiting.push(found);
      const coords = { latitude: 52.5, longitude: 13.4 };
      Object.assign(window, {
        answer: (count: number) =>
          waiting.splice(0, count).map((found) => found({ coords } as unknown as GeolocationPosition)),
      });
    });
    await page.goto(`/chat/personal?with=${other.id}`);
    const sheet = page.getByRole("dialog", { name: "Send your exact position?" });
    const start = async () => {
      await page.getByRole("button", { name: "Add to message" }).click();
      await page.getByRole("menuitem", { name: "Exactly where I am" }).click();
      await sheet.getByRole("button", { name: "Send it" }).click();
      await sheet.getByText("Looking for where you are ...").waitFor();
    };
    const sent = async () => (await site.sql("select id from message where sender_id = ?", me.id)).length;
    await start();
    await sheet.getByRole("button", { name: "Cancel" }).first().click();
    await sheet.waitFor({ state: "hidden" });
    await page.evaluate("answer(1)");
    await start();
    // The late answer to the first try has sent nothing, and that to the second sends one message.
    expect(await sent()).toBe(0);
    await page.evaluate("answer(1)");
    await sheet.waitFor({ state: "hidden" });
    await expect.poll(sent, LONG_TIMEOUT).toBe(1);
    await close();
  });

  it("reads names and messages in their own direction, and scrolls sideways for no stack of accents or long word", async () => {
    const { page, me, other, close } = await openPair(site, ["Ansel", "אברהם"]);
    const stack = `e${"\u0301".repeat(30)}`;
    await insertConversation(site, me, other, [
      [false, "مرحبا!", 60_000],
      [false, stack, 30_000],
      [false, "W".repeat(900), 26_000],
      [false, "👨‍👩‍👧‍👦".repeat(200), 25_000],
      [false, `https://example.test/${"a_(b)%20".repeat(60)}`, 24_000],
      [false, "\u00A0word".repeat(80), 23_000],
      [false, "hello!", 20_000],
    ]);
    await page.goto(`/chat/personal?with=${other.id}`);
    await log(page).getByText("hello!").waitFor();
    const direction = (text: string) =>
      log(page)
        .getByText(text)
        .first()
        .evaluate((element) => getComputedStyle(element).direction);
    expect([await direction("مرحبا!"), await direction("hello!")]).toEqual(["rtl", "ltr"]);
    expect(
      await page.getByRole("heading", { name: "אברהם" }).evaluate((element) => getComputedStyle(element).direction),
    ).toBe("rtl");
    expect(
      await log(page).evaluate((element) => {
        element.scrollLeft = 50;
        return [element.scrollLeft, document.documentElement.scrollWidth > innerWidth];
      }),
    ).toEqual([0, false]);
    // Phones would make links of numbers.
    const detected = await page.locator("meta[name=format-detection]").getAttribute("content");
    expect(detected).toBe("telephone=no, date=no, address=no, email=no");
    await close();
  });
});
