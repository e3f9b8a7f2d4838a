/**
 * What a member sees and what is stored after calls that are slow, overtaken, refused or never answered.
 *
 * @module-tag slow
 */
import { EXPOSURE_MESSAGES_EACH_MIN } from "@lambda/contract/limits";
import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import { createJuryPool } from "@lambda/testing/jury-pool";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { insertConversation } from "./chat-scene.ts";
import { apiFor, type BrowserMember, logIn, makeMember } from "./members.ts";
import { makeNearby, newPlace } from "./nearby.ts";
import { delayFirst, fetchLocally, openFold, overtake } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

async function openAs(me: BrowserMember, path: string) {
  const { page, context } = await site.open({ viewport: DESKTOP });
  await logIn(site, context, me, { freshProof: true });
  await page.goto(path);
  return { page, context, close: () => context.close() };
}

const offline = (page: Page) => page.getByText("You seem to be offline. Check your connection and try again.").first();

/** Lets the server carry calls out, and the page never hear of it. */
const loseAnswers = (page: Page, calls: RegExp) =>
  page.route(calls, async (route) => {
    await fetchLocally(route);
    await route.abort();
  });

/** A box whose state is in the query cache shows a press only after a moment, for which `check` does not wait. */
async function toggle(page: Page, name: string, isChecked: boolean) {
  await page.getByLabel(name).click();
  await expect.poll(() => page.getByLabel(name).isChecked()).toBe(isChecked);
}

const send = async (from: BrowserMember, method: string, path: string, body: unknown) => {
  const response = await (await apiFor(site, from)).fetch(path, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return response;
};

it("shows every characteristic and text that was saved, although an earlier answer comes last", async () => {
  const { page, close } = await openAs(await makeMember(site, { name: "Ansel" }), "/profileEdit");
  await openFold(page, "Characteristics");
  const saves = await delayFirst(page, /profiles\.update/, "answer");
  await toggle(page, "Coffee", true);
  await saves.reached;
  await toggle(page, "Leather", true);
  await openFold(page, "You");
  await page.getByLabel("Height").fill("6'1\"");
  await page.getByLabel("Height").blur();
  await expect.poll(saves.answers).toBeGreaterThanOrEqual(1);
  await overtake(page);
  saves.release();
  await expect.poll(saves.answers).toBe(3);
  await overtake(page);
  expect(await page.getByLabel("Coffee").isChecked()).toBe(true);
  expect(await page.getByLabel("Leather").isChecked()).toBe(true);
  expect(await page.getByLabel("Height").inputValue()).toBe("6'1\"");
  await close();
});

it("ends with the characteristic as it was pressed last, and unchecks only the one that was refused", async () => {
  const me = await makeMember(site, { name: "Ansel" });
  const { page, close } = await openAs(me, "/profileEdit");
  const stored = () => site.sql("select characteristics <> 0 as chosen from profile where id = ?", me.id);
  await openFold(page, "Characteristics");
  const saves = await delayFirst(page, /profiles\.update/);
  await toggle(page, "Coffee", true);
  await toggle(page, "Coffee", false);
  await overtake(page);
  saves.release();
  await expect.poll(saves.answers).toBe(2);
  expect(await stored()).toEqual([{ chosen: 0 }]);

  await page.unrouteAll();
  let isFirst = true;
  await page.route(/profiles\.update/, async (route) => {
    const isRefused = isFirst;
    isFirst = false;
    await (isRefused ? overtake(page).then(() => route.abort()) : route.continue());
  });
  await toggle(page, "Coffee", true);
  await toggle(page, "Leather", true);
  await offline(page).waitFor();
  await expect.poll(stored).toEqual([{ chosen: 1 }]);
  await overtake(page);
  expect(await page.getByLabel("Coffee").isChecked()).toBe(false);
  expect(await page.getByLabel("Leather").isChecked()).toBe(true);
  await close();
});

it("keeps what is typed while a letter is being sent", async () => {
  const me = await makeMember(site, { name: "Ansel" });
  const { page, close } = await openAs(me, "/contactus");
  await page.getByLabel("Full name").fill("Ansel");
  for (const [path, label, button, sent] of [
    ["/contactus", "Message", "Submit", /^Message Sent/],
    ["/support", "What happened, and what did you expect?", "Report the problem", /^Thank you\. A volunteer/],
  ] as const) {
    if (path === "/support") await page.goto(path);
    const field = page.getByLabel(label);
    const calls = await delayFirst(page, /contact\./);
    await field.fill("One thing");
    await page.getByRole("button", { name: button }).click();
    await calls.reached;
    await field.fill("Another thing");
    calls.release();
    await page.getByText(sent).waitFor();
    await overtake(page);
    expect(await field.inputValue()).toBe("Another thing");
    await page.getByRole("button", { name: button }).click();
    await expect.poll(calls.answers).toBe(2);
    await expect.poll(() => field.inputValue()).toBe("");
    await page.unrouteAll();
  }
  const letters = await site.sql<{ message: string }>(
    "select message from contact_message where profile_id = ? order by id",
    me.id,
  );
  expect(letters.map(({ message }) => message)).toEqual(["One thing", "Another thing", "One thing", "Another thing"]);
  await close();
});

it("sends a health notice to those who are still on the list", async () => {
  const me = await makeMember(site, { name: "Ansel" });
  const partners = [await makeMember(site, { name: "Bruno" }), await makeMember(site, { name: "Carl" })] as const;
  for (const partner of partners) {
    await insertConversation(
      site,
      me,
      partner,
      Array.from(
        { length: 2 * EXPOSURE_MESSAGES_EACH_MIN },
        (_, index) => [index % 2 === 0, `hi ${index}`, 60_000] as const,
      ),
    );
  }
  const { page, close } = await openAs(me, "/games/health");
  await page.getByLabel("Bruno").check();
  await page.getByLabel("Carl").check();
  await site.sql("update profile set hidden = 1 where id = ?", partners[0].id);
  await page.getByRole("button", { name: "Send 2 notices" }).click();
  await page.getByLabel("Bruno").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send 1 notice" }).click();
  await page.getByText("nothing here remembers you sent it").waitFor();
  expect(await site.sql("select recipient_id from exposure_notice")).toEqual([{ recipient_id: partners[1].id }]);
  await close();
});

it("leaves a case whose vote was counted although no answer came, and says why a juror could not step back", async () => {
  const [subject, reporter] = [await makeMember(site, { name: "Loudmouth" }), await makeMember(site)];
  await createJuryPool(site.run);
  const report = { subjectProfileId: subject.id, category: "harassment", text: "He shouts at me" };
  await send(reporter, "POST", "/api/report", report);
  const [seat] = await site.sql<{ id: number }>("select profile_id as id from juror");
  const { page, close } = await openAs({ id: seat!.id } as BrowserMember, "/games/arbitration");
  await page.route(/arbitration\.recuse/, (route) => route.abort());
  await page.getByRole("button", { name: "I know one of them" }).click();
  await offline(page).waitFor();
  await loseAnswers(page, /arbitration\.vote/);
  await page.getByLabel("It doesn't").check();
  await page.getByLabel(/^Why\?/).fill("It is meant as a joke.");
  await page.getByRole("button", { name: "Cast my vote" }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await page.getByText("No case is waiting for you").waitFor();
  expect(await site.sql("select 1 from juror where profile_id = ? and state = 'voted'", seat!.id)).toHaveLength(1);
  await close();
});

it("says why jury duty could not be switched off", async () => {
  const { page, close } = await openAs(await makeMember(site), "/games/arbitration");
  const duty = page.getByRole("switch");
  await duty.waitFor();
  await page.route(/setOptedOut/, (route) => route.abort());
  await duty.click();
  await offline(page).waitFor();
  expect(await duty.isChecked()).toBe(true);
  await close();
});

it("shows at the next visit of the account what another device saved", async () => {
  const me = await makeMember(site);
  const { page, close } = await openAs(me, "/settings#login");
  await page.getByLabel("Real name").waitFor();
  await page.getByLabel("Repeat password").fill("being typed");
  await send(me, "PUT", "/api/settings", { name: "From the phone" });
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  await expect.poll(() => page.getByLabel("Real name").inputValue()).toBe("From the phone");
  expect(await page.getByLabel("Repeat password").inputValue()).toBe("being typed");
  await close();
});

it("a member who is blocked in one tab disappears from the others, and is there again after the undo", async () => {
  const place = newPlace();
  const [me, other] = [await makeNearby(site, place, "Ansel"), await makeNearby(site, place, "Bruno", 0.01)];
  await insertConversation(site, me, other, [[false, "hello", 60_000]]);
  const { page, context, close } = await openAs(me, "/search/tile");
  const tile = page.getByRole("link", { name: /Bruno/ }).first();
  await tile.waitFor();
  const chat = await context.newPage();
  await chat.goto(`/chat/personal?with=${other.id}`);
  const message = chat.getByRole("log").getByText("hello");
  await message.waitFor();
  const profile = await context.newPage();
  await profile.goto(`/profile/${other.id}`);
  const secondProfile = await context.newPage();
  await secondProfile.goto(`/profile/${other.id}`);
  const name = secondProfile.getByRole("heading", { name: "Bruno" });
  await name.waitFor();
  // The tabs talk from the moment when the services are there that a first screen need not wait for.
  await profile.waitForTimeout(4000);
  await profile.getByRole("button", { name: "Action" }).click();
  await profile.getByRole("menuitem", { name: "Block / Ignore" }).click();
  await profile.getByRole("button", { name: "Undo" }).waitFor();
  await tile.waitFor({ state: "detached" });
  await message.waitFor({ state: "detached" });
  await name.waitFor({ state: "detached" });
  await profile.getByRole("button", { name: "Undo" }).click();
  await tile.waitFor();
  await message.waitFor();
  await name.waitFor();
  await close();
});
