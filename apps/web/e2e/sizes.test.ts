/**
 * Compares boxes on the main screens: with text twice as large, on a small phone and in landscape.
 *
 * @module-tag slow
 */
import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { apiFor, type BrowserMember, logIn } from "./members.ts";
import { makeNearby, newPlace } from "./nearby.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

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

/** Different enough not to be refused as one message to many. */
const OPENERS = [
  "How was your evening?",
  "Was that your dog by the river last evening, the brown one?",
  "Is the piano bar too loud for you on a Friday evening?",
  "I cook too much pasta every evening. Hungry?",
];

/** A member near the other one, who likes them and has written to them. */
async function makeReader(): Promise<BrowserMember> {
  const me = await makeNearby(site, place, "Ansel");
  const api = await apiFor(site, other);
  for (const [method, path, body] of [
    ["POST", "/api/message", { recipientProfileId: me.id, bodyText: OPENERS.pop() }],
    ["PUT", "/api/profile-like", { likedProfileId: me.id, likeType: "LIKE" }],
  ] as const) {
    const headers = { "content-type": "application/json" };
    const sent = await api.fetch(path, { method, headers, body: JSON.stringify(body) });
    if (!sent.ok) throw new Error(await sent.text());
  }
  return me;
}

const SIZES = {
  "text at 200 %": { viewport: PHONE, text: 2 },
  "a phone of 320 x 640": { viewport: { width: 320, height: 640 }, text: 1 },
  "landscape, 844 x 390": { viewport: { width: 844, height: 390 }, text: 1 },
};

/** The main screens, each with what is there once it has loaded. */
const SCREENS = (): Record<string, [path: string, shown: string]> => ({
  home: ["/", "main a[href^='/profile/']"],
  map: ["/search/map", "canvas"],
  tiles: ["/search/tile", "main li a[href^='/profile/']"],
  details: ["/search/profile", "main h2"],
  profile: [`/profile/${other.id}`, "main h1"],
  "profile with a wide name": [`/profile/${wide.id}`, "main h1"],
  conversations: ["/chat/personal", `a[href*='with=${other.id}']`],
  thread: [`/chat/personal?with=${other.id}`, "[role=log] >> text=evening"],
  notifications: ["/notifications", "main"],
  settings: ["/settings", "main nav a"],
  games: ["/games", "main a[href='/games/gptbuster']"],
  likes: ["/likes/profilelikedyou", "main li a"],
  "map chat": ["/chat/broadcast", "textarea"],
});

/** Texts that a box cuts off. An ellipsis is allowed in a link, a button or a row of one, whose name has the whole text. */
function cutTexts(): string[] {
  const found: string[] = [];
  const isHidden = (element: Element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true;
    // What only screen readers have is one pixel large.
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
      const { width, height } = box.getBoundingClientRect();
      if (width <= 1 || height <= 1) return true;
    }
    return false;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? "";
    const parent = node.parentElement;
    if (text === "" || !parent || parent.closest("script, style, [popover]:not(:popover-open)") || isHidden(parent))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const words = range.getBoundingClientRect();
    for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      const outer = box.getBoundingClientRect();
      if (outer.width <= 1 || outer.height <= 1) break;
      const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
      const isCut =
        (hides(style.overflowX) && (words.left < outer.left - 2 || words.right > outer.right + 2)) ||
        (hides(style.overflowY) && (words.top < outer.top - 3 || words.bottom > outer.bottom + 3));
      const isNamed = parent.closest("a, button, [title], [aria-label]") !== null;
      const isEllipsis = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      if (isCut && !(isEllipsis && isNamed)) found.push(`${text.slice(0, 40)} in ${box.tagName}.${box.className}`);
      if (isCut || style.overflowX === "auto" || style.overflowY === "auto" || style.position === "fixed") break;
    }
  }
  return found;
}

/** Controls that a bar covers once they have the focus. */
function coveredControls(): string[] {
  const found: string[] = [];
  const controls = document.querySelectorAll<HTMLElement>(
    "main :is(a[href], button:not(:disabled), input, select, textarea, summary)",
  );
  for (const control of controls) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (control.closest("canvas, [inert], .maplibregl-canvas-container")) continue;
    control.focus();
    const { left, top, width, height } = control.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    const at = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, innerHeight / 3));
    for (let over: Element | null = at; over && !over.contains(control); over = over.parentElement) {
      if (!["fixed", "sticky"].includes(getComputedStyle(over).position)) continue;
      found.push(`${control.textContent?.slice(0, 30) || control.outerHTML.slice(0, 80)} under ${over.className}`);
      break;
    }
  }
  scrollTo(0, 0);
  return found;
}

/** What is not seen at first: tabs beside the screen, an icon under its badge, a profile's name under a bar. */
function hiddenParts(): string[] {
  const found: string[] = [];
  for (const tab of document.querySelectorAll("main nav a, nav[aria-label] a"))
    if (tab.checkVisibility() && tab.getBoundingClientRect().right > innerWidth + 1)
      found.push(`${tab.textContent} beside the screen`);
  for (const icon of document.querySelectorAll("header svg")) {
    const { left, top, width, height } = icon.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    if (width > 1 && icon.checkVisibility() && !icon.contains(at) && at?.contains(icon) === false)
      found.push(`${icon.parentElement?.textContent} under ${at.className}`);
  }
  const name = document.querySelector("main h1");
  const box = name?.getBoundingClientRect();
  if (name && box && box.width > 1) {
    const at = document.elementFromPoint(box.left + 8, box.top + Math.min(box.height, 60) / 2);
    if (!name.contains(at)) found.push(`${name.textContent} under ${at?.className}`);
  }
  return found;
}

/** Controls with less than 44 px to press. Links in running text are exempt (WCAG 2.5.8). */
function smallTargets(): string[] {
  const found: string[] = [];
  const least = 44;
  for (const control of document.querySelectorAll<HTMLElement>("a[href], button, select, summary, [role=switch]")) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (control.closest("[popover]:not(:popover-open)")) continue;
    const inText = control.closest("p, dd, li")?.textContent?.trim() !== control.textContent?.trim();
    if (control.tagName === "A" && getComputedStyle(control).display === "inline" && inText) continue;
    const label = control.closest("label");
    const box = (label ?? control).getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    if (box.width >= least - 0.5 && box.height >= least - 0.5) continue;
    control.scrollIntoView({ block: "center" });
    const now = control.getBoundingClientRect();
    const [x, y] = [now.left + now.width / 2, now.top + now.height / 2];
    // A pseudo-element may enlarge what can be pressed.
    const isReached = (dx: number, dy: number) => control.contains(document.elementFromPoint(x + dx, y + dy));
    const half = least / 2 - 1;
    const isWide = box.width >= least - 0.5 || (isReached(-half, 0) && isReached(half, 0));
    const isHigh = box.height >= least - 0.5 || (isReached(0, -half) && isReached(0, half));
    if (!isWide || !isHigh)
      found.push(
        `${control.getAttribute("aria-label") ?? control.textContent?.slice(0, 30)} ${Math.round(box.width)}x${Math.round(box.height)}`,
      );
  }
  scrollTo(0, 0);
  return found;
}

/** How many lines a name takes in the tiles or cards of a screen. */
function linesOf(name: string): number {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.textContent === name) break;
  const range = document.createRange();
  range.selectNodeContents(walker.currentNode);
  return range.getClientRects().length;
}

/** What an ellipsis shortens in the rows and tiles of members. */
function shortenedTexts(): (string | null)[] {
  return [...document.querySelectorAll("main li a span")]
    .filter(
      ({ scrollWidth, scrollHeight, clientWidth, clientHeight }) =>
        clientWidth > 1 && (scrollWidth > clientWidth || scrollHeight > clientHeight + 1),
    )
    .map(({ textContent }) => textContent);
}

async function openScreen(page: Page, [path, shown]: [string, string]): Promise<void> {
  await page.goto(path);
  await page.locator(shown).first().waitFor(LONG_TIMEOUT);
  // What loads late, like distances, may change the layout.
  await page.waitForTimeout(500);
}

for (const [size, { viewport, text }] of Object.entries(SIZES)) {
  describe(`the main screens with ${size}`, () => {
    it("cut no text, scroll only down, and cover no control", async () => {
      const { page, context } = await site.open({ viewport });
      await context.addInitScript((factor) => {
        addEventListener("DOMContentLoaded", () => {
          document.documentElement.style.fontSize = `${factor * 100}%`;
        });
      }, text);
      await logIn(site, context, await makeReader());
      const found: Record<string, string[]> = {};
      for (const [screen, target] of Object.entries(SCREENS())) {
        await openScreen(page, target);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        const problems = [
          ...(wide > 0 ? [`scrolls ${wide} px to the side`] : []),
          ...(viewport.width < viewport.height ? await page.evaluate(hiddenParts) : []),
          ...(await page.evaluate(cutTexts)).map((cut) => `cut: ${cut}`),
          ...(await page.evaluate(coveredControls)).map((covered) => `covered: ${covered}`),
        ];
        // Twelve wide letters are whole only where their size can still be read.
        const whole = screen === "details" || text === 2 ? [LONG_WORD, WIDE_WORD] : [LONG_WORD];
        for (const name of ["tiles", "details"].includes(screen) ? whole : []) {
          const lines = await page.evaluate(linesOf, name);
          if (lines !== 1) problems.push(`${name} takes ${lines} lines`);
        }
        if (problems.length > 0) found[screen] = problems;
      }
      expect(found).toEqual({});
      await context.close();
    });
  });
}

it("gives every control of the main screens 44 px to press, and shortens no member", async () => {
  const { page, context } = await site.open({ viewport: PHONE });
  await logIn(site, context, await makeReader());
  const found: Record<string, string[]> = {};
  const cut: Record<string, (string | null)[]> = {};
  for (const [screen, target] of Object.entries(SCREENS())) {
    await openScreen(page, target);
    const small = await page.evaluate(smallTargets);
    if (small.length > 0) found[screen] = small;
    if (screen === "tiles") expect(await page.evaluate(linesOf, LONG_WORD)).toBe(1);
    if (["tiles", "likes"].includes(screen)) cut[screen] = await page.evaluate(shortenedTexts);
  }
  expect(found).toEqual({});
  // A name of 18 letters, of which 12 show, and the second line of a like.
  expect(cut).toEqual({ tiles: [], likes: [] });
  await context.close();
});
