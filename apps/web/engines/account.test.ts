import { BRANDS } from "@lambda/brands";
import { PHONE } from "@lambda/testing/browser";
import { expect } from "vitest";
import { PIN, SECOND_PIN, simulateSlowDevice } from "../e2e/lock-scene.ts";
import { makeMember, PASSWORD } from "../e2e/members.ts";
import { button, heading, label, link, type Tab, type Target, text } from "./tab.ts";
import { inEachEngine } from "./walk.ts";

const PAGES = [
  ["Who sees me", "Discreet"],
  ["Who can write", "Who may write first"],
  ["Notifications", "Likes, matches"],
  ["Privacy on this phone", "App lock"],
  ["Look", "Language"],
  ["Login", "Where you are logged in"],
  ["My data", "Delete the account"],
] as const;

const INDEX: Target = { css: "main nav" };
const width = (tab: Tab) => tab.driver.evaluate(() => innerWidth);
const countOn = (tab: Tab) =>
  tab.driver.evaluate(() => document.querySelectorAll("[role=switch]:is(:checked, [aria-checked=true])").length);

inEachEngine(
  "every page of Account, notifications, Spanish, the light theme, three brands and logout",
  async (tab, site) => {
    const me = await tab.logIn(site, "Ansel");
    const isPhone = (await width(tab)) === PHONE.width;
    await tab.goto("/settings");
    for (const [name, part] of PAGES) {
      await tab.press(link(new RegExp(`^${name}`), INDEX));
      await tab.see(heading(name));
      await tab.see(text(new RegExp(part), { css: "main" }));
      if (isPhone) await tab.back();
    }

    await tab.goto("/settings#notifications");
    await tab.until("the switches", async () => (await countOn(tab)) > 0);
    const before = await countOn(tab);
    await tab.press({ role: "switch" });
    await tab.until("the switch", async () => (await countOn(tab)) === before - 1);
    await tab.until("the choice's way to the server", async () =>
      tab.proxy.requests.some((line) => line.includes("notifications.updatePreferences")),
    );
    const fan = await makeMember(site, { name: "Tomas" });
    await site.sql(
      `insert into notification (profile_id, kind, about_id, body_text, body_es, url, brand, ts_created)
     values (?, 'like', ?, 'Someone likes you', 'Le gustas a alguien', '/likes/profilelikedyou', 'ember', ?)`,
      me.id,
      fan.id,
      Date.now() - 60_000,
    );
    await tab.goto("/notifications");
    await tab.see(button(/Someone likes you/));

    await tab.goto("/settings#look");
    await tab.press(text("Light"));
    await tab.select(label("Language"), "es");
    await tab.see(heading("Aspecto"));
    await tab.goto("/notifications");
    await tab.see(heading("Avisos"));
    expect(await tab.driver.evaluate(() => document.documentElement.dataset.theme)).toBe("light");
    await tab.press(button(/Le gustas a alguien/));
    await tab.at(/^\/likes\/profilelikedyou/);

    await tab.goto("/logout");
    await tab.at(/^\/login/);
    await tab.goto("/settings");
    await tab.at(/^\/login/);

    for (const brand of BRANDS) {
      const origin = tab.origin.replace(/\/\/\w+/, `//${brand.id}`);
      await tab.goto(`${origin}/login`);
      await tab.fill(label("Email"), me.email);
      await tab.fill(label("Password"), PASSWORD);
      await tab.press(button("Login", { css: "main" }));
      await tab.at(/^\/(?!login)/);
      await tab.goto(`${origin}/settings`);
      await tab.see(heading("Account"));
      expect(await tab.driver.evaluate(() => document.documentElement.dataset.brand)).toBe(brand.id);
    }
  },
);

inEachEngine("the lock, by its PIN and by the second", async (tab, site) => {
  await tab.logIn(site, "Ansel");
  const sheet = { role: "dialog" };
  const open = async (pin: string) => {
    await tab.goto("/");
    await tab.see(heading("Locked"));
    await tab.fill(label("PIN"), pin);
    await tab.press(button("Open"));
  };
  await tab.goto("/settings#lock");
  await tab.press(button("Turn the lock on"));
  await tab.fill(label("New PIN"), PIN);
  await tab.fill(label("Repeat the PIN"), PIN);
  await tab.driver.evaluate(simulateSlowDevice);
  await tab.press(button("Turn the lock on", sheet));
  await tab.gone(sheet);
  await tab.see(button("Lock now"));
  await tab.press(button("Set a second PIN"));
  await tab.fill(label("Your PIN"), PIN);
  await tab.fill(label("Second PIN"), SECOND_PIN);
  await tab.fill(label("Repeat the PIN"), SECOND_PIN);
  await tab.fill(label(/A first note/), "Milk, bread");
  await tab.press(button("Save", sheet));
  await tab.gone(sheet);
  await open("0000");
  await tab.see(text("That's not the PIN. 9 more tries."));
  await open(PIN);
  await tab.see(link("Home"));
  await open(SECOND_PIN);
  await tab.see(heading("Notes"));
  await tab.see(text("Milk, bread"));
  expect(await tab.driver.evaluate(() => document.title)).toBe("Notes");
});
