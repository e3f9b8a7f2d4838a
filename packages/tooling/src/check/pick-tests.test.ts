import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { ROOT } from "@lambda/testing/site";
import { describe, expect, it } from "vitest";
import { pickTests, type Tree } from "./pick-tests.ts";

const tree: Tree = {
  files: execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" })
    .split("\n")
    .filter((file) => existsSync(join(ROOT, file)) && file !== ""),
  read: (path) => readFileSync(join(ROOT, path), "utf8"),
};
const namedIn = (cell: string) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, end]) => {
    const [file, ...others] = tree.files.filter((path) => `/${path}`.endsWith(`/${end}`));
    if (file === undefined || others.length > 0) throw new Error(`${end} names ${file ? "several files" : "no file"}`);
    return file;
  });
const [, rows = ""] = tree.read("CONTRIBUTING.md").split("| you change | run |\n|---|---|\n");

describe("the tests that a change needs", () => {
  it.each(
    rows
      .split("\n\n")[0]!
      .split("\n")
      .map((row) => row.split(" | ") as [string, string]),
  )("are those of the guide, and those beside it: %s", (change, tests) => {
    const changed = namedIn(change);
    const picked = pickTests(changed, tree);
    const beside = tree.files.filter(
      (file) => /\.test\.tsx?$/.test(file) && changed.some((path) => dirname(path) === dirname(file)),
    );
    const missing = (names: readonly string[]) =>
      names.filter((file) => ![...picked.tests, ...picked.browser].includes(file));
    expect(missing(namedIn(tests))).toEqual([]);
    if (changed.every((path) => path.startsWith("apps/"))) expect(missing(beside)).toEqual([]);
    expect(picked.tests.length).toBeLessThan(20);
  });

  it("put the browser test that opens a screen most often first, and leave out what is deleted", () => {
    const { browser } = pickTests(["apps/web/src/features/profiles/edit/AboutFields.tsx"], tree);
    expect(browser[0]).toBe("apps/web/e2e/members-edit.test.ts");
    expect(pickTests(["apps/worker/src/gone.test.ts"], tree).tests).not.toContain("apps/worker/src/gone.test.ts");
  });
});
