import { DESKTOP, PHONE, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type BrowserMember, logIn, makeMember, PASSWORD } from "./members.ts";

export const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
export const log = (page: Page) => page.getByRole("log");

export async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

export interface Pair {
  readonly page: Page;
  readonly me: BrowserMember;
  readonly other: BrowserMember;
}

/** Creates two members and logs a browser in as the first. */
export async function openPair(
  site: TestSite,
  names: readonly [string, string] = ["Ansel", "Bruno"],
): Promise<Pair & { close: () => Promise<void> }> {
  const [me, other] = [await makeMember(site, { name: names[0] }), await makeMember(site, { name: names[1] })];
  const { page, context } = await site.open({ viewport: DESKTOP });
  await logIn(site, context, me);
  return { page, me, other, close: () => context.close() };
}

/** Creates a member and logs a browser in. */
export async function openMember(
  site: TestSite,
  name: string,
  { viewport = PHONE, serviceWorker = true } = {},
): Promise<{ id: number; page: Page; errors: string[] }> {
  const { id, email } = await makeMember(site, { name, password: true });
  const { page, errors } = await site.open({ viewport, serviceWorker });
  await page.goto("/aboutus");
  const status = await page.evaluate(
    async ([username, password]) =>
      (
        await fetch("/api/auth", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ username, password, remember: true }),
        })
      ).status,
    [email, PASSWORD],
  );
  expect(status).toBe(200);
  if (serviceWorker) await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  return { id, page, errors };
}
