/** Steps and timeouts that many browser tests share. */
import type { Page, Route } from "playwright-core";

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
      const response = await fetchLocally(route);
      const answers: unknown[] = await response.json();
      const names = namesIn(new URL(route.request().url()));
      const error = { error: { message: "no", code: -32603, data: { code: "FORBIDDEN", httpStatus: 403 } } };
      const json = answers.map((answer, index) => (failing.includes(names[index] ?? "") ? error : answer));
      await route.fulfill({ response, json });
    },
  );
}

/** Carries a page's request out. */
export function fetchLocally(route: Route) {
  // Node does not resolve names under .localhost.
  const url = new URL(route.request().url());
  url.hostname = "localhost";
  return route.fetch({ url: url.href, headers: { ...route.request().headers(), origin: url.origin } });
}

interface Delayed {
  /** Resolves when what is held has come: the request, or the server's answer. */
  readonly reached: Promise<void>;
  readonly release: () => void;
  /** How many matching calls have been answered. */
  readonly answers: () => number;
}

/** Holds the first matching request, or the server's answer to it, so that later ones overtake it. */
export async function delayFirst(page: Page, calls: RegExp, held: "request" | "answer" = "request"): Promise<Delayed> {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isFirst = true;
  let answers = 0;
  page.on("response", (response) => {
    if (calls.test(response.url())) answers += 1;
  });
  await page.route(calls, async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    const response = held === "answer" ? await fetchLocally(route) : undefined;
    reached.resolve();
    await released.promise;
    await (response ? route.fulfill({ response }) : route.continue()).catch(() => undefined);
  });
  return { reached: reached.promise, release: released.resolve, answers: () => answers };
}

/** Longer than a call that another does not hold up takes to the server. */
export const overtake = (page: Page) => page.waitForTimeout(500);

/** Returns to a page that was left for a minute, which reads again what is stale by then, until the read that is to be held has come. */
export async function returnToPage(page: Page, { reached }: Delayed): Promise<void> {
  let isReached = false;
  void reached.then(() => {
    isReached = true;
  });
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
  });
  // A read that began before is not begun again.
  for (; !isReached; await page.waitForTimeout(100))
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
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
