import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { textNames } from "@lambda/contract/profile-texts";
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

const FILES = globSync(["{apps,packages,docs}/**/*.{ts,tsx,mjs,md,css,sql}", "*.{md,sql}", "migrations/*.sql"], {
  cwd: ROOT,
  exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path),
});
/** The paths of all files and all their ends, as `likes/router.ts`. */
const ENDS = new Set(FILES.flatMap((file) => file.split("/").map((_, at, parts) => parts.slice(at).join("/"))));

it("files named in documents exist, by their whole path or its end", () => {
  const named = DOCUMENTS.flatMap((document) =>
    [...readFileSync(join(ROOT, document), "utf8").matchAll(/`([\w./-]+\.(?:tsx?|mjs|md|css|sql))`/g)].map(
      ([, name]) => ({
        document,
        name: name!,
      }),
    ),
  );
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter(({ name }) => !ENDS.has(name) && name !== "use-x.ts")).toEqual([]);
});

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const NAMED_FILE = /(?<![\w./:*-])[\w-]+(?:[./][\w-]+)*\.(?:tsx?|mjs|md)\b/g;

it("files named in comments exist, by their whole path or its end", () => {
  const named = FILES.filter((file) => /(?<!\.test)\.(?:tsx?|mjs)$/.test(file)).flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(COMMENT)]
      .flatMap(([comment]) => comment.match(NAMED_FILE) ?? [])
      .map((name) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !ENDS.has(name))).toEqual([]);
});

it("docs/PRIVACY.md names each cookie, and the terms count them", () => {
  const sources = globSync("{apps/worker,packages/contract}/src/**/*.ts", { cwd: ROOT }).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  const names = sources.flatMap((file) => [
    ...readFileSync(join(ROOT, file), "utf8").matchAll(/_COOKIE = "(__Host-[a-z]+|[a-z_]+)"/g),
  ]);
  const cookies = [...new Set(names.map(([, name]) => name!))];
  expect(cookies).toContain("__Host-session");
  const privacy = readFileSync(join(ROOT, "docs/PRIVACY.md"), "utf8");
  expect(cookies.filter((name) => !privacy.includes(`\`${name}\``))).toEqual([]);
  const terms = readFileSync(join(ROOT, "apps/web/src/features/pages/terms/terms-en.ts"), "utf8");
  expect([cookies.length, terms.includes("Eight cookies")]).toEqual([8, true]);
});

it("the record of processing names each text of a profile", () => {
  const record = readFileSync(join(ROOT, "docs/law/record-of-processing.md"), "utf8");
  const row = record.split("\n").find((line) => line.startsWith("| 3 |"));
  expect(Object.values(textNames("en")).filter((name) => !row?.includes(name))).toEqual([]);
});

it("each deviation from the specification names a text of a test or of the code that shows it", () => {
  const page = readFileSync(join(ROOT, "docs/decisions/2026-11-22-deviations-from-the-specification.md"), "utf8");
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1);
  expect(rows.length).toBeGreaterThan(20);
  const unshown = rows.filter((row) => {
    const [, file, text] = /`([^`]+)`: `([^`]+)` \|$/.exec(row) ?? [];
    return (
      !file ||
      !existsSync(join(ROOT, file)) ||
      !readFileSync(join(ROOT, file), "utf8").includes(text!.replaceAll("\\|", "|"))
    );
  });
  expect(unshown).toEqual([]);
});
