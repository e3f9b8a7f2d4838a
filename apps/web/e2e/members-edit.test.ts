import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";
import { openFold } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

describe("Edit Profile", () => {
  it("saves text fields on blur and checkboxes at once, and shows a confirmation for a second", async () => {
    const me = await makeMember(site, { name: "Old Name" });
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, me);
    await page.goto("/profileEdit");
    await openFold(page, "You");
    const name = page.getByLabel("Profile name");
    await name.fill("New Name");
    await name.press("Tab");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByText("Saved", { exact: true }).waitFor({ state: "detached" });
    await name.fill("");
    await name.blur();
    await page.getByText("You need a name. Without one nobody finds you.").waitFor();

    const birthdate = page.getByLabel("Birthdate");
    await birthdate.fill("2015-01-01");
    await birthdate.blur();
    await page.getByText("This site is for men aged 18 and over.").waitFor();
    await birthdate.fill("1984-02-29");
    await birthdate.blur();
    await page.getByText(/^You're 4\d\.$/).waitFor();

    const description = page.getByLabel("Description");
    await description.fill("Hello there");
    await page.getByText("11/4000", { exact: true }).waitFor();
    await description.blur();
    // The name is still refused: its section stays at the first click and folds at the second.
    await openFold(page, "Characteristics");
    await openFold(page, "Characteristics");
    await page.getByLabel("Bear", { exact: true }).press("Space");
    await openFold(page, "Health");
    const report = page.getByRole("link", { name: "Tell past partners to get tested" });
    expect(await report.getAttribute("href")).toBe("/games/health");
    await page.getByLabel("HIV status", { exact: true }).and(page.getByRole("combobox")).selectOption("undetectable");
    await expect
      .poll(() =>
        site.sql("select profile_name, birthdate, description, characteristics from profile where id = ?", me.id),
      )
      .toEqual([
        { profile_name: "New Name", birthdate: "1984-02-29", description: "Hello there", characteristics: 8388608 },
      ]);
    // The second choice is made while the first is being saved.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/health\.update/, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel("Hepatitis A", { exact: true }).check();
    await page.getByLabel("Mpox", { exact: true }).check();
    release();
    await expect
      .poll(() => site.sql("select vaccines from health_panel where profile_id = ?", me.id))
      .toEqual([{ vaccines: '["hepatitis-a","mpox"]' }]);
    await expect
      .poll(() => site.sql("select hiv_status, audiences from health_panel where profile_id = ?", me.id))
      .toEqual([{ hiv_status: "undetectable", audiences: "{}" }]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("saves text typed during a save, and text in a field that still has the focus when the page is left", async () => {
    const me = await makeMember(site);
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, me);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/profiles\.update/, async (route) => {
      await held;
      await route.continue();
    });
    const stored = () => site.sql("select description from profile where id = ?", me.id);
    const openEditor = () =>
      page.evaluate(() => {
        history.pushState(null, "", "/profileEdit");
        dispatchEvent(new PopStateEvent("popstate"));
      });
    await page.goto("/games");
    await openEditor();
    await openFold(page, "You");
    const field = page.getByLabel("Description");
    await field.fill("one");
    const requested = page.waitForRequest(/profiles\.update/);
    await field.blur();
    await requested;
    await field.fill("one two");
    await field.blur();
    release();
    await expect.poll(stored).toEqual([{ description: "one two" }]);
    expect(await field.inputValue()).toBe("one two");
    await field.fill("one two three");
    await page.evaluate(() => history.back());
    await expect.poll(stored).toEqual([{ description: "one two three" }]);
    await page.getByText("The Rating Game").first().waitFor();

    // Text that could not be saved then is back when the member returns, and is saved when they leave again.
    await openEditor();
    await openFold(page, "You");
    await context.setOffline(true);
    await field.fill("one two three four");
    await page.evaluate(() => history.back());
    await page.getByText("You seem to be offline.").first().waitFor();
    await context.setOffline(false);
    await openEditor();
    await expect.poll(() => field.inputValue()).toBe("one two three four");
    await page.evaluate(() => history.back());
    await expect.poll(stored).toEqual([{ description: "one two three four" }]);
    expect(errors.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
    await context.close();
  });

  it("folds to what each section holds, loses nothing typed, and opens where something is wrong", async () => {
    const me = await makeMember(site, { name: "Folded Man" });
    await site.sql("update profile set height = '185 cm' where id = ?", me.id);
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto("/profileEdit");
    await page.getByText(/^Folded Man · \d+ · 185 cm$/).waitFor();
    await page.getByText("0 public, 0 private").waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.documentElement.scrollHeight / innerHeight)).toBeLessThan(2);

    await openFold(page, "You");
    const name = page.getByLabel("Profile name");
    await name.fill("");
    await openFold(page, "Characteristics");
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByText("You need a name. Without one nobody finds you.").waitFor();
    await name.fill("Another Man");
    await openFold(page, "Characteristics");
    await page.getByText(/^Another Man · /).waitFor();

    // The server refuses the next one after its section was folded.
    let answer = () => {};
    const folded = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/profiles\.update/, async (route) => {
      await folded;
      await route.fulfill({ status: 503, json: { error: "x" } });
    });
    await openFold(page, "You");
    await page.getByLabel("Height").fill("6'1\"");
    await openFold(page, "Health");
    await page.getByLabel("Height").waitFor({ state: "hidden" });
    answer();
    await expect.poll(() => page.getByLabel("Height").evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.getByLabel("Height").inputValue()).toBe("6'1\"");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("offers both texts when two tabs edit the same field", { tags: "slow" }, async () => {
    const me = await makeMember(site);
    const first = await site.open({ viewport: DESKTOP });
    await logIn(site, first.context, me);
    await first.page.goto("/profileEdit");
    await openFold(first.page, "You");
    const mine = first.page.getByLabel("Description");
    await mine.waitFor();
    const second = await first.context.newPage();
    await second.goto("/profileEdit");
    await openFold(second, "You");
    await second.getByLabel("Description").fill("from the second tab");
    await second.getByLabel("Description").blur();
    await second.getByText("Saved", { exact: true }).waitFor();
    await mine.fill("from the first tab");
    await mine.blur();
    await first.page.getByText("from the second tab").waitFor();
    await first.page.getByRole("button", { name: "Keep this one" }).click();
    await expect
      .poll(() => site.sql("select description from profile where id = ?", me.id))
      .toEqual([{ description: "from the first tab" }]);
    await first.context.close();
  });
});
