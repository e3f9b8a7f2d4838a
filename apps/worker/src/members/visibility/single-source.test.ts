import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL("../../", import.meta.url).href);
/** The rule itself, the files that write and list blocks, and tests. */
const ALLOWED = /^members\/(visibility|blocks)\/|\.test\.ts$/;
/** Conditions on `block`, `listed_on` and the expiry of a presence row `p`, in SQL and in kysely, in any case. */
const RULE =
  /(from|join|into|update|table)\s+block\b|["']block(\s+as\b[^"']*)?["']|listed_on\W{0,4}\s*&|listed_on`\)\}\s*&|\bp\.ts_effective_until["'`,\s]*>/i;

it("keeps the visibility rule in one folder: no other file queries blocks, where a member is listed, or whether they are present", () => {
  const files = (readdirSync(SOURCE, { recursive: true }) as string[]).filter((file) => file.endsWith(".ts"));
  expect(files).toContain("members/visibility/visibility.ts");
  const matching = files.filter((file) => RULE.test(readFileSync(SOURCE + file, "utf8")));
  expect(matching).toContain("members/visibility/visibility.ts");
  expect(matching.filter((file) => !ALLOWED.test(file))).toEqual([]);
});
