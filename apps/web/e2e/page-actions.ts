/** Steps and timeouts that many browser tests share. */
import type { Page } from "playwright-core";

/** Generous, because test machines run several browsers on two cores. */
export const LONG_TIMEOUT = { timeout: 25_000 };

export const clickButton = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Waits until a prerendered page has its event handlers: it ignores earlier clicks on buttons. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset.prerendered === undefined);
}
