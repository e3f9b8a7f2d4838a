import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const PACKAGES = fileURLToPath(import.meta.resolve("../.."));

/** An import by a relative path into an application. */
const APP_PATH_IMPORT = /\b(?:from|import)\s*\(?\s*"(?:\.\.\/)+apps\//;

const isSource = (name: string) => /\.(?:ts|tsx|mjs)$/.test(name) && !name.includes("node_modules");

it("packages import applications only through their exports, never by path", () => {
  const files = readdirSync(PACKAGES, { recursive: true, encoding: "utf8" }).filter(isSource);
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => APP_PATH_IMPORT.test(readFileSync(join(PACKAGES, file), "utf8")))).toEqual([]);
  expect(
    APP_PATH_IMPORT.test(`import { nextState } from "${"../".repeat(3)}apps/worker/src/places/positions/rules.ts"`),
  ).toBe(true);
});

it("the geo package imports nothing but its own files", () => {
  const folder = join(PACKAGES, "geo/src");
  const imports = readdirSync(folder)
    .filter((name) => isSource(name) && !name.includes(".test."))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/ from "([^"]+)"/g)].map(([, from]) => from!),
    );
  expect(imports.filter((from) => !from.startsWith("./"))).toEqual([]);
});

it("only the operator's commands and the stand-in of the platform import its SDK", () => {
  const root = join(PACKAGES, "..");
  const files = [PACKAGES, join(root, "apps")].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => isSource(name) && !/(^|\/)(dist|\.wrangler)\//.test(name))
      .map((name) => join(folder, name)),
  );
  const importing = files
    .filter((file) => /\bfrom "cloudflare(\/|")/.test(readFileSync(file, "utf8")))
    .map((file) => file.slice(root.length).split("/").slice(1, 4).join("/"));
  expect([...new Set(importing)].toSorted()).toEqual(["packages/testing/src", "packages/tooling/src"]);
});
