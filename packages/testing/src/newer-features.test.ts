import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findNewerInScripts, findNewerInStyles, type Minimum } from "./newer-features.ts";
import { ROOT } from "./site.ts";

const [, listed = "[]"] =
  /BROWSERS = (\[.*?\])/.exec(readFileSync(join(ROOT, "apps/web/build/browsers.ts"), "utf8")) ?? [];
const BROWSERS = JSON.parse(listed) as string[];

const DIST = join(ROOT, "apps/web/dist");

const versionOf = (name: string) => Number(BROWSERS.find((browser) => browser.startsWith(name))?.slice(name.length));
const DESKTOP: Minimum = {
  chrome: versionOf("chrome"),
  edge: versionOf("chrome"),
  firefox: versionOf("firefox"),
  safari: versionOf("safari"),
};
const MINIMUM: Minimum = {
  ...DESKTOP,
  chrome_android: versionOf("chrome"),
  firefox_android: versionOf("firefox"),
  safari_ios: versionOf("safari"),
};

const read = (pattern: string) =>
  new Map(globSync(pattern, { cwd: DIST }).map((file) => [file, readFileSync(join(DIST, file), "utf8")] as const));

/** The inline scripts or styles of the prerendered pages. */
const readInline = (isWanted: (text: string) => boolean) =>
  [...read("prerendered/*.json")].flatMap(([file, json]) => {
    const texts: [string, string][] = [];
    JSON.parse(json, (key, value: unknown) => {
      if (key === "text" && typeof value === "string" && isWanted(value)) texts.push([file, value]);
      return value;
    });
    return texts;
  });
const isScript = (text: string) => text.startsWith("(function");

/** What is tested for where the script cannot see it. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  ".copyTo": "MapLibre copies video frames only after it has seen the browser do so",
  ".startViewTransition": "React calls it for <ViewTransition>, which no screen has",
  ".animation": "React reads it from a style whose names it has looked up",
};

/** Without these everything is there, can be read and can be used. */
const REFINEMENTS = [
  ...["text-wrap", "text-wrap-style", "text-size-adjust"],
  ...["scrollbar-width", "scrollbar-color", "scrollbar-gutter", "overflow-anchor", "field-sizing"],
  ...["content-visibility", "contain-intrinsic-size", "forced-color-adjust"],
  ...["::view-transition-group", "::view-transition-old", "::view-transition-new"],
  // A menu only appears without its animation; without the other, notes lie closer together.
  ...[":popover-open", "::details-content"],
];

it("scripts use nothing newer than the oldest supported browsers without a test before", { timeout: 60_000 }, () => {
  const found = findNewerInScripts(new Map([...read("**/*.js"), ...readInline(isScript)]), MINIMUM);
  expect([...found].filter(([name]) => !(name in TESTED_ELSEWHERE))).toEqual([]);
  expect(Object.keys(TESTED_ELSEWHERE).filter((name) => !found.has(name))).toEqual([]);
});

it("styles use nothing newer but refinements", { timeout: 60_000 }, () => {
  const found = new Map<string, string>();
  for (const [file, code] of [...read("**/*.css"), ...readInline((text) => !isScript(text))])
    for (const name of findNewerInStyles(code, DESKTOP)) found.set(name, file);
  expect([...found].filter(([name]) => !REFINEMENTS.includes(name))).toEqual([]);
  expect(REFINEMENTS.filter((name) => !found.has(name))).toEqual([]);
});

it("README names the versions", () => {
  const { chrome, firefox, safari } = DESKTOP;
  expect(readFileSync(join(ROOT, "README.md"), "utf8")).toContain(
    `Chrome and Edge from ${chrome}, Firefox from ${firefox} and Safari from ${safari}`,
  );
});

it("what speaks to older browsers is written in their language", () => {
  const scripts = new Map([...read("meet/*.js"), ...readInline(isScript)]);
  expect(scripts.size).toBeGreaterThan(2);
  findNewerInScripts(scripts, {}, 2019);
});

it.each([
  ["Object.groupBy(list, by)", ["Object.groupBy"]],
  ["Object.groupBy ? Object.groupBy(list, by) : old()", []],
  ["list.findLast(by); set.isSubsetOf(other)", [".isSubsetOf"]],
  ["new CloseWatcher()", ["CloseWatcher"]],
  ["'CloseWatcher' in window && new CloseWatcher()", []],
  ["document.startViewTransition?.(draw)", []],
  ["const { CloseWatcher } = ours; new CloseWatcher()", []],
])("%s is newer in %j", (code, names) =>
  expect([...findNewerInScripts(new Map([["a.js", code]]), MINIMUM).keys()]).toEqual(names),
);

it.each([
  ["a { &:hover { color: red } }", ["&"]],
  ["a { width: 1cap }", ["cap"]],
  ["a { width: 1em; width: 1cap }", []],
  ["@supports (width: 1cap) { a { width: 1cap } }", []],
  ["@starting-style { a { color: red } }", ["@starting-style"]],
  ["a { color: light-dark(red, blue) }", ["light-dark()"]],
])("%s is newer in %j", (code, names) => expect(findNewerInStyles(code, DESKTOP)).toEqual(names));
