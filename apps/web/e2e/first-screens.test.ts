import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { FIRST_SCREENS, measureScripts, totalBytes } from "@lambda/testing/first-screens";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

const openContext = () =>
  site.browser.newContext({
    viewport: PHONE,
    isMobile: true,
    hasTouch: true,
    locale: "en-US",
    serviceWorkers: "block",
  });

describe("the script of the first screens", () => {
  it.each(FIRST_SCREENS)("$name loads at most $maxBytes bytes of script", async (screen) => {
    const context = await openContext();
    if (screen.loggedIn) await logIn(site, context, await makeMember(site));
    const scripts = await measureScripts(context, site.url(""), screen);
    expect(totalBytes(scripts)).toBeLessThanOrEqual(screen.maxBytes);
    expect(scripts.some(({ hasMapLibrary }) => hasMapLibrary)).toBe(screen.hasMap ?? false);
    await context.close();
  });
});
