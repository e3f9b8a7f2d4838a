/** Plays what networks do to a page, between it and the site. */
import type { Page, Route } from "playwright-core";

/**
 * `lost`: the first call arrives, its answer does not. `doubled`: the first call arrives twice. `silent`: the first call is never answered,
 * nor arrives. Later ones pass.
 */
export type Fault = "lost" | "doubled" | "silent";

/** Node does not resolve names under .localhost, nor send their cookies. */
async function reach(route: Route) {
  const toLocalhost = (url: string) => url.replace(/\/\/[^:]+:/, "//localhost:");
  const { host: _, ...headers } = await route.request().allHeaders();
  const origin = toLocalhost(headers.origin ?? "");
  return route.fetch({ url: toLocalhost(route.request().url()), headers: { ...headers, origin } });
}

/** Resolves, once called, when the fault has happened. */
export async function playFault(page: Page, path: RegExp, fault: Fault): Promise<() => Promise<void>> {
  let report: () => void = () => {};
  const happened = new Promise<void>((resolve) => {
    report = resolve;
  });
  let calls = 0;
  await page.route(path, async (route) => {
    calls += 1;
    if (calls > 1) return route.continue();
    if (fault === "silent") return report();
    const response = await reach(route);
    const answer = fault === "doubled" ? await reach(route) : response;
    if (fault === "lost") await route.abort("connectionreset");
    else await route.fulfill({ response: answer });
    report();
  });
  return () => happened;
}

/** No socket connects, as behind some companies' proxies, and the browser says that it is offline. */
export async function blockSockets(page: Page): Promise<void> {
  await page.routeWebSocket(/\/ws/, (socket) => socket.close());
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "onLine", { get: () => false });
    addEventListener("DOMContentLoaded", () => dispatchEvent(new Event("offline")));
  });
}
