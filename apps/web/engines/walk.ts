import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { afterAll, describe, expect, it } from "vitest";
import { ENGINES } from "./driver.ts";
import { stopEngines, withEngines } from "./engines.ts";
import { Tab, type TabOptions } from "./tab.ts";

const VIEWPORTS = { phone: PHONE, desktop: DESKTOP };

/** A request that ended with its page or its connection, in the words of each engine. */
const CUT_OFF =
  /TypeError: (Failed to fetch|NetworkError|Load failed|error loading dynamically|Importing a module script failed)|Unable to preload CSS/;

/** One walk of a member, in each engine on a phone's and a desktop's viewport. The page must have nothing to complain about. */
export function inEachEngine(
  name: string,
  walk: (tab: Tab, site: TestSite) => Promise<void>,
  options: Omit<TabOptions, "viewport"> = {},
): void {
  afterAll(stopEngines);
  describe.each(ENGINES)(`%s: ${name}`, (engineName) => {
    it.each(Object.entries(VIEWPORTS))("on a %s", (_, viewport) =>
      withEngines([engineName], async (engine) => {
        const site = await openSite();
        const tab = await Tab.open(site, engine!, { ...options, viewport });
        try {
          await walk(tab, site);
          expect((await tab.complaints()).filter((complaint) => !CUT_OFF.test(complaint))).toEqual([]);
        } finally {
          await tab.close();
        }
      }),
    );
  });
}
