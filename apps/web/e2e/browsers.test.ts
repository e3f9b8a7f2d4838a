import { globSync, readFileSync } from "node:fs";
import { openSite, type TestSite } from "@lambda/testing/browser";
import { ROOT } from "@lambda/testing/site";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";

/** What browsers see that are too old for the application (build/browsers.ts). */
let site: TestSite;

beforeAll(async () => {
  site = await openSite();
});

const advice = (page: Page) => page.getByText(/^If this page does not respond, reload it, or use a newer browser/);
const LOCALES = ["Chrome or Edge 111, Firefox 121, Safari 16.4", "Chrome o Edge 111, Firefox 121, Safari 16.4"];

/** The advice waits for a slow line; this lets a second last a tenth. */
async function speedUp(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Animation.enable");
  await tools.send("Animation.setPlaybackRate", { playbackRate: 10 });
}

describe.each([
  { what: "cannot read its script", body: "let = ;", status: 200 },
  { what: "gets no script", body: "Not found.", status: 404 },
])("a browser that $what", ({ body, status }) => {
  const isTold = async (path: string) => {
    const { context, page } = await site.open();
    await page.route(/\/assets\/index-.*\.js/, (route) =>
      route.fulfill({ status, contentType: "text/javascript", body }),
    );
    await page.goto(path);
    expect(await advice(page).isVisible()).toBe(false);
    await speedUp(page);
    await advice(page).waitFor();
    for (const names of LOCALES) expect(await page.locator(".unstarted").innerText()).toContain(names);
    await context.close();
  };
  it.each(["/"])("is told so at %s, in both languages", isTold);
  it.each(["/login", "/search/map"])("is told so at %s, in both languages", { tags: "slow" }, isTold);
});

it("a browser without modules is told so", async () => {
  const { context, page } = await site.open();
  await page.route("**/*", async (route) => {
    const response = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/\/\/[^:]+:/, "//localhost:"),
    });
    const body = (await response.text()).replaceAll('type="module"', 'type="future"');
    await route.fulfill({ response, ...(route.request().isNavigationRequest() && { body }) });
  });
  await page.goto("/");
  await speedUp(page);
  await advice(page).waitFor();
  await context.close();
});

it("a browser that lacks something newer is told so, and may try", async () => {
  const { context, page } = await site.open();
  await page.addInitScript(() => {
    delete (String.prototype as { toWellFormed?: unknown }).toWellFormed;
  });
  await page.goto("/register");
  await advice(page).waitFor();
  await page.getByLabel("Email").fill("old@example.test");
  await context.close();
});

it("nothing is told where the application runs, and scripts are asked for where there are none", async () => {
  const { context, page } = await site.open();
  for (const path of ["/", "/search/map"]) {
    await page.goto(path);
    await page.locator("html:not([data-prerendered])").waitFor();
    await expect.poll(() => page.locator(".unstarted").evaluate((told) => getComputedStyle(told).display)).toBe("none");
  }
  const scriptless = await site.browser.newContext({ javaScriptEnabled: false });
  const plain = await scriptless.newPage();
  await plain.goto(site.url("/"));
  expect(await plain.locator("noscript").isVisible()).toBe(true);
  await Promise.all([context.close(), scriptless.close()]);
});

it("menus work in browsers without popovers", { tags: "slow" }, async () => {
  const { context, page, errors } = await site.open();
  await page.addInitScript(() => {
    for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"])
      Reflect.deleteProperty(HTMLElement.prototype, name);
    // This browser would still go by the attribute, and not by the style sheet's rule for those without.
    const { setAttribute } = Element.prototype;
    Element.prototype.setAttribute = function set(name, value) {
      setAttribute.call(this, name === "popover" ? "data-popover" : name, value);
    };
    for (const [prototype, name] of [
      [Element.prototype, "matches"],
      [Document.prototype, "querySelector"],
    ] as const) {
      const search = prototype[name as keyof typeof prototype] as (selector: string) => unknown;
      Object.assign(prototype, {
        [name](this: unknown, selector: string) {
          if (selector.replace(":is(:popover-open)", "").includes(":popover-open")) throw new SyntaxError(selector);
          return search.call(this, selector);
        },
      });
    }
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('[data-popover="auto"]:not([data-popover-open]) { display: none !important }');
    document.adoptedStyleSheets = [sheet];
  });
  const [me, other] = [await makeMember(site, { name: "Old" }), await makeMember(site, { name: "Other" })];
  await logIn(site, context, me);
  await page.goto(`/profile/${other.id}`);
  const menu = page.getByRole("menu");
  const opener = page.getByRole("button", { name: "Action" });
  await page.waitForFunction(() => "hidePopover" in HTMLElement.prototype);
  await opener.click();
  await menu.waitFor();
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden" });
  await opener.click();
  await page.getByRole("menuitem", { name: /Report/ }).click();
  await page.getByRole("dialog").waitFor();
  expect(await menu.isVisible()).toBe(false);
  await page.goto("/notifications");
  await page.waitForFunction(() => "hidePopover" in HTMLElement.prototype);
  await page.getByRole("button", { name: "Open navigation" }).click();
  const link = page.locator("#navigation a").first();
  await link.waitFor();
  await page.keyboard.press("Escape");
  await link.waitFor({ state: "hidden" });
  expect(errors).toEqual([]);
  await context.close();
});

it("no script has what older browsers cannot read, and those for any browser have none of the last years", () => {
  const dist = `${ROOT}apps/web/dist/`;
  const read = (pattern: string) =>
    globSync(pattern, { cwd: dist }).map((file) => [file, readFileSync(dist + file, "utf8")]);
  const scripts = read("**/*.js");
  expect(scripts.length).toBeGreaterThan(100);
  // In Safari before 16.4, one such pattern breaks the whole file.
  expect(scripts.filter(([, text]) => /\(\?<[!=]/.test(text!)).map(([file]) => file)).toEqual([]);
  const forAll = [...read("meet/page.js"), ...read("assets/first-paint-*.js")];
  expect(forAll).toHaveLength(2);
  for (const [, text] of forAll) expect(text).not.toMatch(/\?\.[a-z([]|\?\?|\.(toReversed|toSorted|at|replaceAll)\(/);
});
