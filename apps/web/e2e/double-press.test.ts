/** @module-tag slow */
import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { apiFor, logIn, makeMember } from "./members.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";
import { BLUE, makeQuartersPicture } from "./picture-members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

/** Two clicks before the page can show that the first did anything. */
const pressTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });

/** The calls that the page makes, one entry for each call of a batch. */
function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "POST" && pathname.startsWith("/trpc/"))
      calls.push(...decodeURIComponent(pathname).replace("/trpc/", "").split(","));
  });
  return calls;
}

it("a button that is pressed twice at once says only once what it did", async () => {
  const { page, context } = await site.open({ viewport: DESKTOP });
  await logIn(site, context, await makeMember(site), { freshProof: true });
  await page.goto("/settings");
  await page.getByLabel("Real name").fill("Another Name");
  await pressTwice(page.getByRole("button", { name: "Save", exact: true }).first());
  const toasts = page.locator("[popover=manual]:popover-open").getByText("Saved");
  await toasts.first().waitFor();
  await page.waitForLoadState("networkidle");
  expect(await toasts.count()).toBe(1);
  await context.close();
});

it("a button that is pressed twice at once sends one message, request, report and trip", async () => {
  const [owner, viewer] = [await makeMember(site, { name: "Bruno" }), await makeMember(site)];
  const picture = await makeQuartersPicture(40, 50, [BLUE, BLUE, BLUE, BLUE]);
  await (await apiFor(site, owner)).upload(picture, { audience: "private" });
  const { page, context, errors } = await site.open();
  await logIn(site, context, viewer);
  const calls = recordCalls(page);
  const count = (name: string) => calls.filter((call) => call === name).length;

  await page.goto(`/chat/personal?with=${owner.id}`);
  const send = page.getByRole("button", { name: "Send", exact: true });
  const texts = ["Hello", "Are you there?"];
  for (const text of texts) {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await pressTwice(send);
  }
  const sent = () => site.sql("select body_text as text from message where sender_id = ? order by id", viewer.id);
  await expect.poll(async () => (await sent()).at(-1), LONG_TIMEOUT).toEqual({ text: texts[1] });
  expect(await sent()).toEqual(texts.map((text) => ({ text })));

  await page.goto(`/profile/${owner.id}`);
  await page
    .locator("label")
    .filter({ has: page.getByRole("radio", { name: /private/i }) })
    .click();
  await pressTwice(page.getByRole("button", { name: "Request" }));
  await page.getByText("Requested", { exact: true }).waitFor();
  expect(count("albums.request")).toBe(1);

  await page.getByRole("button", { name: "Action" }).click();
  await page.getByRole("menuitem", { name: "Report Violation" }).click();
  await page.getByLabel("What's wrong?").selectOption("hate");
  await page.getByRole("dialog").getByRole("textbox").fill("What he wrote");
  await pressTwice(page.getByRole("button", { name: "Report", exact: true }));
  await page.getByText("Thank you. Your report is on its way.").first().waitFor();
  expect(count("reports.file")).toBe(1);

  await page.goto("/travel");
  await page.getByRole("button", { name: "Plan a trip" }).click();
  await page.getByLabel("What you call it").fill("Vienna");
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("From").fill(day);
  await page.getByLabel("To", { exact: true }).fill(day);
  await pressTwice(page.getByRole("button", { name: "Add this trip" }));
  await page.getByRole("button", { name: "Remove Vienna" }).waitFor();
  expect(count("travel.addTrip")).toBe(1);
  expect(errors).toEqual([]);
  await context.close();
});
