/** Steps and timeouts that many browser tests share. */
import type { Page } from "playwright-core";

/** Generous, because test machines run several browsers on two cores. */
export const LONG_TIMEOUT = { timeout: 25_000 };

/** Starts an upload that the server does not answer, cancels it, and waits until the page has aborted the request. */
export async function cancelUpload(page: Page, path: string, start: () => Promise<void>, cancel: () => Promise<void>) {
  const isUpload = (url: URL) => url.pathname === path;
  await page.route(isUpload, () => undefined);
  const [upload] = await Promise.all([page.waitForRequest((request) => isUpload(new URL(request.url()))), start()]);
  await Promise.all([page.waitForEvent("requestfailed", (request) => request === upload), cancel()]);
  await page.unroute(isUpload);
}

export const clickButton = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Waits until a prerendered page has its event handlers: it ignores earlier clicks on buttons. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset.prerendered === undefined);
}
