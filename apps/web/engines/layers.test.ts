import { expect } from "vitest";
import { apiFor, makeMember } from "../e2e/members.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "../e2e/picture-members.ts";
import { button, heading, label, link, type Tab, type Target, text } from "./tab.ts";
import { inEachEngine } from "./walk.ts";

const SHEET: Target = { role: "dialog" };

inEachEngine("a plan with a friend, and the friend's page", async (tab, site) => {
  await tab.logIn(site, "Ansel");
  const other = await makeMember(site, { name: "Marco" });
  await tab.goto(`/chat/personal?with=${other.id}`);
  await tab.press(button("Action"));
  await tab.press({ role: "menuitem", name: "Meet safely" });
  await tab.fill({ role: "textbox", name: "Where", within: SHEET }, "Bar Central");
  await tab.fill(label("What your friend should know"), "The word is marmalade");
  await tab.select(label("In which country"), "ES");
  await tab.fill(label("PIN: I am fine"), "2468");
  await tab.fill(label("Second PIN: help me"), "1357");
  await tab.press(button("Make the plan"));
  await tab.see(heading("Now send the link"));
  const friendsLink = await tab.see(text(/\/meet\//, SHEET));
  await tab.press(button("Done", SHEET));
  await tab.see({ role: "complementary", name: "Your plan" });

  await tab.goto(friendsLink);
  await tab.see(heading("Nothing to do now"));
  expect(await tab.driver.evaluate(() => location.hash + document.body.innerText)).not.toMatch(
    /Marco|Central|marmalade|#/,
  );
  await tab.goto(`/chat/personal?with=${other.id}`);
  await tab.press(button("Answer", { role: "complementary", name: "Your plan" }));
  await tab.fill(label("Your PIN"), "1357");
  await tab.press(button("I am fine", SHEET));
  await tab.see(text("Good. The plan has ended."));
  await tab.goto(friendsLink);
  await tab.see(heading("Please act now"));
  for (const part of ["Marco", "Bar Central", "The word is marmalade"]) await tab.see(text(part));
  await tab.see(link("Emergency 112"));
});

inEachEngine("Back closes what lies on top, and leaves the page only then", async (tab, site) => {
  await tab.logIn(site, "Ansel");
  const other = await makeMember(site, { name: "Marco" });
  await (await apiFor(site, other)).upload(await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]));
  const profile = `/profile/${other.id}`;
  await tab.goto("/notes");
  await closedByBack(tab, button("Open navigation"), { role: "navigation", name: "Navigation" });
  await tab.goto(profile);
  await closedByBack(tab, button("Action"), { role: "menuitem", name: "Report Violation" });
  await tab.press(button("Action"));
  await closedByBack(tab, { role: "menuitem", name: "Report Violation" }, SHEET);
  await tab.at(new RegExp(`^${profile}$`));

  await tab.press({ css: "main a[href^='/profilePicCarousel']" });
  await tab.at(/^\/profilePicCarousel/);
  await tab.see({ role: "img", name: /^Picture 1/ });
  await tab.back();
  await tab.at(new RegExp(`^${profile}$`));
  await tab.see(button("Action"));
  await tab.back();
  await tab.at(/^\/notes/);
});

/** Opens a layer, waits for its entry in the history, and goes back. */
async function closedByBack(tab: Tab, opener: Target, layer: Target): Promise<void> {
  const before = await tab.path();
  await tab.press(opener);
  await tab.see(layer);
  await tab.until("an entry for Back", () =>
    tab.driver.evaluate(() => ((history.state as { layer?: { depth: number } } | null)?.layer?.depth ?? 0) > 0),
  );
  await tab.back();
  await tab.gone(layer);
  expect(await tab.path()).toBe(before);
}
