/** Steps and timeouts that many browser tests share. */
import type { Page } from "playwright-core";

/** Generous, because test machines run several browsers on two cores. */
export const LONG_TIMEOUT = { timeout: 25_000 };

/** Opens a section of a form that folds. */
export const openFold = (page: Page, title: string) =>
  page
    .locator("summary")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) })
    .press("Enter");

/** Starts an upload that the server does not answer, cancels it, and waits until the page has aborted the request. */
export async function cancelUpload(page: Page, path: string, start: () => Promise<void>, cancel: () => Promise<void>) {
  const isUpload = (url: URL) => url.pathname === path;
  await page.route(isUpload, () => undefined);
  const [upload] = await Promise.all([page.waitForRequest((request) => isUpload(new URL(request.url()))), start()]);
  await Promise.all([page.waitForEvent("requestfailed", (request) => request === upload), cancel()]);
  await page.unroute(isUpload);
}

/** Makes calls fail with a status that the page does not retry; the other calls of their batches succeed. */
export async function failCalls(page: Page, ...failing: string[]): Promise<void> {
  const namesIn = (url: URL) => decodeURIComponent(url.pathname).replace("/trpc/", "").split(",");
  await page.route(
    (url) => url.pathname.startsWith("/trpc/") && namesIn(url).some((name) => failing.includes(name)),
    async (route) => {
      // Node does not resolve names under .localhost.
      const url = route
        .request()
        .url()
        .replace(/\/\/[^:]+:/, "//localhost:");
      const response = await route.fetch({ url });
      const answers: unknown[] = await response.json();
      const names = namesIn(new URL(url));
      const error = { error: { message: "no", code: -32603, data: { code: "FORBIDDEN", httpStatus: 403 } } };
      const json = answers.map((answer, index) => (failing.includes(names[index] ?? "") ? error : answer));
      await route.fulfill({ response, json });
    },
  );
}

/** Holds matching requests until the returned function is called. */
export async function holdRequests(page: Page, calls: string | RegExp): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(calls, async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  return release;
}

export const clickButton = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Waits until a prerendered page has its event handlers: it ignores earlier clicks on buttons. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset.prerendered === undefined);
}
