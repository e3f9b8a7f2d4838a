/** @module-tag slow */
import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Actor, createActors } from "./community-scene.ts";

/** A case about a minor: two admins export the report, open its legal hold together, and keep both after the member is deleted. */
let site: TestSite;
const { addActor, closeActors } = createActors(() => site);
beforeAll(async () => {
  site = await openSite();
  await site.sql("delete from account");
});
afterAll(async () => {
  expect(await closeActors()).toEqual([]);
});

async function openCase({ page }: Actor) {
  await page.goto(site.url("/dashboard?section=queue"));
  await page.getByRole("link", { name: /A minor is involved/ }).click();
  await page.getByRole("heading", { name: "Legal hold" }).waitFor();
}

it("two admins export a case, open its hold together, and find it complete after its subject was deleted", async () => {
  const subject = await addActor({ name: "Subject" });
  const reporter = await addActor();
  const one = await addActor({ name: "First", adminBrand: "ember", viewport: DESKTOP });
  const two = await addActor({ name: "Second", adminBrand: "ember" });
  const picture = await subject.addPicture();
  const draft = { subjectProfileId: subject.id, category: "minor", text: "He asks children", pictureIds: [picture] };
  expect((await reporter.send("POST", "/api/report", draft)).status).toBe(201);

  // The first admin exports the report by keyboard.
  await openCase(one);
  await one.page.getByText(/^Held until /).waitFor();
  await one.page.getByText("Report to NCMEC's CyberTipline").focus();
  await one.page.keyboard.press("Enter");
  await one.page.getByLabel("Your first name").fill("Ana");
  await one.page.getByLabel("Your last name").fill("Admin");
  await one.page.getByLabel("Your address, for questions").fill("ana@example.test");
  await one.page.getByRole("checkbox", { name: "I looked at the pictures" }).check();
  await one.page.getByRole("button", { name: "Make the files" }).press("Enter");
  const [download] = await Promise.all([
    one.page.waitForEvent("download"),
    one.page.getByRole("button", { name: "Save as XML" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^cybertip-case-\d+\.xml$/);
  await one.page.getByLabel("Number that the CyberTipline gave").fill("4564654");
  await one.page.getByRole("button", { name: "Mark as reported" }).click();
  await one.page.getByText(/Reported to the CyberTipline as 4564654/).waitFor();

  // The first admin asks to open the hold, the second agrees.
  // A call that fails leaves the reason in its field, and the button can be pressed again before anything else is answered.
  const ask = "**/trpc/admin.holds.ask*";
  const list = /admin\.holds\.list/;
  await one.page.route(ask, (route) => route.abort());
  await one.page.route(list, () => undefined);
  await one.page.getByLabel("Why you need to look").fill("The police asks for it");
  await one.page.getByRole("button", { name: "Ask to open it" }).press("Enter");
  await one.page.getByText("You seem to be offline.").first().waitFor();
  expect(await one.page.getByLabel("Why you need to look").inputValue()).toBe("The police asks for it");
  await one.page.unroute(ask);
  await one.page.unroute(list);
  await one.page.getByRole("button", { name: "Ask to open it" }).press("Enter");
  await one.page.getByText(/^You asked to open it/).waitFor();
  await two.page.goto(site.url("/dashboard?section=holds"));
  await two.page.getByText("1 request to open a hold waits for you.").waitFor();
  await two.page.getByText("The police asks for it").waitFor();
  await two.page.getByRole("button", { name: /^Agree/ }).press("Enter");
  await two.page.getByText(/^Open to you and one other admin until/).waitFor();
  await two.page.getByRole("button", { name: "Look at the copies" }).click();
  await two.page.getByText(/^Record of /).click();
  await two.page.getByText('"profile_name": "Subject"').waitFor();
  await two.page.getByRole("button", { name: /^Show picture of evidence \d+$/ }).click();
  const shown = two.page.getByAltText(/^Held picture of evidence/).first();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  // After the subject's account is purged, the case is complete and the hold still opens.
  await site.sql("update account set ts_deleted = 1 where id = ?", subject.id);
  await site.sql("update profile set status = 'deleted' where id = ?", subject.id);
  const nightly = encodeURIComponent("17 3 * * *");
  expect((await fetch(`http://localhost:${site.port}/cdn-cgi/local/scheduled?cron=${nightly}`)).ok).toBe(true);
  await expect.poll(() => site.sql("select id from account where id = ?", subject.id)).toEqual([]);
  await openCase(one);
  await one.page.getByText("He asks children").waitFor();
  await one.page.getByRole("button", { name: "Show the picture" }).click();
  await one.page.getByRole("button", { name: "Look at the copies" }).click();
  await one.page.getByText(/^Record of /).waitFor();
  await one.page.goto(site.url("/dashboard?section=audit"));
  await one.page.getByRole("cell", { name: "hold.viewed" }).first().waitFor();

  // The public pages name the operator.
  await one.page.goto(site.url("/dashboard"));
  await one.page.getByText(/Missing from the legal notice/).waitFor();
  await one.page.getByRole("link", { name: "Legal notice" }).press("Enter");
  await one.page.getByRole("heading", { name: "For authorities" }).waitFor();
});
