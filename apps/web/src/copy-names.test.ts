/** A right-to-left name turns the sentence around it: this walk over the texts finds the names that are not isolated. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** What somebody typed, by the parameter's name. What is ours has another: `provider`, `brand`, `legalName`. */
const TYPED = /\b(names?|(?!legal)\w+Name|tag|word)\b/;

function findBareNames(source: string): string[] {
  const inserted = source.match(/\$\{[^{}]*\}/g) ?? [];
  return inserted.filter((text) => TYPED.test(text.replaceAll(/\b(isolate|copy\.\w+)\(\w+\)/g, "")));
}

it("isolates every name in our own sentences", () => {
  const apps = new URL("../..", import.meta.url).pathname;
  const sources = globSync("{web,worker}/src/**/*.{ts,tsx}", { cwd: apps })
    .filter((file) => !file.includes(".test."))
    .map((file) => ({ file, source: readFileSync(apps + file, "utf8") }))
    .filter(({ source }) => source.includes("defineCopy("));
  expect(sources.length).toBeGreaterThan(80);
  expect(sources.flatMap(({ file, source }) => findBareNames(source).map((text) => `${file} ${text}`))).toEqual([]);
});

const textWith = (code: string) => `\`Tag \${${code}}\``;

it.each(["name", 'name || "him"', "isolate(name) + otherName"])("finds the name in %s", (code) =>
  expect(findBareNames(textWith(code))).toHaveLength(1),
);

it.each(["isolate(name)", "legalName", "brand"])("allows %s", (code) =>
  expect(findBareNames(textWith(code))).toEqual([]),
);
