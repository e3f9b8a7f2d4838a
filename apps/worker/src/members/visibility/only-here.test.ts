import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL("../../", import.meta.url).href);
/** The rule itself, what writes and lists one's own blocks, and tests. */
const MAY = /^members\/(visibility|blocks)\/|\.test\.ts$/;
/** SQL and kysely alike, in whatever case. */
const SPELLED =
  /(from|join|into|update|table)\s+block\b|["']block(\s+as\b[^"']*)?["']|listed_on\W{0,4}\s*&|listed_on`\)\}\s*&/i;

it("stands in one folder who may see whom: no other file asks for blocks or for where a member is listed", () => {
  const files = (readdirSync(SOURCE, { recursive: true }) as string[]).filter((file) => file.endsWith(".ts"));
  expect(files).toContain("members/visibility/visibility.ts");
  const spelling = files.filter((file) => SPELLED.test(readFileSync(SOURCE + file, "utf8")));
  expect(spelling).toContain("members/visibility/visibility.ts");
  expect(spelling.filter((file) => !MAY.test(file))).toEqual([]);
});
