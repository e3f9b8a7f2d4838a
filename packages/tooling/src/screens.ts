import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import type { BrandId } from "@lambda/brands";
import { DESKTOP, launchChromium, PHONE } from "@lambda/testing/browser";
import { ROOT } from "@lambda/testing/site";
import { findBarriers } from "@lambda/ui/barriers";
import { NOT_FOUND, ROUTES, type RoutePath } from "@lambda/web/routes";
import type { Page } from "playwright-core";
import { DEMO_LOGINS, DEMO_PASSWORD } from "./seed/seed.ts";

/**
 * `npm run screens`: takes screenshots of every route of the seeded site on PORT (8787) with its views and its menu into .local/screens,
 * in phone and desktop viewports, and exits with 1 if axe finds accessibility problems. Options: --only TEXT (paths that contain it),
 * --brand ID, --theme dark|light, --locale es; --map for only the map, at four zooms and in both themes.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    brand: { type: "string", default: "ember" },
    theme: { type: "string", default: "dark" },
    locale: { type: "string", default: "en-US" },
    map: { type: "boolean", default: false },
  },
});
const port = process.env.PORT ?? "8787";
const base = `http://${options.brand as BrandId}.localhost:${port}`;

/** Views of a route that have an address of their own. */
const VIEWS: Partial<Record<RoutePath, readonly string[]>> = {
  "/chat/personal": ["?with=7"],
  "/settings": ["visibility", "contact", "notifications", "phone", "look", "login", "data"].map((page) => `#${page}`),
  "/dashboard": ["health", "queue", "notices", "holds", "reviews", "members", "messages", "audit"].map(
    (section) => `?section=${section}`,
  ),
};

let runs = 0;
let barriers = 0;
const browser = await launchChromium();
if (options.map) {
  await screenshotMap();
  await browser.close();
  process.exit();
}
for (const [name, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  const folder = `${ROOT}.local/screens/${options.brand}-${options.theme}/${name}`;
  mkdirSync(folder, { recursive: true });
  for (const login of [null, DEMO_LOGINS[0].email, DEMO_LOGINS[2].email]) {
    const context = await browser.newContext({
      viewport,
      locale: options.locale,
      colorScheme: options.theme === "light" ? "light" : "dark",
      isMobile: name === "phone",
      hasTouch: name === "phone",
    });
    // The labels of the map's buttons show at the first three visits, and axe would measure their colors while they fade out.
    await context.addInitScript((theme) => {
      localStorage.setItem("theme", JSON.stringify(theme));
      localStorage.setItem("map_visits", "3");
    }, options.theme);
    const page = await context.newPage();
    await page.goto(base);
    if (login) await logIn(page, login);
    for (const { path, access } of [...ROUTES, NOT_FOUND]) {
      const isShown =
        login === null
          ? access !== "user" && access !== "admin"
          : login.startsWith("admin")
            ? access === "admin"
            : true;
      if (!isShown || access === (login ? "visitor" : "none") || path === "/logout" || !path.includes(options.only))
        continue;
      const address = path === "*" ? "/no-such-page" : path.replace(":profileId?", "5").replace("/:ref?", "");
      for (const view of ["", ...(VIEWS[path] ?? [])]) {
        await page.goto(base + address + view);
        await page.waitForLoadState("networkidle").catch(() => undefined);
        await page.waitForTimeout(path === "/search/map" ? 2500 : 500);
        const file = `${folder}/${login ? "" : "visitor"}${(address + view).replace(/[^a-zA-Z0-9]+/g, "-")}`;
        await take(page, file, `${name} ${address}${view}`);
        const menu = page.locator("main [popovertarget]").first();
        if (!(await menu.isVisible())) continue;
        await menu.click();
        await take(page, `${file}-menu`, `${name} ${address}${view}, menu`);
      }
    }
    await context.close();
  }
}
await browser.close();
console.log(`${runs} runs of axe, ${barriers} barriers`);
process.exitCode = barriers === 0 ? 0 : 1;

async function take(page: Page, file: string, what: string): Promise<void> {
  await page.screenshot({ path: `${file}.png` });
  console.log(`${file.slice(ROOT.length)}.png`);
  runs += 1;
  for (const barrier of await findBarriers(page)) {
    barriers += 1;
    console.error(`${what}: ${barrier}`);
  }
}

interface Place {
  readonly lat: number;
  readonly lon: number;
}

async function screenshotMap(): Promise<void> {
  const folder = `${ROOT}.local/screens/${options.brand}-map`;
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

async function logIn(page: Page, email: string): Promise<void> {
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
