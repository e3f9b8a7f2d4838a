/**
 * Measures the gzipped scripts of the first screens (packages/testing/src/first-screens.ts). Needs the built application
 * (`npm run build`). For Lighthouse see page-load.ts; apps/web/e2e/first-screens.test.ts pins the budgets.
 */
import { launchChromium, PHONE } from "@lambda/testing/browser";
import { FIRST_SCREENS, measureScripts, totalBytes } from "@lambda/testing/first-screens";
import { insertMember } from "@lambda/testing/members";
import { printGoal, printLine } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { openOwnSite } from "./own-site.ts";

const KB = 1000;

export async function run(_: BenchOptions): Promise<void> {
  const site = await openOwnSite();
  const browser = await launchChromium();
  try {
    await insertMember(site.sql, { id: 1, characteristics: 5 });
    const token = (await site.session(1)).split("=")[1] ?? "";
    for (const screen of FIRST_SCREENS) {
      const context = await browser.newContext({
        viewport: PHONE,
        isMobile: true,
        hasTouch: true,
        serviceWorkers: "block",
      });
      if (screen.loggedIn) {
        await context.addCookies([
          { name: "__Host-session", value: token, domain: "localhost", path: "/", secure: true, httpOnly: true },
          { name: "logged_in", value: "1", domain: "localhost", path: "/", secure: true },
        ]);
      }
      const scripts = await measureScripts(context, `http://localhost:${site.port}`, screen);
      printGoal(`${screen.name}: KB of script, gzipped`, totalBytes(scripts) / KB, screen.maxBytes / KB);
      for (const { path, gzippedBytes } of scripts.slice(0, 4))
        printLine(`  ${path}`, `${Math.round(gzippedBytes / KB)} KB`);
      if (!screen.hasMap && scripts.some(({ hasMapLibrary }) => hasMapLibrary))
        printLine(`${screen.name}: MISSED`, "carries the map's library");
      await context.close();
    }
  } finally {
    await browser.close();
    await site.close();
  }
}
