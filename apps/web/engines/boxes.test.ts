/** Compares boxes on the main screens: of controls, with text twice as large, on a small phone and in landscape. */
import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiFor, type BrowserMember } from "../e2e/members.ts";
import { makeNearby, newPlace, reportPosition } from "../e2e/nearby.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "../e2e/picture-members.ts";
import { coveredControls, cutTexts, hiddenParts, linesOf, shortenedTexts, smallTargets } from "./boxes.ts";
import { ENGINES, type EngineName } from "./driver.ts";
import { stopEngines, withEngines } from "./engines.ts";
import { heading, Tab, type Target, text } from "./tab.ts";

let site: TestSite;
let other: BrowserMember;
let wide: BrowserMember;

const place = newPlace();
const LONG_NAME = "Maximilian Theodor";
/** As long as names are shown. */
const LONG_WORD = "SourdoughSid";
const WIDE_WORD = "WWWWWWWWWWWW";

beforeAll(async () => {
  site = await openSite();
  other = await makeNearby(site, place, LONG_NAME, 0.01);
  await makeNearby(site, place, LONG_WORD, 0.02);
  wide = await makeNearby(site, place, WIDE_WORD, 0.03);
  await site.sql("update profile set height = ?, weight = ? where id = ?", "W".repeat(40), "W".repeat(40), wide.id);
  // Twelve characteristics.
  await site.sql("update profile set characteristics = 4095 where id = ?", other.id);
  await (await apiFor(site, other)).upload(await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]));
});

afterAll(stopEngines);

/** Logs in as a member near the other one, whose like and answer the member has. */
async function logInReader(tab: Tab): Promise<void> {
  // Those of earlier tests would be nearer than whom it looks for.
  await site.sql(
    "delete from position where profile_id not in (select profile_id from position order by profile_id limit 3)",
  );
  const reader = await tab.logIn(site, "Ansel");
  await reportPosition(site, reader, place);
  const write = (bodyText: string, recipient: BrowserMember) =>
    ["POST", "/api/message", { recipientProfileId: recipient.id, bodyText }] as const;
  for (const [sender, [method, path, body]] of [
    [reader, write("Out tonight?", other)],
    // An answer, as nobody may open with the same words twice.
    [other, write("How was your evening?", reader)],
    [other, ["PUT", "/api/profile-like", { likedProfileId: reader.id, likeType: "LIKE" }]],
  ] as const) {
    const headers = { "content-type": "application/json" };
    const sent = await (await apiFor(site, sender)).fetch(path, { method, headers, body: JSON.stringify(body) });
    if (!sent.ok) throw new Error(await sent.text());
  }
}

const SIZES = {
  "text at 200 %": { viewport: PHONE, scale: 2 },
  "a phone of 320 x 640": { viewport: { width: 320, height: 640 }, scale: 1 },
  "landscape, 844 x 390": { viewport: { width: 844, height: 390 }, scale: 1 },
};

/** The main screens, each with what is there once it has loaded. */
const SCREENS = (): Record<string, [path: string, shown: Target]> => ({
  home: ["/", { css: "main a[href^='/profile/']" }],
  map: ["/search/map", { css: "canvas" }],
  tiles: ["/search/tile", { css: "main li a[href^='/profile/']" }],
  details: ["/search/profile", { css: "main h2" }],
  profile: [`/profile/${other.id}`, heading(new RegExp(`^${LONG_NAME.slice(0, 12)}`))],
  "profile with a wide name": [`/profile/${wide.id}`, heading(new RegExp(`^${WIDE_WORD}`))],
  conversations: ["/chat/personal", { css: `a[href*='with=${other.id}']` }],
  thread: [`/chat/personal?with=${other.id}`, text(/evening/, { role: "log" })],
  notifications: ["/notifications", heading("Notifications")],
  settings: ["/settings", { css: "main nav a" }],
  games: ["/games", { css: "main a[href='/games/gptbuster']" }],
  likes: ["/likes/profilelikedyou", { css: "main li a" }],
  "map chat": ["/chat/broadcast", { css: "textarea" }],
});

/** Runs in the page: resolves once nothing was asked for or laid out anew for a while, as distances come late. */
function settle(): Promise<void> {
  const STILL_MS = 400;
  return new Promise((resolve) => {
    const layout = () =>
      [
        performance.getEntriesByType("resource").length,
        ...[...document.querySelectorAll("main *")].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return [x, y, width, height].join();
        }),
      ].join();
    let [before, since] = [layout(), performance.now()];
    const look = () => {
      const now = layout();
      if (now !== before) [before, since] = [now, performance.now()];
      if (performance.now() - since > STILL_MS) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Opens a screen as a tap on a notification does, so that what starts late has started once for all. */
async function openScreen(tab: Tab, [path, shown]: [string, Target]): Promise<void> {
  await tab.driver.evaluate((to) => {
    navigator.serviceWorker.dispatchEvent(new MessageEvent("message", { data: { type: "go", path: to } }));
  }, path);
  await tab.until(`the address ${path}`, async () => (await tab.path()) === path);
  await tab.see(shown);
  await tab.driver.evaluate(settle);
}

/** Runs a walk in a window of the size. */
const inWindow = <Result>(
  engineName: EngineName,
  { viewport, scale }: (typeof SIZES)[keyof typeof SIZES],
  walk: (tab: Tab) => Promise<Result>,
): Promise<Result> =>
  withEngines([engineName], async (engine) => {
    const script = `addEventListener("DOMContentLoaded", () => { document.documentElement.style.fontSize = "${scale * 100}%"; });`;
    const tab = await Tab.open(site, engine!, { viewport, script });
    try {
      await logInReader(tab);
      await tab.goto("/notes");
      await tab.until("what starts late", () =>
        tab.driver.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => /habits-/.test(name))),
      );
      await tab.driver.evaluate(settle);
      return await walk(tab);
    } finally {
      await tab.close();
    }
  });

/** Opens every main screen and returns what a check finds, by screen. */
async function checkScreens(tab: Tab, check: (screen: string) => Promise<readonly string[]>) {
  const found: Record<string, readonly string[]> = {};
  for (const [screen, target] of Object.entries(SCREENS())) {
    await openScreen(tab, target);
    const problems = await check(screen);
    if (problems.length > 0) found[screen] = problems;
  }
  return found;
}

describe.each(ENGINES)("the main screens in %s", (engine) => {
  it.each(Object.entries(SIZES))("with %s cut no text, scroll only down, and cover no control", (_, size) =>
    inWindow(engine, size, async (tab) => {
      const { driver } = tab;
      const found = await checkScreens(tab, async (screen) => {
        const beside = await driver.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        const problems = [
          ...(beside > 0 ? [`scrolls ${beside} px to the side`] : []),
          ...(size.viewport.width < size.viewport.height ? await driver.evaluate(hiddenParts) : []),
          ...(await driver.evaluate(cutTexts)).map((cut) => `cut: ${cut}`),
          ...(await driver.evaluate(coveredControls)).map((covered) => `covered: ${covered}`),
        ];
        // Twelve wide letters are whole only where their size can still be read.
        const whole = screen === "details" || size.scale === 2 ? [LONG_WORD, WIDE_WORD] : [LONG_WORD];
        for (const name of ["tiles", "details"].includes(screen) ? whole : []) {
          const lines = await driver.evaluate(linesOf, name);
          if (lines !== 1) problems.push(`${name} takes ${lines} lines`);
        }
        return problems;
      });
      expect(found).toEqual({});
    }),
  );

  it("let Tab reach no row of Account under a bar", () =>
    inWindow(engine, SIZES["text at 200 %"], async (tab) => {
      await openScreen(tab, SCREENS().settings!);
      const last = () => tab.driver.evaluate(() => document.activeElement?.matches("main nav li:last-child a"));
      const covered: string[] = [];
      await tab.until("the last row", async () => {
        await tab.driver.key("Tab");
        covered.push(...(await tab.driver.evaluate(coveredControls, true)));
        return (await last()) === true;
      });
      expect(covered).toEqual([]);
    }));

  it("give every control 44 px to press, and shorten no member", () =>
    inWindow(engine, { viewport: PHONE, scale: 1 }, async (tab) => {
      const found = await checkScreens(tab, async (screen) => {
        const problems = [...(await tab.driver.evaluate(smallTargets))];
        if (screen === "tiles" && (await tab.driver.evaluate(linesOf, LONG_WORD)) !== 1)
          problems.push(`${LONG_WORD} breaks`);
        // A name of 18 letters, of which 12 show, and the second line of a like.
        if (["tiles", "likes"].includes(screen))
          problems.push(...(await tab.driver.evaluate(shortenedTexts)).map((shown) => `shortened: ${shown}`));
        return problems;
      });
      expect(found).toEqual({});
    }));
});
