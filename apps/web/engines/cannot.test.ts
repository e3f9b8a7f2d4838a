import { openSite } from "@lambda/testing/browser";
import { afterAll, expect, it } from "vitest";
import { can, PROBES } from "./cannot.ts";
import { ENGINES } from "./driver.ts";
import { stopEngines, withEngines } from "./engines.ts";
import { button, heading, Tab, text } from "./tab.ts";

afterAll(stopEngines);

it.each(ENGINES)("%s has push and passkeys unless it is listed without, and Account says so", (name) =>
  withEngines([name], async (engine) => {
    const site = await openSite();
    const tab = await Tab.open(site, engine!);
    try {
      await tab.logIn(site, "Ansel");
      for (const ability of ["push", "passkeys"] as const)
        expect([ability, await tab.driver.evaluate(PROBES[ability])]).toEqual([ability, can(name, ability)]);
      await tab.goto("/settings#notifications");
      await tab.see(heading("Notifications"));
      const noPush = text("Push messaging isn't supported on this device");
      if (can(name, "push")) {
        await tab.see(text(/^(Subscribe|Notifications are blocked)/));
        expect(await tab.isShown(noPush)).toBe(false);
      } else await tab.see(noPush);
      await tab.goto("/settings#login");
      await tab.press(text("Passkeys"));
      await tab.see(can(name, "passkeys") ? button("Add a passkey") : text("This browser doesn't support passkeys."));
    } finally {
      await tab.close();
    }
  }),
);
