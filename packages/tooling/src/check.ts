import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@lambda/testing/site";
import { pickTests } from "./check/pick-tests.ts";
import { writeSchemaTypes } from "./schema-types.ts";

/**
 * `npm run check`: lint, types and tests through turbo. With `--changed`, the lint and types of everything, and of the tests those that the
 * files need which differ from `main`, or from `--changed=COMMIT`. Ends with what was not run.
 */
const flag = process.argv.find((argument) => /^--changed(=|$)/.test(argument));
const run = (command: string, ...args: readonly string[]) => {
  const { status } = spawnSync(join(ROOT, "node_modules/.bin", command), args, { cwd: ROOT, stdio: "inherit" });
  return status === 0;
};
const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 })
    .split("\n")
    .filter((line) => line !== "");
const exists = (name: string) => spawnSync("git", ["rev-parse", "-q", "--verify", name], { cwd: ROOT }).status === 0;

if (flag === undefined) process.exit(run("turbo", "run", "lint", "types", "typecheck", "test") ? 0 : 1);

const base = flag.split("=")[1] ?? ["origin/main", "main"].find(exists) ?? "HEAD";
const [start = base] = git("merge-base", base, "HEAD");
const untracked = git("ls-files", "--others", "--exclude-standard");
const changed = [...new Set([...git("diff", "--name-only", start), ...untracked])];
const files = [...new Set([...git("ls-files"), ...untracked])].filter((file) => existsSync(join(ROOT, file)));
const { tests, browser } = pickTests(changed, { files, read: (path) => readFileSync(join(ROOT, path), "utf8") });
const rest = files.filter((file) => /\.test\.tsx?$/.test(file)).length - tests.length;

writeSchemaTypes();
console.log(
  `\n${changed.length} files differ from ${base}. Their tests:\n${tests.map((test) => `  ${test}\n`).join("")}`,
);
const checks: readonly (readonly [string, () => boolean])[] = [
  ["format and lint", () => run("biome", "ci", "--error-on-warnings", ".")],
  ["types", () => run("turbo", "run", "types", "typecheck", "--output-logs=errors-only")],
  ["promises", () => run("oxlint", "--type-aware", "--deny-warnings")],
  ["tests", () => tests.length === 0 || runTests()],
];
const failed = checks.filter(([, passes]) => !passes()).map(([name]) => name);

console.log(`\nNOT RUN: ${rest} other test files, dead code; npm test runs them`);
if (browser.length > 0) {
  const names = browser.map((file) => file.replace("apps/web/", "")).join(" ");
  console.log(`NOT RUN: ${browser.length} browser tests of what changed. In apps/web, npx vite build, then`);
  console.log(`  npx vitest run --config vitest.browser.config.ts ${names}`);
}
console.log(failed.length > 0 ? `FAILED: ${failed.join(", ")}` : "Passed.");
process.exit(failed.length > 0 ? 1 : 0);

function runTests(): boolean {
  const config = ["--config", "packages/testing/all-tests.config.ts", "--tags-filter=!slow"];
  return run("vitest", "run", ...config, ...tests);
}
