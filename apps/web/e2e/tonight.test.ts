import { HOUR_MS } from "@lambda/contract/limits";
import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, expect, it } from "vitest";
import { markerOf, newSea, openMap, placeControl } from "./map-page.ts";
import { logIn } from "./members.ts";
import { makeNearby } from "./nearby.ts";

let site: TestSite;

beforeAll(async () => {
  site = await openSite();
});

it("a night out glows for another member on tiles, map and profile, is a filter, and ends at once when he ends it", {
  tags: "slow",
}, async () => {
  const sea = newSea();
  const [ann, bob] = [await makeNearby(site, sea, "Ansel"), await makeNearby(site, sea, "Bruno", 0.01)];
  await makeNearby(site, sea, "Marco", 0.02);
  const mine = await openMap(ann, { view: { ...sea, zoom: 13 } });
  await placeControl(mine.page, /^(Today|Tonight)$/).click();
  const sheet = mine.page.getByRole("dialog", { name: /^(Today|Tonight)$/ });
  await sheet.getByRole("button", { name: "coffee" }).click();
  expect(await findBarriers(mine.page)).toEqual([]);
  await sheet.getByRole("button", { name: "I'm out" }).click();
  await sheet.waitFor({ state: "hidden" });
  await mine.page.goto("/");
  const row = mine.page.getByText(/^Out until .*: coffee and a drink$/);
  await row.waitFor();
  expect(await findBarriers(mine.page)).toEqual([]);

  const theirs = await site.open({ viewport: DESKTOP });
  await logIn(site, theirs.context, bob);
  const tile = theirs.page.getByRole("link", { name: /^Ansel.*out tonight$/ });
  await theirs.page.goto("/search/tile");
  await theirs.page.getByRole("link", { name: /^Marco/ }).waitFor();
  await theirs.page.getByRole("button", { name: /^Out (today|tonight): 1 here$/ }).waitFor();
  expect(await findBarriers(theirs.page)).toEqual([]);
  await theirs.page.getByRole("button", { name: /^Out (today|tonight): 1 here$/ }).click();
  await theirs.page.getByRole("link", { name: /^Marco/ }).waitFor({ state: "detached" });
  await tile.waitFor();
  await tile.click();
  await theirs.page.getByText(/^Out until .*: coffee and a drink$/).waitFor();
  const map = await openMap(bob, { view: { ...sea, zoom: 13 } });
  await markerOf(map.page, ann).and(map.page.locator("[data-tonight]")).waitFor();

  const own = await openMap(ann, { view: { ...sea, zoom: 13 } });
  await own.page.locator("button[data-tonight][class*=own]").waitFor();
  expect(own.errors).toEqual([]);

  await mine.page.getByRole("button", { name: /^(Today|Tonight)$/ }).click();
  await mine.page.getByRole("button", { name: "End it now" }).click();
  await mine.page.getByRole("button", { name: /^Out (today|tonight)\?$/ }).waitFor();
  await theirs.page.goto("/search/tile");
  await theirs.page.getByText("There are no profiles to show").waitFor();
  expect(await site.sql("select * from tonight")).toEqual([]);
  expect([...mine.errors, ...theirs.errors, ...map.errors]).toEqual([]);
});

it.each([3, -3, 48])(
  "a night out is offered and shown by the server's clock on a phone %i hours ahead",
  async (hours) => {
    const me = await makeNearby(site, newSea(), "Ahead");
    const { context, page, errors } = await site.open();
    await logIn(site, context, me);
    await page.clock.install({ time: Date.now() + hours * HOUR_MS });
    await page.goto("/");
    await page.getByRole("button", { name: /^Out (today|tonight)\?$/ }).click();
    const sheet = page.getByRole("dialog", { name: /^(Today|Tonight)$/ });
    const option = sheet.getByLabel("Until").locator("option").first();
    const first = (await option.getAttribute("value")) ?? "";
    expect(Math.ceil(Date.parse(first) / HOUR_MS)).toBe(Math.ceil(Date.now() / HOUR_MS));
    await sheet.getByLabel("Until").selectOption(first);
    await sheet.getByRole("button", { name: "I'm out" }).click();
    await page.getByText(/^Out until .*: a drink$/).waitFor();
    await page.reload();
    await page.getByText(/^Out until .*: a drink$/).waitFor();
    const [stored] = await site.sql<{ until: number }>(
      "select ts_until as until from tonight where profile_id = ?",
      me.id,
    );
    expect(stored?.until).toBe(Date.parse(first));
    expect(errors).toEqual([]);
    await context.close();
  },
);
