/** Prints the gzipped scripts of the first screens of the built application, whose budgets apps/web/e2e/first-screens.test.ts pins. */
import { closeSite, openSite, PHONE } from "@lambda/testing/browser";
import { FIRST_SCREENS, measureScripts, totalBytes } from "@lambda/testing/first-screens";
import { logInAsNewMember } from "./browser-session.ts";
import { printGoal, printLine } from "./figures.ts";

const KB = 1000;

export async function run(): Promise<void> {
  const site = await openSite();
  for (const screen of FIRST_SCREENS) {
    const context = await site.browser.newContext({ viewport: PHONE, serviceWorkers: "block" });
    if (screen.loggedIn) await logInAsNewMember(site.run, context, site.url(""));
    const scripts = await measureScripts(context, site.url(""), screen);
    printGoal(`${screen.name}: KB of script, gzipped`, totalBytes(scripts) / KB, screen.maxBytes / KB);
    for (const { path, gzippedBytes } of scripts.slice(0, 4))
      printLine(`  ${path}`, `${Math.round(gzippedBytes / KB)} KB`);
    await context.close();
  }
  await closeSite();
  await site.browser.close();
}
