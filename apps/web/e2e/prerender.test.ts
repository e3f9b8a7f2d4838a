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

/** Holds back the application's own files until the answer is called. */
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

/** Nothing is painted before its style sheets have come; what is asked of the page meanwhile is answered without them. */
const styled = (page: Page) =>
  page.waitForFunction(() => {
    const sheets = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
    return sheets.length > 0 && sheets.every((link) => link.sheet);
  });

/** Adds up from the start how far what is painted moved by itself. */
const watchShifts = (page: Page) =>
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

/** A document as a browser of this language gets it. */
const read = (page: Page, path: string, language = "en") =>
  page.evaluate(
    async ([address, accepted]) => (await fetch(address, { headers: { "accept-language": accepted } })).text(),
    [path, language] as const,
  );

/** Where everything that a visitor reads and presses stands. */
const places = (page: Page) =>
  page.evaluate(() => {
    const things = document.querySelectorAll("header *, main h2, main h3, main p, main a");
    return [...things].map((thing) => {
      const { x, y, width, height } = thing.getBoundingClientRect();
      return [thing.textContent, x, y, width, height];
    });
  });

describe("a visitor's first pages", () => {
  it("are in the documents of each brand in the browser's language, and in no other document", async () => {
    for (const brand of BRANDS) {
      const { context, page } = await site.open({ brand: brand.id });
      await page.goto("/aboutus");
      for (const [language, locale] of [
        ["en-GB,en;q=0.9,es;q=0.8", "en"],
        ["es-MX,es;q=0.9,en;q=0.8", "es"],
        ["de-DE,es;q=0.5", "es"],
        ["fr", "en"],
      ] as const) {
        const html = await read(page, "/", language);
        expect(html).toContain(`<html lang="${locale}" data-brand="${brand.id}" data-prerendered="/"`);
        expect(html).toContain(`${brand.tagline[locale]}</h2>`);
        expect(html.match(/<h2/g)).toHaveLength(1);
        expect(html).not.toMatch(/\sstyle=/);
      }
      expect(await read(page, "/login", "es")).toContain("Contraseña");
      expect(await read(page, "/register")).toContain('name="email"');
      const bare = async (path: string) => expect(await read(page, path)).toContain('<div id="app"></div>');
      for (const path of ["/login?token=x", "/aboutus", "/search/tile"]) await bare(path);
      await logIn(site, context, await makeMember(site), { brand: brand.id });
      for (const path of ["/", "/login", "/register"]) await bare(path);
      await context.close();
    }
  });

  it("carry one script and one style, other documents the script alone, by hashes that the security policy names", async () => {
    const { context, page } = await site.open();
    for (const path of ["/", "/login", "/register", "/aboutus"]) {
      const answer = await page.goto(path);
      const html = (await answer?.text()) ?? "";
      const policy = answer?.headers()["content-security-policy"] ?? "";
      for (const kind of ["script", "style"]) {
        const texts = [...html.matchAll(new RegExp(`<${kind}>([^<]*)</${kind}>`, "g"))].map(([, text]) => text ?? "");
        const hashes = texts.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
        const isBare = path === "/aboutus" && kind === "style";
        expect(hashes).toHaveLength(isBare ? 0 : 1);
        expect(policy).toContain(isBare ? "style-src 'self';" : `${kind}-src 'self' ${hashes[0]};`);
      }
    }
    await context.close();
  });

  it("need nothing but the document to be painted as they stay", async () => {
    for (const path of ["/", "/login", "/register"]) {
      const drawing = async (isAlone: boolean) => {
        const { context, page } = await site.open();
        if (isAlone) await page.route(/\/assets\/.*\.(js|css)$/, (route) => route.abort());
        await page.goto(path, { waitUntil: isAlone ? "domcontentloaded" : "load" });
        if (!isAlone) await page.waitForFunction(() => document.documentElement.dataset.prerendered === undefined);
        await page.evaluate(() => document.fonts.ready);
        const drawn = await places(page);
        await context.close();
        return drawn;
      };
      expect(await drawing(true)).toEqual(await drawing(false));
    }
  });

  it("are kept by no cache for somebody else", async () => {
    const { context, page } = await site.open();
    const answer = await page.goto("/");
    expect(answer?.headers()).toMatchObject({ "cache-control": "private, no-cache", vary: "accept-language, cookie" });
    await context.close();
  });

  it.each(BRANDS.map(({ id }) => id))(
    "are painted on %s before the application runs, which changes nothing",
    async (brand) => {
      for (const theme of ["dark", "light"]) {
        const { page, context, errors } = await site.open({ brand });
        await page.addInitScript((value) => localStorage.setItem("theme", JSON.stringify(value)), theme);
        await watchShifts(page);
        const release = await holdApplication(page);
        await page.goto("/", { waitUntil: "commit" });
        await page.getByRole("link", { name: "Register" }).first().waitFor();
        await styled(page);
        await page.evaluate(() => document.fonts.ready);
        expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
        const before = await places(page);
        const shifts = () => page.evaluate(() => (window as unknown as { shifts: () => number }).shifts());
        // Painted before its faces have come, a line of the stand-ins may break elsewhere.
        const ofFaces = await shifts();
        expect(ofFaces).toBeLessThan(0.02);
        await page.evaluate(() => document.querySelector("main h2")?.setAttribute("data-drawn-by", "build"));
        release();
        await page.waitForFunction(() => document.documentElement.dataset.prerendered === undefined);
        // Taken over, not drawn anew.
        await page.locator("main h2[data-drawn-by=build]").waitFor();
        expect(await places(page)).toEqual(before);
        expect((await shifts()) - ofFaces).toBeLessThan(0.001);
        expect(errors).toEqual([]);
        await context.close();
      }
    },
  );

  it("have a menu that opens and links that lead on before the application runs, and keep the focus", async () => {
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
    // What was typed before is what is sent.
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("Enter your password").waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe("marco@example.test");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("send no password before the application runs", async () => {
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

  it("stay out of sight for whoever they are not for: a member, another language, another page", async () => {
    const { page: visitor, context: visitors } = await site.open();
    await visitor.goto("/aboutus");
    const html = await read(visitor, "/");
    await visitors.close();
    expect(html).toContain("Good men glow in the dark.");

    // As the service worker's kept document, or the history's.
    const open = async (path: string, isMember: boolean, locale?: string) => {
      const { page, context } = await site.open();
      if (isMember) await logIn(site, context, await makeMember(site));
      if (locale) await page.addInitScript((value) => localStorage.setItem("locale", JSON.stringify(value)), locale);
      await page.route(site.url(path), (route) => route.fulfill({ body: html, contentType: "text/html" }));
      const release = await holdApplication(page);
      await page.goto(path, { waitUntil: "commit" });
      await page.locator("main h2").waitFor({ state: "attached" });
      await styled(page);
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

it("the document asks for the text face and for its own brand's display face alone", async () => {
  for (const brand of BRANDS) {
    const { context, page } = await site.open({ brand: brand.id });
    await page.goto("/aboutus");
    const html = await read(page, "/login");
    const faces = [...html.matchAll(/as="font"[^>]*href="\/assets\/([a-z-]+)-latin/g)].map(([, face]) => face);
    expect(faces).toEqual(["figtree", expect.stringMatching(`^${brand.display}`)]);
    await context.close();
  }
});
