/**
 * Measures the gzipped scripts of the first screens (packages/testing/src/first-screens.ts). Needs the built application
 * (`npm run build`). For Lighthouse see page-load.ts; apps/web/e2e/first-screens.test.ts pins the budgets.
 */
import { launchChromium, PHONE } from "@lambda/testing/browser";
import { bytesOf, FIRST_SCREENS, weighScreen } from "@lambda/testing/first-screens";
import { createMember } from "@lambda/testing/members";
import { printGoal, printLine } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { openOwnSite } from "./own-site.ts";

const KB = 1000;

export async function run(_: BenchOptions): Promise<void> {
  const site = await openOwnSite();
  const browser = await launchChromium();
  try {
    await createMember(site.sql, { id: 1, characteristics: 5 });
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
      const scripts = await weighScreen(context, `http://localhost:${site.port}`, screen);
      printGoal(`${screen.name}: KB of script, gzipped`, bytesOf(scripts) / KB, screen.mostBytes / KB);
      for (const { path, gzippedBytes } of scripts.slice(0, 4))
        printLine(`  ${path}`, `${Math.round(gzippedBytes / KB)} KB`);
      if (!screen.map && scripts.some(({ map }) => map))
        printLine(`${screen.name}: MISSED`, "carries the map's library");
      await context.close();
    }
  } finally {
    await browser.close();
    await site.close();
  }
}
