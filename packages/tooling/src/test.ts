import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "@lambda/testing/browser";
import { ROOT } from "@lambda/testing/site";
import { buildWeb } from "./build-web.ts";

/**
 * `npm test`: format, lint, types, unit and worker tests, browser tests. Ends with the sum of the test runners' counts; a
 * failed check counts as a failed test. `npm test -- worker` runs only the parts named: check, unit, worker, proofs, browser.
 */
const PARTS = ["check", "unit", "worker", "proofs", "browser"] as const;
const UNIT_PROJECTS = ["brands", "contract", "testing", "tooling", "ui", "web"];
const wanted = process.argv.slice(2).filter((part) => (PARTS as readonly string[]).includes(part));
const includes = (part: (typeof PARTS)[number]) => wanted.length === 0 || wanted.includes(part);

const reports = mkdtempSync(join(tmpdir(), "test-reports-"));
const total = { passed: 0, failed: 0, skipped: 0 };
const began = Date.now();

if (includes("browser") && !findChromium()) {
  console.error("No Chromium found: install Chromium or Google Chrome, or set CHROMIUM_PATH to one.");
  process.exit(1);
}
if (includes("check")) {
  check("format and lint", "biome", ["ci", "--error-on-warnings", "."]);
  check("types", "turbo", ["run", "typecheck", "--output-logs=errors-only"]);
  check("dead code", "knip", []);
}
const projects = [
  ...(includes("unit") ? UNIT_PROJECTS : []),
  ...(["worker", "proofs", "browser"] as const).filter(includes),
];
if (includes("browser")) check("build", "web", []);
if (projects.length > 0) vitest(projects);

rmSync(reports, { recursive: true, force: true });
console.log(`\nFinished in ${Math.round((Date.now() - began) / 1000)} s.`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 ? 1 : 0);

function check(name: string, command: string, args: readonly string[]): void {
  const started = Date.now();
  console.log(`\n== ${name}`);
  try {
    if (name === "build") buildWeb();
    else {
      const { status } = spawnSync(`${ROOT}node_modules/.bin/${command}`, args, { cwd: ROOT, stdio: "inherit" });
      if (status !== 0) throw new Error(`${name} failed`);
    }
    total.passed += 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    total.failed += 1;
  }
  console.log(`   ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** All tests in one run, so that two files are at work at any time. */
function vitest(names: readonly string[]): void {
  console.log("\n== tests");
  const outputFile = join(reports, "vitest.json");
  const { status } = spawnSync(
    `${ROOT}node_modules/.bin/vitest`,
    [
      ...["run", "--config", "packages/testing/all-tests.config.ts", "--reporter=default", "--reporter=json"],
      ...[`--outputFile.json=${outputFile}`, ...names.flatMap((name) => ["--project", name])],
    ],
    { cwd: ROOT, stdio: "inherit" },
  );
  if (!existsSync(outputFile)) {
    total.failed += 1;
    return;
  }
  const report = JSON.parse(readFileSync(outputFile, "utf8")) as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
  };
  total.passed += report.numPassedTests;
  total.skipped += report.numPendingTests;
  // A run can fail without a failed test: a file that does not load, an unhandled error.
  total.failed += status === 0 ? 0 : Math.max(1, report.numFailedTests);
}
