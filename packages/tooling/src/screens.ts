import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BRAND_IDS, type BrandId } from "@lambda/brands";
import { DESKTOP, launchChromium, PHONE } from "@lambda/testing/browser";
import { ROOT } from "@lambda/testing/site";
import { findBarriers } from "@lambda/ui/barriers";
import { NOT_FOUND, ROUTES, type RoutePath } from "@lambda/web/routes";
import type { Cookie, Locator, Page } from "playwright-core";
import { DEMO_LOGINS, DEMO_PASSWORD } from "./seed/seed.ts";

/**
 * `npm run screens`: takes screenshots of every route of the seeded site on PORT (8787) with its views, what lies below,
 * its menus, sheets and folded parts into .local/screens, for each brand, theme and language, in phone and desktop viewports, writes
 * index.html beside them, and exits with 1 if axe finds accessibility problems. Options: --only TEXT (paths that contain it), --brand ID, --theme dark|light, --locale es; --brief for what
 * shows first alone; --map for only the map, at four zooms and in both themes.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    brand: { type: "string" },
    theme: { type: "string" },
    locale: { type: "string" },
    brief: { type: "boolean", default: false },
    map: { type: "boolean", default: false },
  },
});
const port = process.env.PORT ?? "8787";
const SCREENS = `${ROOT}.local/screens`;
const VIEWPORTS = { phone: PHONE, desktop: DESKTOP };

/** Views of a route that have an address of their own; NEXT is the nearest member, with a PICTURE of theirs. */
const VIEWS: Partial<Record<RoutePath, readonly string[]>> = {
  "/chat/personal": ["?with=7"],
  "/profilePicCarousel": ["?profileId=NEXT&id=PICTURE"],
  "/profilePicRateSwipe": ["?profileId=NEXT"],
  "/profilePicEdit": ["?id=OWN"],
  "/settings": ["visibility", "contact", "notifications", "phone", "look", "login", "data"].map((page) => `#${page}`),
  "/dashboard": ["health", "queue", "notices", "holds", "reviews", "members", "messages", "audit"].map(
    (section) => `?section=${section}`,
  ),
};

const files: string[] = [];
const cookies = new Map<string, Promise<Cookie[]>>();
let barriers = 0;
const browser = await launchChromium();
const brands = options.brand ? [options.brand as BrandId] : BRAND_IDS;
if (options.map) {
  for (const brand of brands) await screenshotMap(brand);
  await browser.close();
  process.exit();
}
for (const brand of brands) {
  for (const theme of options.theme ? [options.theme] : ["dark", "light"]) {
    for (const locale of options.locale ? [options.locale] : ["en-US", "es"]) {
      // The pages mostly wait, so the two viewports take turns.
      await Promise.all(
        Object.keys(VIEWPORTS).map((name) => screenshotAll(brand, theme, locale, name as keyof typeof VIEWPORTS)),
      );
    }
  }
}
await browser.close();
const figures = files
  .sort()
  .map((file) => `<figure><img loading=lazy src="${file}"><figcaption>${file}</figcaption></figure>`);
const style = "body{display:flex;flex-wrap:wrap}img{height:420px}figure{margin:4px}";
writeFileSync(`${SCREENS}/index.html`, `<style>${style}</style>${figures.join("")}`);
console.log(`${files.length} runs of axe, ${barriers} barriers`);
process.exitCode = barriers === 0 ? 0 : 1;

async function screenshotAll(
  brand: BrandId,
  theme: string,
  locale: string,
  name: keyof typeof VIEWPORTS,
): Promise<void> {
  const base = `http://${brand}.localhost:${port}`;
  const folder = `${brand}-${theme}-${locale}/${name}`;
  mkdirSync(`${SCREENS}/${folder}`, { recursive: true });
  for (const login of [null, DEMO_LOGINS[0].email, DEMO_LOGINS[2].email]) {
    const context = await browser.newContext({
      viewport: VIEWPORTS[name],
      locale,
      colorScheme: theme === "light" ? "light" : "dark",
      isMobile: name === "phone",
      hasTouch: name === "phone",
      // Nobody opens so many screens in a minute.
      extraHTTPHeaders: { "x-development-quotas": "off" },
    });
    // The labels of the map's buttons show at the first three visits, and axe would measure their colors while they fade out.
    await context.addInitScript((stored) => {
      localStorage.setItem("theme", JSON.stringify(stored));
      localStorage.setItem("map_visits", "3");
    }, theme);
    const page = await context.newPage();
    await page.goto(base);
    if (login) await logIn(page, login);
    const names = login === DEMO_LOGINS[0].email ? await findPictures(page) : {};
    for (const { path, access } of [...ROUTES, NOT_FOUND]) {
      const isShown =
        (login?.startsWith("admin") ?? false) === (access === "admin") && (login !== null || access !== "user");
      if (!isShown || access === (login ? "visitor" : "none") || path === "/logout" || !path.includes(options.only))
        continue;
      const address = path === "*" ? "/no-such-page" : path.replace(":profileId?", "NEXT").replace("/:ref?", "");
      for (const view of ["", ...(VIEWS[path] ?? [])]) {
        const query = (address + view).replace(/[A-Z]{3,}/g, (name) => String(names[name] ?? name));
        await page.goto(base + query);
        await page.waitForLoadState("networkidle").catch(() => undefined);
        await page.waitForTimeout(path === "/search/map" ? 2500 : 500);
        const file = `${folder}/${login ? "" : "visitor"}${(address + view).replace(/[^a-zA-Z0-9]+/g, "-")}`;
        await take(page, `${file}.png`);
        if (options.brief) continue;
        await takeBelow(page, file);
        await takeOpened(page, file);
      }
    }
    await context.close();
  }
}

/** What lies below, as a member sees it who scrolls on: at most two more screens. */
async function takeBelow(page: Page, file: string): Promise<void> {
  for (const part of [1, 2]) {
    const isMoved = await page.evaluate(() => {
      const before = scrollY;
      scrollBy({ top: innerHeight * 0.75, behavior: "instant" });
      return scrollY > before + 40;
    });
    if (!isMoved) break;
    await page.waitForTimeout(300);
    await take(page, `${file}-below-${part}.png`);
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
}

/** Each kind of menu and sheet that a press opens: buttons that differ only by what they name, as one for each picture, count once. */
async function takeOpened(page: Page, file: string): Promise<void> {
  for (const [n, menu] of (await kindsOf(page, "main [popovertarget]")).entries()) {
    await menu.click();
    await take(page, `${file}-menu${n || ""}.png`);
    const items = page.locator(':popover-open [role="menuitem"][aria-haspopup="dialog"]');
    const count = await items.count();
    for (let index = 0; index < count; index += 1) {
      if (index > 0) await menu.click();
      await takeSheet(page, items.nth(index), `${file}-menu${n || ""}-sheet-${index}.png`);
    }
    await page.evaluate(() => document.querySelector<HTMLElement>("main :popover-open")?.hidePopover());
  }
  for (const [n, opener] of (await kindsOf(page, 'main button[aria-haspopup="dialog"]:not(:disabled)')).entries()) {
    await takeSheet(page, opener, `${file}-sheet-${n}.png`);
  }
  const message = page.locator('main button[aria-expanded="false"]').last();
  if (await message.isVisible()) {
    await message.click();
    await take(page, `${file}-message.png`);
  }
  const folds = page.locator("main details:not([open])");
  if ((await folds.count()) > 0) {
    await folds.evaluateAll((all) => {
      for (const fold of all) {
        // Those of one name close each other.
        fold.removeAttribute("name");
        fold.setAttribute("open", "");
      }
    });
    await page.waitForTimeout(500);
    await take(page, `${file}-unfolded.png`, true);
  }
}

async function kindsOf(page: Page, selector: string): Promise<readonly Locator[]> {
  const kinds = new Map<string, Locator>();
  for (const button of await page.locator(selector).all()) {
    if (!(await button.isVisible())) continue;
    const name = (await button.getAttribute("aria-label")) ?? (await button.innerText());
    const kind = name.replace(/[,:].*|\d+/gs, "");
    if (!kinds.has(kind)) kinds.set(kind, button);
  }
  return [...kinds.values()];
}

async function takeSheet(page: Page, opener: Locator, file: string): Promise<void> {
  await opener.click();
  const sheet = page.locator("dialog[open]");
  await sheet.waitFor({ timeout: 5000 });
  await page.waitForTimeout(300);
  await take(page, file);
  // Not by Escape, which pressed twice leaves the site.
  await sheet.locator("button").first().click();
  await sheet.waitFor({ state: "detached" });
}

/** What the capitals of VIEWS stand for. */
async function findPictures(page: Page): Promise<Record<string, number>> {
  return page.evaluate(async () => {
    const read = async <Answer>(path: string) => (await (await fetch(`/api/${path}`)).json()) as Answer;
    type Pictured = { profileId: number; profilePicIds: number[] };
    const [[next], own] = await Promise.all([
      read<[Pictured]>("profile-briefs/nearest?page=0&size=1&hasPicture=true"),
      read<Pictured>("profile/1"),
    ]);
    return { NEXT: next.profileId, PICTURE: next.profilePicIds[0] as number, OWN: own.profilePicIds[0] as number };
  });
}

async function take(page: Page, file: string, fullPage = false): Promise<void> {
  await page.screenshot({ path: `${SCREENS}/${file}`, animations: "disabled", fullPage });
  files.push(file);
  for (const barrier of await findBarriers(page)) {
    barriers += 1;
    console.error(`${file}: ${barrier}`);
  }
}

interface Place {
  readonly lat: number;
  readonly lon: number;
}

async function screenshotMap(brand: BrandId): Promise<void> {
  const base = `http://${brand}.localhost:${port}`;
  const folder = `${SCREENS}/${brand}-map`;
  mkdirSync(folder, { recursive: true });
  for (const [name, viewport] of Object.entries({ phone: PHONE, desktop: { width: 1280, height: 800 } })) {
    const touch = { isMobile: name === "phone", hasTouch: name === "phone" };
    const context = await browser.newContext({ viewport, locale: options.locale, ...touch });
    const page = await context.newPage();
    await page.goto(base);
    await logIn(page, DEMO_LOGINS[0].email);
    // Positions of the viewer and of the nearest other member.
    const [me, next] = await page.evaluate(async () => {
      const read = async <Answer>(path: string) => (await (await fetch(`/api/${path}`)).json()) as Answer;
      const [own, [nearest]] = await Promise.all([
        read<Place>("profile-position/1"),
        read<[Place]>("profile-briefs/nearest?page=0&size=1"),
      ]);
      return [own, nearest].map(({ lat, lon }) => ({ lat, lon }));
    });
    for (const theme of ["dark", "light"]) {
      for (const zoom of [4, 9, 13, 17]) {
        await page.goto(`${base}/about`);
        await page.evaluate(
          (stored) => {
            for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, JSON.stringify(value));
          },
          { theme, mapViewState: { ...(zoom === 17 ? next : me), zoom }, map_hint_closed: true },
        );
        await page.goto(`${base}/search/map`);
        await page.locator("[data-member], [data-area]").first().waitFor();
        await page.waitForLoadState("networkidle").catch(() => undefined);
        // Labels fade in.
        await page.waitForTimeout(1500);
        const file = `${folder}/${name}-${theme}-${zoom}.png`;
        await page.screenshot({ path: file });
        console.log(file.slice(ROOT.length));
      }
    }
    await context.close();
  }
}

/** Logs in once for each brand and account, since a login each would meet the limits. */
async function logIn(page: Page, email: string): Promise<void> {
  const key = `${new URL(page.url()).host} ${email}`;
  const known = cookies.get(key);
  if (known) return page.context().addCookies(await known);
  const login = authenticate(page, email).then(() => page.context().cookies());
  cookies.set(key, login);
  await login;
}

async function authenticate(page: Page, email: string): Promise<void> {
  const status = await page.evaluate(
    async ([username, password]) => {
      const form = new FormData();
      form.set("username", username as string);
      form.set("password", password as string);
      return (await fetch("/api/auth", { method: "POST", body: form })).status;
    },
    [email, DEMO_PASSWORD],
  );
  if (status !== 200) throw new Error(`${email} could not log in: ${status}. Is the site seeded?`);
}
