/** What a page makes of a network that loses, doubles and blocks. */
import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import type { Locator, Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { insertConversation } from "./chat-scene.ts";
import { apiFor, type BrowserMember, logIn, makeMember } from "./members.ts";
import { newPlace, reportPosition } from "./nearby.ts";
import { blockSockets, type Fault, playFault } from "./network-proxy.ts";
import { delayFirst, LONG_TIMEOUT, overtake, returnToPage, waitForHydration } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

interface Scene {
  readonly page: Page;
  readonly me: BrowserMember;
  readonly other: BrowserMember;
}

async function openScene(
  names: readonly [string, string] = ["Ansel", "Bruno"],
): Promise<Scene & { close: () => Promise<void> }> {
  const [me, other] = [await makeMember(site, { name: names[0] }), await makeMember(site, { name: names[1] })];
  const { page, context } = await site.open({ viewport: DESKTOP });
  await logIn(site, context, me);
  return { page, me, other, close: () => context.close() };
}

const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const log = (page: Page) => page.getByRole("log");
const count = async (query: string, ...values: (string | number)[]) => (await site.sql(query, ...values)).length;

interface Act {
  readonly name: string;
  readonly call: RegExp;
  readonly screen: (scene: Scene) => string;
  /** Does it as a member would, and again if the page says that it failed. `happened` resolves when the network did what it does. */
  readonly act: (scene: Scene, happened: () => Promise<void>) => Promise<void>;
  readonly stored: (scene: Scene) => Promise<number>;
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
    const scene = await openScene();
    if (fault === "blocked") await blockSockets(scene.page);
    if (fault === "silent") await scene.page.clock.install();
    await scene.page.goto(screen(scene));
    await act(scene, await play(scene.page, call, fault));
    expect(await stored(scene)).toBe(1);
    await scene.close();
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
      await page.getByText("If no mail arrives", { exact: false }).waitFor();
      await register();
    }
    await page.goto(await site.loginLink(email));
    await page.getByRole("heading", { name: "Who is coming in?" }).waitFor();
    expect(await count("select 1 from account where email = ?", email)).toBe(1);
    await context.close();
  });
});

it("makes a plan although another call of the same moment gets no answer", { tags: "slow" }, async () => {
  const { page, me, other, close } = await openScene();
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
  const { page, me, other, close } = await openScene();
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

it("shows no message that was unsent while the history with it was on its way", { tags: "slow" }, async () => {
  const { page, me, other, close } = await openScene();
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

it("shows no post of the map chat that was taken back, and each that came, while an older list was on its way", {
  tags: "slow",
}, async () => {
  const { page, me, other, close } = await openScene();
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

it("loads more of the map chat once, although a post comes meanwhile", { tags: "slow" }, async () => {
  const { page, me, other, close } = await openScene();
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
  await post(other, "comes meanwhile");
  const shown = (text: string) => page.getByRole("article").filter({ hasText: text });
  await shown("comes meanwhile").waitFor();
  lists.release();
  await shown("the oldest").waitFor();
  expect(await shown("comes meanwhile").count()).toBe(1);
  expect(lists.answers()).toBe(1);
  await close();
});

it("takes back a reaction that was not saved, also after another one", { tags: "slow" }, async () => {
  const { page, me, other, close } = await openScene();
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

it("ends with the reaction that was pressed last, however slow the first call is", { tags: "slow" }, async () => {
  const { page, me, other, close } = await openScene();
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

it("says that a member is shown although an answer from before comes later", { tags: "slow" }, async () => {
  const { page, me, other, close } = await openScene();
  await reportPosition(site, me, newPlace());
  await site.sql("update profile set hidden = 1 where id = ?", me.id);
  await insertConversation(site, me, other, [[false, "hello", 60_000]]);
  await page.goto(`/chat/personal?with=${other.id}`);
  await log(page).getByText("hello").waitFor();
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
  await page.getByRole("menuitem", { name: "Hide me" }).waitFor();
  await close();
});

describe("without a socket", { tags: "slow" }, () => {
  it("the poll takes away what was unsent, and shows what was seen", async () => {
    const { page, me, other, close } = await openScene();
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
    const { page, me, other, close } = await openScene();
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
    const { page, me, other, close } = await openScene();
    await insertConversation(site, me, other, [[false, "hello", 60_000]]);
    await blockSockets(page);
    await page.clock.install();
    await page.goto(`/chat/personal?with=${other.id}`);
    await log(page).getByText("hello").waitFor();
    // The page's clock goes on by the test's steps, because a busy machine would miss the seconds until the page leaves.
    await page.clock.pauseAt(Date.now() + 13_500);
    const until = (isReached: () => Promise<boolean>) =>
      expect
        .poll(async () => {
          await page.clock.runFor(10);
          return isReached();
        })
        .toBe(true);
    await page.getByRole("button", { name: "Action" }).click();
    await page.getByRole("menuitem", { name: "Block / Ignore" }).click();
    const undo = page.getByRole("button", { name: "Undo" });
    await until(() => undo.isVisible());
    await page.clock.fastForward(2_000);
    await until(async () => (await log(page).count()) === 0);
    await undo.click();
    await until(() => log(page).getByText("hello").isVisible());
    expect(await count("select 1 from block where profile_id = ? and blocked_by_profile = 1", me.id)).toBe(0);
    await close();
  });

  it("one who writes to a member who has just blocked sees what a reload would show", async () => {
    const { page, me, other, close } = await openScene();
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
});

it("says that it looks for the exact position, and sends none that comes after the sheet was closed", {
  tags: "slow",
}, async () => {
  const { page, me, other, close } = await openScene();
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
  const sent = () => count("select id from message where sender_id = ?", me.id);
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

it("opens hundreds of unread messages at the first one, and marks only what was on the screen", async () => {
  const { page, me, other, close } = await openScene();
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
    (await site.sql<{ unread: number }>("select unread from conversation where profile_id = ?", me.id))[0]?.unread ?? 0;
  await expect.poll(unread).toBeLessThan(130);
  expect(await unread()).toBeGreaterThan(80);
  await page.getByRole("button", { name: "Jump to newest" }).click();
  await expect.poll(unread).toBe(0);
  await close();
});

it("asks before a logout that would lose waiting messages, also in another tab", async () => {
  const { page, other, close } = await openScene();
  await page.context().route(/messages\.send/, (route) => route.abort());
  await page.goto(`/chat/personal?with=${other.id}`);
  await field(page).fill("still here");
  await field(page).press("Enter");
  await log(page).getByText("still here").waitFor();
  const tab = await page.context().newPage();
  // It learns whose session this is from the server's answer alone.
  await tab.addInitScript(() => localStorage.removeItem("query-cache"));
  await tab.goto("/logout");
  await tab.getByText("One message has not been sent yet.", { exact: false }).waitFor();
  await tab.getByRole("link", { name: "Stay logged in" }).click();
  await tab.waitForURL("**/chat/personal");
  await tab.goto("/logout");
  await tab.getByRole("button", { name: "Log out anyway" }).click();
  await tab.waitForURL("**/login");
  await page.waitForURL("**/login");
  await log(page).waitFor({ state: "detached" });
  await close();
});

it("reads names and messages in their own direction, and scrolls sideways for no stack of accents or long word", async () => {
  const { page, me, other, close } = await openScene(["Ansel", "אברהם"]);
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
