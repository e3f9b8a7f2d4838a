import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

const ROOT = new URL("../../..", import.meta.url).pathname;
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const find = (pattern: string) => globSync(pattern, { cwd: ROOT, exclude: ["**/node_modules/**"] });

/** Classes of a style sheet whose text is cut off when it is too long. */
function cutOffClasses(sheet: string): string[] {
  const rules = [...read(sheet).matchAll(/([^{}]+)\{([^{}]*)\}/g)];
  return rules
    .filter(([, , body]) => /text-overflow: *ellipsis|line-clamp: *\d/.test(body ?? ""))
    .map(([, selector]) => selector?.trim().match(/\.(\w+)$/)?.[1] ?? `${selector?.trim()} is no class`);
}

/** Texts of ours. */
const EXCEPTIONS = ["packages/ui/src/select.module.css select"];

it("gives text that may be cut off its own direction, or a Hebrew name would lose its beginning", () => {
  const components = find("{apps/web,packages/ui}/src/**/*.tsx").map((path) => ({ path, text: read(path) }));
  const without = find("{apps/web,packages/ui}/src/**/*.module.css").flatMap((sheet) =>
    cutOffClasses(sheet)
      .filter((name) => !EXCEPTIONS.includes(`${sheet} ${name}`))
      .filter((name) => {
        const tags = components
          .filter(({ path, text }) => {
            const imported = text.match(/import css from "(.+)"/)?.[1];
            return imported && normalize(join(dirname(path), imported)) === sheet;
          })
          .flatMap(({ text }) => [...text.matchAll(new RegExp(`<\\w+[^<]*?css\\.${name}\\b[^<]*?>`, "g"))]);
        return tags.length === 0 || tags.some(([tag]) => !tag.includes("dir="));
      })
      .map((name) => `${sheet} ${name}`),
  );
  const truncated = components.flatMap(({ path, text }) =>
    [...text.matchAll(/<\w+[^<]*?["` ]truncate\b[^<]*?>/g)].map(([tag]) => ({ path, tag })),
  );
  expect(truncated.length).toBeGreaterThan(0);
  expect([...without, ...truncated.filter(({ tag }) => !tag.includes("dir=")).map(({ path }) => path)]).toEqual([]);
});
