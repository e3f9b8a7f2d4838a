/** @module-tag slow */
import { openSite, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, expect, it } from "vitest";
import { apiFor, type BrowserMember, logIn, makeMember } from "./members.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;
let owner: BrowserMember;

beforeAll(async () => {
  site = await openSite();
  owner = await makeMember(site, { name: "Marco" });
  const api = await apiFor(site, owner);
  await api.upload(await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]), {});
});

/** Opens a new member's browser that appears to be in the United Kingdom. */
async function openInBritain(name: string) {
  const member = await makeMember(site, { name });
  const opened = await site.open();
  // Chromium's own dialog finds no wallet and cannot be automated, so the test takes the path of browsers without the API.
  await opened.context.addInitScript(() => Reflect.deleteProperty(globalThis, "DigitalCredential"));
  await logIn(site, opened.context, member);
  await opened.context.addCookies([{ name: "development_place", value: "GB", url: site.url("/") }]);
  return opened;
}

it("pixelates explicit pictures until the member proves their age, and rejects the same proof from anybody else", async () => {
  const { page, context, errors } = await openInBritain("Ansel");
  const pictureWidth = () =>
    page.evaluate(async (id) => {
      const [picture] = (await (await fetch(`/api/profile-pics/${id}`)).json()) as { id: number }[];
      const bytes = await (await fetch(`/api/profile-pic/nsfw/${picture?.id}?scale_x=256`)).blob();
      return (await createImageBitmap(bytes)).width;
    }, owner.id);
  await page.goto(site.url(`/profile/${owner.id}`));
  const card = page.getByText("explicit pictures stay pixelated until you prove your age");
  await card.first().waitFor();
  expect(await pictureWidth()).toBe(14);
  await page.getByRole("link", { name: "Prove your age" }).first().click();
  await page.getByText("What we learn").waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole("button", { name: "EU age verification app" }).click();
  await page.getByRole("img", { name: "Code to scan with your phone" }).waitFor();
  expect(await page.getByRole("link", { name: "Open the wallet on this device" }).getAttribute("href")).toMatch(/^av:/);
  expect(await findBarriers(page)).toEqual([]);
  const [wallet] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Open the test wallet" }).click(),
  ]);
  await wallet.getByRole("button", { name: "Show that I am over 18" }).click();
  await wallet.getByText("200").waitFor();
  await wallet.close();
  await page.getByText("You have proved your age.").waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("switch").waitFor();
  expect(await pictureWidth()).toBe(256);

  await page.goto(site.url("/settings#login"));
  await page.getByText(/^Age proved on .* by the EU age verification app\.$/).waitFor();
  expect(errors).toEqual([]);

  const second = await openInBritain("Bruno");
  await second.page.goto(site.url("/age"));
  await second.page.getByRole("button", { name: "EU age verification app" }).click();
  const link = second.page.getByRole("link", { name: "Open the test wallet" });
  const [other] = await Promise.all([second.context.waitForEvent("page"), link.click()]);
  await other.getByRole("button", { name: "Show the same proof again" }).click();
  await other.getByText("used-before").waitFor();
  await second.page.getByText("This proof was used before. Show a new one.").waitFor();

  // Without the proof, pictures are pixelated again.
  await page.getByRole("button", { name: "Remove the proof" }).click();
  await page.getByRole("link", { name: "Prove your age" }).first().waitFor();
  expect(await pictureWidth()).toBe(14);
  await second.context.close();
  await context.close();
});
