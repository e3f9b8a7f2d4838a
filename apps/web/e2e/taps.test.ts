/** Counts what a member presses, from the first page to a first message. */
import { openSite, type TestSite } from "@lambda/testing/browser";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { apiFor, type BrowserMember, logIn, makeMember } from "./members.ts";
import { makeNearby, newPlace, reportPosition } from "./nearby.ts";
import { LONG_TIMEOUT, waitForHydration } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;
let neighbor: BrowserMember;
const place = newPlace();

beforeAll(async () => {
  site = await openSite();
  neighbor = await makeNearby(site, place, "Neighbour");
  await (await apiFor(site, neighbor)).upload(await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]));
});

/** Taps and counts; types only into the field that has the focus. */
function makeHand(page: Page) {
  let taps = 0;
  const tap = async (target: Locator) => {
    await target.first().tap(LONG_TIMEOUT);
    taps += 1;
  };
  return {
    tap,
    /** Types, with a tap before if the field does not have the focus by itself. */
    type: async (field: Locator, text: string) => {
      await field.first().waitFor(LONG_TIMEOUT);
      // A field takes the focus by itself right after it appears, if at all.
      await page.waitForTimeout(300);
      if (!(await field.first().evaluate((element) => element === document.activeElement))) await tap(field);
      await page.keyboard.type(text);
    },
    taps: () => taps,
  };
}

/** From the first page through the mailed code to the end of the welcome's first step. */
async function register(page: Page, { tap, type }: ReturnType<typeof makeHand>, name: string): Promise<void> {
  const email = `${name}-${Date.now()}@example.test`.toLowerCase();
  await page.goto("/");
  await waitForHydration(page);
  await tap(page.getByRole("main").getByRole("link", { name: /Register/ }));
  await waitForHydration(page);
  await type(page.getByLabel("Email"), email);
  for (const box of await page.getByRole("checkbox").all()) await tap(box);
  await tap(page.getByRole("button", { name: "Send me a login link" }));
  await page.getByLabel("Six-digit code").waitFor(LONG_TIMEOUT);
  await type(page.getByLabel("Six-digit code"), await site.loginDigits(email));
  await type(page.getByLabel("Profile name"), name);
  await type(page.getByLabel("Month"), "5171990");
  await tap(page.getByRole("button", { name: "Continue" }));
}

async function isSentTo(member: BrowserMember, text: string): Promise<void> {
  await expect
    .poll(async () => {
      const page = await (await apiFor(site, member)).fetch("/api/conversations");
      return page.text();
    }, LONG_TIMEOUT)
    .toContain(text);
}

it("leads from the first page to a first message in at most 14 taps", async () => {
  const { page, context } = await site.open();
  const hand = makeHand(page);
  const { tap, type, taps } = hand;
  await register(page, hand, "Newman");
  await tap(page.getByRole("button", { name: "Later, show me the men" }));
  await page.waitForURL("**/search/tile");
  await tap(page.getByRole("link", { name: /^Neighbour/ }));
  await tap(page.getByRole("main").getByRole("link", { name: "Chat", exact: true }));
  await type(page.getByRole("textbox", { name: "Message" }), "Good evening from a new man");
  await tap(page.getByRole("button", { name: "Send", exact: true }));
  await isSentTo(neighbor, "Good evening from a new man");
  expect(taps()).toBeLessThanOrEqual(14);
  // What was left for later does not come back by itself.
  await page.goto("/");
  await page.getByText("Hello, Newman.").waitFor();
  expect(await page.getByText("Finish setting up your profile").count()).toBe(0);
  await context.close();
});

it("leads through a picture and the own place to a first message in at most 16 taps", { tags: "slow" }, async () => {
  const { lat: latitude, lon: longitude } = place;
  const { page, context } = await site.open({ geolocation: { latitude, longitude } });
  const hand = makeHand(page);
  const { tap, type, taps } = hand;
  await register(page, hand, "Placed");
  const chooser = page.waitForEvent("filechooser", LONG_TIMEOUT);
  await tap(page.getByLabel("Choose a picture"));
  const buffer = await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]);
  await (await chooser).setFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer });
  await tap(page.getByRole("button", { name: "Use it" }));
  await tap(page.getByRole("button", { name: "Use my location" }));
  await page.getByRole("button", { name: "Following your device" }).waitFor(LONG_TIMEOUT);
  await tap(page.getByRole("button", { name: "Show me in this square" }));
  await page.waitForURL("**/search/tile");
  await tap(page.getByRole("link", { name: /^Neighbour/ }));
  await tap(page.getByRole("main").getByRole("link", { name: "Chat", exact: true }));
  await type(page.getByRole("textbox", { name: "Message" }), "Just around the corner");
  await tap(page.getByRole("button", { name: "Send", exact: true }));
  await isSentTo(neighbor, "Just around the corner");
  expect(taps()).toBeLessThanOrEqual(16);
  await context.close();
});

it("leads a man who returns from home to a message to a new face in 3 taps", async () => {
  const me = await makeMember(site, { name: "Ansel" });
  await reportPosition(site, me, place);
  const { page, context } = await site.open();
  await logIn(site, context, me);
  const { tap, type, taps } = makeHand(page);
  await page.goto("/");
  await tap(page.locator(`main a[href^="/profile/${neighbor.id}"]`));
  await tap(page.getByRole("main").getByRole("link", { name: "Chat", exact: true }));
  await type(page.getByRole("textbox", { name: "Message" }), "Back again, how are you?");
  await tap(page.getByRole("button", { name: "Send", exact: true }));
  await isSentTo(neighbor, "Back again, how are you?");
  expect(taps()).toBeLessThanOrEqual(3);
  await context.close();
});

it("leads from home to the nearest man who is online and new, a star, his second picture and a message in 8 taps", {
  tags: "slow",
}, async () => {
  const there = newPlace();
  const [me, settled, asleep, fresh] = [
    await makeMember(site, { name: "Looking" }),
    await makeNearby(site, there, "Settled", 0.001),
    await makeNearby(site, there, "Asleep", 0.002),
    await makeNearby(site, there, "Fresh", 0.003),
  ];
  await reportPosition(site, me, there);
  for (const one of [settled, asleep, fresh, fresh]) {
    await (await apiFor(site, one)).upload(await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]));
  }
  await site.sql("update account set ts_created = 1 where id = ?", settled.id);
  await site.sql("update profile set ts_seen = ts_seen - 7200000 where id = ?", asleep.id);
  const { page, context, errors } = await site.open();
  await logIn(site, context, me);
  const { tap, type, taps } = makeHand(page);
  await page.goto("/");
  const first = page.getByRole("list", { name: "Nearest to you" }).getByRole("link").first();
  await first.and(page.getByRole("link", { name: /^Fresh, .*online, New/ })).waitFor(LONG_TIMEOUT);
  await tap(first);
  await tap(page.getByRole("button", { name: "Action" }));
  await tap(page.getByRole("menuitem", { name: "Star", exact: true }));
  await page.getByText("Starred. Only you know.").first().waitFor(LONG_TIMEOUT);
  await tap(page.getByRole("main").getByRole("link", { name: "Picture 2 of 2" }));
  await page.waitForURL("**/profilePicCarousel**");
  await page.locator("main img[src*='/api/profile-pic']").first().waitFor(LONG_TIMEOUT);
  await page.goBack();
  // The phone's own back is a tap too.
  const back = 1;
  await tap(page.getByRole("main").getByRole("link", { name: "Chat", exact: true }));
  await type(page.getByRole("textbox", { name: "Message" }), "Welcome to the corner");
  await tap(page.getByRole("button", { name: "Send", exact: true }));
  await isSentTo(fresh, "Welcome to the corner");
  expect(taps() + back).toBeLessThanOrEqual(8);
  const [note] = await site.sql<{ private_tags: string }>(
    "select private_tags from profile_note where author_id = ?",
    me.id,
  );
  expect(note?.private_tags).toBe('["★"]');
  expect(errors).toEqual([]);
  await context.close();
});
