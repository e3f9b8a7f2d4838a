import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(import.meta.resolve("../../../"));
const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

it("links in documents lead to existing files", () => {
  const broken = DOCUMENTS.flatMap((document) =>
    [...readFileSync(join(ROOT, document), "utf8").matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
      .filter(([, link]) => !existsSync(join(ROOT, dirname(document), link!)))
      .map(([, link]) => `${document}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it("the table of laws names existing source files and tests", () => {
  const text = readFileSync(join(ROOT, "docs/COMPLIANCE.md"), "utf8");
  const files = [...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(20);
  expect(
    files.filter((file) => !existsSync(join(ROOT, file)) && !existsSync(join(ROOT, "apps/worker/src", file))),
  ).toEqual([]);
});

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const NAMED_FILE = /(?<![\w./:*-])[\w-]+(?:[./][\w-]+)*\.(?:tsx?|mjs|md)\b/g;

it("files named in comments exist, by their whole path or its end", () => {
  const files = globSync(["{apps,packages,docs}/**/*.{ts,tsx,mjs,md}", "*.md"], {
    cwd: ROOT,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path),
  });
  const ends = new Set(files.flatMap((file) => file.split("/").map((_, at, parts) => parts.slice(at).join("/"))));
  const named = files
    .filter((file) => /(?<!\.test)\.(?:tsx?|mjs)$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(COMMENT)]
        .flatMap(([comment]) => comment.match(NAMED_FILE) ?? [])
        .map((name) => ({ file, name })),
    );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !ends.has(name))).toEqual([]);
});
