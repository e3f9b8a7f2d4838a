import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@lambda/testing/site";
import { expect, it } from "vitest";
import { BREAKS, pathOf } from "./breaks/break.ts";
import { ATTACKS } from "./ten-accounts.ts";

/** The goals in the table "Attackers and defenses". */
function listGoals(): string[] {
  const page = readFileSync(join(ROOT, "docs/SECURITY.md"), "utf8");
  const [, table = ""] = /\n## Attackers and defenses\n\n((?:\|.*\n)*)/.exec(page) ?? [];
  return table
    .split("\n")
    .slice(2, -1)
    .map((line) => line.split("|")[2]!.trim());
}

it("knows a break of the defense in each row of docs/SECURITY.md", () => {
  expect([...new Set(BREAKS.map(({ row }) => row))].sort()).toEqual([...new Set(listGoals())].sort());
});

it.each(BREAKS)("can break $row in $file", ({ file, find, test, name }) => {
  const source = readFileSync(join(ROOT, pathOf(file)), "utf8");
  expect(source.split(find)).toHaveLength(2);
  expect(readFileSync(join(ROOT, pathOf(test)), "utf8")).toContain(name);
  // The name as it runs, where a value has taken the placeholder's place.
  expect(name).not.toContain("%");
});

it.each(ATTACKS)("names existing attacks on %s", (_, test, names) => {
  const source = readFileSync(join(ROOT, pathOf(test)), "utf8");
  for (const name of names) expect(source).toContain(name);
});
