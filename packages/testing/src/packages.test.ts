import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const PACKAGES = fileURLToPath(import.meta.resolve("../.."));

/** A module that is named by a path which leads into an application. */
const BY_PATH = /\b(?:from|import)\s*\(?\s*"(?:\.\.\/)+apps\//;

const isSource = (name: string) => /\.(?:ts|tsx|mjs)$/.test(name) && !name.includes("node_modules");

it("no package reaches into an application by a path: what it may use is named in the application's exports", () => {
  const files = readdirSync(PACKAGES, { recursive: true, encoding: "utf8" }).filter(isSource);
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => BY_PATH.test(readFileSync(join(PACKAGES, file), "utf8")))).toEqual([]);
  expect(BY_PATH.test(`import { nextState } from "${"../".repeat(3)}apps/worker/src/places/positions/rules.ts"`)).toBe(
    true,
  );
});

it("geometry knows nothing of the product: no other package, no schema library", () => {
  const folder = join(PACKAGES, "geo/src");
  const imports = readdirSync(folder)
    .filter((name) => isSource(name) && !name.includes(".test."))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/ from "([^"]+)"/g)].map(([, from]) => from!),
    );
  expect(imports.filter((from) => !from.startsWith("./"))).toEqual([]);
});
