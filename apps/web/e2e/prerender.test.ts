/** @module-tag slow */
import { createHash } from "node:crypto";
import { BRANDS } from "@lambda/brands";
import { openSite, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

/** Holds the application's scripts until the returned function is called. */
async function holdApplication(page: Page): Promise<() => void> {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/assets\/(index|vendor)-[^/]*\.js/, async (route) => {
    await gate;
    await route.continue();
  });
  return release;
}

/** Waits for the style sheets; measuring the layout earlier would ignore them. */
const waitForStyles = (page: Page) =>
  page.waitForFunction(() => {
    const sheets = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
    return sheets.length > 0 && sheets.every((link) => link.sheet);
  });

/** Sums up layout shifts from the start of the page. */
const recordShifts = (page: Page) =>
  page.addInitScript(() => {
    let sum = 0;
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value;
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    Object.assign(window, {
      shifts: () => {
        add(observer.takeRecords());
        return sum;
      },
    });
  });

/** Fetches a document in a language. */
const fetchDocument = (page: Page, path: string, language = "en") =>
  page.evaluate(
    async ([address, accepted]) => (await fetch(address, { headers: { "accept-language": accepted } })).text(),
    [path, language] as const,
  );

/** Reads text and bounding box of everything that a visitor reads and clicks. */
const readLayout = (page: Page) =>
  page.evaluate(() => {
    const elements = document.querySelectorAll("header *, main h2, main h3, main p, main a");
    return [...elements].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [element.textContent, x, y, width, height];
    });
  });

/** The page requests its fonts with the first layout; before that, none is loading. */
async function waitForFonts(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await document.fonts.ready;
  });
}

describe("a visitor's first pages", () => {
  it("are prerendered for each brand in the browser's language, and no other page is", async () => {
    for (const brand of BRANDS) {
      const { context, page } = await site.open({ brand: brand.id });
      await page.goto("/aboutus");
      for (const [language, locale] of [
        ["en-GB,en;q=0.9,es;q=0.8", "en"],
        ["es-MX,es;q=0.9,en;q=0.8", "es"],
        ["de-DE,es;q=0.5", "es"],
        ["fr", "en"],
      ] as const) {
        const html = await fetchDocument(page, "/", language);
        expect(html).toContain(`<html lang="${locale}" data-brand="${brand.id}" data-prerendered="/"`);
        expect(html).toContain(`${brand.tagline[locale]}</h2>`);
        expect(html.match(/<h2/g)).toHaveLength(1);
        expect(html).not.toMatch(/\sstyle=/);
      }
      expect(await fetchDocument(page, "/login", "es")).toContain("Contraseña");
      expect(await fetchDocument(page, "/register")).toContain('name="email"');
      const expectEmpty = async (path: string) =>
        expect(await fetchDocument(page, path)).toContain('<div id="app"></div>');
      for (const path of ["/login?token=x", "/aboutus", "/search/tile"]) await expectEmpty(path);
      await logIn(site, context, await makeMember(site), { brand: brand.id });
      for (const path of ["/", "/login", "/register"]) await expectEmpty(path);
      await context.close();
    }
  });

  it("contain one inline script and one style, other pages the script alone, all allowed by hash in the security policy", async () => {
    const { context, page } = await site.open();
    for (const path of ["/", "/login", "/register", "/aboutus"]) {
      const response = await page.goto(path);
      const html = (await response?.text()) ?? "";
      const policy = response?.headers()["content-security-policy"] ?? "";
      for (const kind of ["script", "style"]) {
        const texts = [...html.matchAll(new RegExp(`<${kind}>(.*?)</${kind}>`, "gs"))].map(([, text]) => text ?? "");
        const hashes = texts.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
        const isWithoutStyle = path === "/aboutus" && kind === "style";
        expect(hashes).toHaveLength(isWithoutStyle ? 0 : 1);
        expect(policy).toContain(isWithoutStyle ? "style-src 'self';" : `${kind}-src 'self' ${hashes[0]};`);
      }
    }
    await context.close();
  });

  it("look the same with the document alone as with the application", async () => {
    for (const path of ["/", "/login", "/register"]) {
      const measure = async (isDocumentAlone: boolean) => {
        const { context, page } = await site.open();
        if (isDocumentAlone) await page.route(/\/assets\/.*\.(js|css)$/, (route) => route.abort());
        await page.goto(path, { waitUntil: isDocumentAlone ? "domcontentloaded" : "load" });
        if (!isDocumentAlone)
          await page.waitForFunction(() => document.documentElement.dataset.prerendered === undefined);
        await waitForFonts(page);
        const layout = await readLayout(page);
        await context.close();
        return layout;
      };
      expect(await measure(true)).toEqual(await measure(false));
    }
  });

  it("make room for a member's page when another tab logs in while a slow line loads the application", async () => {
    const { context, page, errors } = await site.open();
    const release = await holdApplication(page);
    await page.goto("/login", { waitUntil: "commit" });
    await page.getByRole("heading", { level: 2 }).waitFor();
    await logIn(site, context, await makeMember(site));
    release();
    await page.waitForURL((url) => url.pathname === "/");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("are not stored by shared caches", async () => {
    const { context, page } = await site.open();
    const response = await page.goto("/");
    expect(response?.headers()).toMatchObject({
      "cache-control": "private, no-cache",
      vary: "accept-language, cookie",
    });
    await context.close();
  });

  it.each(BRANDS.map(({ id }) => id))(
    "are painted on %s before the application runs, and do not change when it does",
    async (brand) => {
      for (const theme of ["dark", "light"]) {
        const { page, context, errors } = await site.open({ brand });
        await page.addInitScript((value) => localStorage.setItem("theme", JSON.stringify(value)), theme);
        await recordShifts(page);
        const release = await holdApplication(page);
        await page.goto("/", { waitUntil: "commit" });
        await page.getByRole("link", { name: "Register" }).first().waitFor();
        await waitForStyles(page);
        await waitForFonts(page);
        expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
        const before = await readLayout(page);
        const shifts = () => page.evaluate(() => (window as unknown as { shifts: () => number }).shifts());
        // Before the web fonts have loaded, a line of the fallback font may break elsewhere.
        const shiftsByFonts = await shifts();
        expect(shiftsByFonts).toBeLessThan(0.02);
        await page.evaluate(() => document.querySelector("main h2")?.setAttribute("data-drawn-by", "build"));
        release();
        await page.waitForFunction(() => document.documentElement.dataset.prerendered === undefined);
        // The application hydrates the document instead of rendering it again.
        await page.locator("main h2[data-drawn-by=build]").waitFor();
        expect(await readLayout(page)).toEqual(before);
        expect((await shifts()) - shiftsByFonts).toBeLessThan(0.001);
        expect(errors).toEqual([]);
        await context.close();
      }
    },
  );

  it("have a working menu and working links before the application runs, and keep the focus afterwards", async () => {
    const { page, context, errors } = await site.open();
    const release = await holdApplication(page);
    await page.goto("/", { waitUntil: "commit" });
    await page.getByRole("button", { name: "Open navigation" }).click();
    await page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Support" }).waitFor();
    await page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Login" }).click();
    await page.waitForURL("**/login", { waitUntil: "commit" });
    await page.getByLabel("Email").fill("marco@example.test");
    release();
    await page.waitForFunction(() => document.documentElement.dataset.prerendered === undefined);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("username");
    expect(await page.evaluate(() => ({ ...document.documentElement.dataset }))).toEqual({
      brand: "ember",
      theme: "dark",
    });
    // The text typed before the application ran is kept and sent.
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("Enter your password").waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe("marco@example.test");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("do not submit a password before the application runs", async () => {
    const { page, context } = await site.open();
    const release = await holdApplication(page);
    await page.goto("/login", { waitUntil: "commit" });
    await page.getByLabel("Email").fill("marco@example.test");
    await page.getByLabel("Password", { exact: true }).fill("a secret of eight");
    await page.keyboard.press("Enter");
    expect(new URL(page.url()).search).toBe("");
    release();
    await page.waitForFunction(() => document.documentElement.dataset.prerendered === undefined);
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("a secret of eight");
    await context.close();
  });

  it("stay hidden when a cached document is shown to a member, in another language, or for another page", async () => {
    const { page: visitor, context: visitors } = await site.open();
    await visitor.goto("/aboutus");
    const html = await fetchDocument(visitor, "/");
    await visitors.close();
    expect(html).toContain("Good men glow in the dark.");

    // Serves the document from a cache, as the service worker or the history does.
    const open = async (path: string, isMember: boolean, locale?: string) => {
      const { page, context } = await site.open();
      if (isMember) await logIn(site, context, await makeMember(site));
      if (locale) await page.addInitScript((value) => localStorage.setItem("locale", JSON.stringify(value)), locale);
      await page.route(site.url(path), (route) => route.fulfill({ body: html, contentType: "text/html" }));
      const release = await holdApplication(page);
      await page.goto(path, { waitUntil: "commit" });
      await page.locator("main h2").waitFor({ state: "attached" });
      await waitForStyles(page);
      expect(await page.locator("main h2").isVisible()).toBe(false);
      release();
      return { page, context };
    };
    const member = await open("/", true);
    await member.page.getByRole("heading", { name: "Hello, Marco." }).waitFor();
    await member.context.close();
    const spaniard = await open("/", false, "es");
    await spaniard.page.getByRole("heading", { name: "Los hombres buenos brillan en la oscuridad." }).waitFor();
    await spaniard.context.close();
    const elsewhere = await open("/aboutus", false);
    await elsewhere.page.getByRole("heading", { level: 1, name: "About Us" }).waitFor();
    await elsewhere.context.close();
  });
});

it("the document preloads the text font and the display font of its brand only", async () => {
  for (const brand of BRANDS) {
    const { context, page } = await site.open({ brand: brand.id });
    await page.goto("/aboutus");
    const html = await fetchDocument(page, "/login");
    const fonts = [...html.matchAll(/as="font"[^>]*href="\/assets\/([a-z-]+)-latin/g)].map(([, font]) => font);
    expect(fonts).toEqual(["figtree", expect.stringMatching(`^${brand.display}`)]);
    await context.close();
  }
});
