import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createActors } from "./community-scene.ts";

/** A brand opens: visitors see that it is not open, an admin ticks what the law asks, and then everybody may register. */
let site: TestSite;
const { addActor, closeActors } = createActors(() => site);
/** The only example with the contacts that the law asks for. */
const BRAND = "bramble";
beforeAll(async () => {
  site = await openSite();
  await site.sql("delete from account");
});
afterAll(async () => {
  expect(await closeActors()).toEqual([]);
});

/** Development sites are open without the checklist. */
const asDeployed = (page: Page) => page.context().setExtraHTTPHeaders({ "x-development-opening": "checklist" });

it("an admin ticks what the law asks on a phone and opens the site, which showed visitors nothing before", async () => {
  const visitor = await site.open({ brand: BRAND });
  await asDeployed(visitor.page);
  await visitor.page.goto(site.url("/search/map", BRAND));
  await visitor.page.getByRole("heading", { name: "Bramble is not open yet" }).waitFor();
  await visitor.page.getByRole("link", { name: "Log in" }).click();
  await visitor.page.getByRole("textbox", { name: "Password" }).waitFor();
  await visitor.page.goto(site.url("/register", BRAND));
  await visitor.page.getByLabel("Email").fill("stranger@example.test");
  for (const box of await visitor.page.getByRole("checkbox").all()) await box.check();
  await visitor.page.getByRole("button", { name: "Send me a login link" }).click();
  await visitor.page.getByText("We're not open yet.").waitFor();

  const admin = await addActor({ name: "Ana", brand: BRAND, adminBrand: BRAND, viewport: PHONE });
  await asDeployed(admin.page);
  await admin.page.goto(site.url("/dashboard", BRAND));
  await admin.page.getByRole("heading", { name: "Before Bramble opens" }).waitFor();
  await admin.page.getByLabel("Email").fill("Second <second@example.test>");
  await admin.page.getByRole("button", { name: "Let in" }).press("Enter");
  await admin.page.getByRole("button", { name: "No longer let in second@example.test" }).waitFor();
  const open = admin.page.getByRole("button", { name: "Open Bramble" });
  const boxes = admin.page.getByRole("region", { name: "Before Bramble opens" }).getByRole("checkbox");
  expect(await boxes.count()).toBe(10);
  for (let index = 0; index < 10; index += 1) {
    expect(await open.isDisabled()).toBe(true);
    // By finger and by keyboard.
    await (index % 2 ? boxes.nth(index).press("Space") : boxes.nth(index).tap());
    await admin.page
      .getByText(/^Ticked by Real Ana/)
      .nth(index)
      .waitFor();
  }
  // Not before the last press.
  await visitor.page.goto(site.url("/", BRAND));
  await visitor.page.getByRole("heading", { name: "Bramble is not open yet" }).waitFor();
  await open.tap();
  await admin.page.getByText("Bramble is open.").first().waitFor();
  await admin.page.getByRole("heading", { name: "Before Bramble opens" }).waitFor({ state: "detached" });

  await visitor.page.goto(site.url("/", BRAND));
  await visitor.page.getByRole("link", { name: /Terms/ }).first().waitFor();
  expect(await visitor.page.getByText("not open yet").count()).toBe(0);
  await visitor.page.goto(site.url("/register", BRAND));
  await visitor.page.getByLabel("Email").fill("stranger@example.test");
  for (const box of await visitor.page.getByRole("checkbox").all()) await box.check();
  await visitor.page.getByRole("button", { name: "Send me a login link" }).click();
  expect(await site.loginLink("stranger@example.test")).toContain("token=");
  // The sister site has its own list, and no contacts in its example.
  await visitor.page.goto(site.url("/"));
  await visitor.page.getByRole("heading", { name: "Ember is not open yet" }).waitFor();
  expect(visitor.errors).toEqual([]);
});

it("does not open a site without the contacts that the law asks for, and says which are missing", async () => {
  const admin = await addActor({ name: "Ben", adminBrand: "ember", viewport: PHONE });
  await asDeployed(admin.page);
  const list = admin.page.getByRole("region", { name: "Before Ember opens" });
  await admin.page.goto(site.url("/dashboard"));
  await list.getByText(/^Missing/).waitFor();
  for (const box of await list.getByRole("checkbox").all()) {
    await box.tap();
    await expect.poll(() => box.isChecked()).toBe(true);
  }
  await list.getByText("It can't open yet: the legal notice lacks the contacts").waitFor();
  expect(await list.getByRole("button", { name: "Open Ember" }).isDisabled()).toBe(true);
});
