import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@lambda/testing/site";
import { expect, it } from "vitest";
import { unusedPatterns } from "./mutation.ts";

it("finds every guard pattern in the worker, so that none is silently skipped", () => {
  const files = globSync("apps/worker/src/**/*.ts", { cwd: ROOT }).filter((file) => !file.endsWith(".test.ts"));
  expect(unusedPatterns(files.map((file) => readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
  expect(unusedPatterns([""])).not.toEqual([]);
});
