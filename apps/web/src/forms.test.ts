import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const SOURCES = globSync("**/*.{ts,tsx}", { cwd: import.meta.dirname })
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => ({ path, text: readFileSync(`${import.meta.dirname}/${path}`, "utf8") }));

it("compares no key with Enter except in isSubmitKey, because an input method's Enter confirms a word", () => {
  const compares = SOURCES.filter(({ text }) => /[!=]==? "Enter"|case "Enter"/.test(text));
  expect(compares.map(({ path }) => path)).toEqual(["components/submit-key.ts"]);
});

it("tells password managers what each field for an address, a password or a code is", () => {
  const fields = SOURCES.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /<(?:EmailField|PasswordField)\b[\s\S]*?\/>|<TextField\b(?:(?!\/>)[\s\S])*?type="password"[\s\S]*?\/>/g,
      ),
    ].map(([field]) => ({ path, field })),
  ).filter(({ path }) => !/components\/(Email|Password)Field/.test(path));
  expect(fields.length).toBeGreaterThan(5);
  expect(fields.filter(({ field }) => !field.includes("autoComplete=")).map(({ path }) => path)).toEqual([]);
});
