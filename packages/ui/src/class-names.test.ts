import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

const ROOT = new URL("../../..", import.meta.url).pathname;
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const find = (pattern: string) => globSync(pattern, { cwd: ROOT, exclude: ["**/node_modules/**"] });
const namesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name as string));
const withoutGlobals = (sheet: string) => sheet.replaceAll(/\/\*[^*]*\*\/|:global\([^{]*?\)(?=[ ,:{])/g, "");

const sources = find("{apps/web,packages/ui}/src/**/*.{ts,tsx}")
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => ({ path, text: read(path) }));
const utilities = namesIn(withoutGlobals(read("packages/ui/src/utilities.css")), /\.([a-z][\w-]*)(?=[^;{}]*\{)/g);

it("names only utilities that exist, and keeps none that nothing uses", () => {
  const used = new Set(
    sources.flatMap(({ text }) =>
      [...text.matchAll(/(?:[cC]lassName=|className = |classes\()(?:\{?["`]([^"`]*)["`])/g)].flatMap(([, names = ""]) =>
        names
          .replaceAll(/\$\{[^}]*\}/g, " ")
          .split(/\s+/)
          .filter(Boolean),
      ),
    ),
  );
  expect([...used].filter((name) => !utilities.has(name))).toEqual([]);
  expect([...utilities].filter((name) => !used.has(name))).toEqual([]);
});

it("has no class in a component's style sheet that nothing uses, and uses none that is not there", () => {
  const faults = find("{apps/web,packages/ui}/src/**/*.module.css").flatMap((sheet) => {
    const defined = namesIn(withoutGlobals(read(sheet)), /\.([a-zA-Z][\w-]*)(?=[^;{}]*\{)/g);
    const uses = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/import (\w+) from "(.+\.module\.css)"/g)]
        .filter(([, , file = ""]) => normalize(join(dirname(path), file)) === sheet)
        .map(([, local]) => ({
          names: namesIn(text, new RegExp(`\\b${local}\\.(\\w+)\\b(?!\\.css)`, "g")),
          isDynamic: text.includes(`${local}[`),
        })),
    );
    const used = new Set(uses.flatMap(({ names }) => [...names]));
    const unused = uses.some(({ isDynamic }) => isDynamic) ? [] : [...defined].filter((name) => !used.has(name));
    return [...unused, ...[...used].filter((name) => !defined.has(name))].map((name) => `${sheet} ${name}`);
  });
  expect(faults).toEqual([]);
});
