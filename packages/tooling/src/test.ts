import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "@lambda/testing/browser";
import { BUILT_WORKER } from "@lambda/testing/harness";
import { ROOT } from "@lambda/testing/site";
import { UNIT_PACKAGES } from "@lambda/testing/unit-projects";
import { BUILD_WEB } from "./build-web.ts";

/**
 * `npm test`: format, lint, types, unit and worker tests, browser tests. Ends with the sum of the test runners' counts; a
 * failed check counts as a failed test. `npm test -- worker` runs only the parts named: check, unit, worker, proofs, browser.
 */
const PARTS = ["check", "unit", "worker", "proofs", "browser"] as const;
const PROJECTS = {
  unit: [...UNIT_PACKAGES, "web"],
  worker: ["worker", "databases"],
  proofs: ["proofs"],
  browser: ["browser"],
} as const;
const wanted = process.argv.slice(2).filter((part) => (PARTS as readonly string[]).includes(part));
const includes = (part: (typeof PARTS)[number]) => wanted.length === 0 || wanted.includes(part);

const reports = mkdtempSync(join(tmpdir(), "test-reports-"));
const total = { passed: 0, failed: 0, skipped: 0 };
const began = Date.now();

if (includes("browser") && !findChromium()) {
  console.error("No Chromium found: install Chromium or Google Chrome, or set CHROMIUM_PATH to one.");
  process.exit(1);
}
// Side by side: none of them keeps two cores busy alone.
await Promise.all([
  ...(includes("check")
    ? [
        check("format and lint", "biome", ["ci", "--error-on-warnings", "."]),
        check("types", "turbo", ["run", "types", "typecheck", "--output-logs=errors-only"]),
        check("dead code", "knip", ["--config", ".knip.json"]),
      ]
    : []),
  ...(includes("browser") ? [check("build", "turbo", BUILD_WEB)] : []),
  check("worker's bundle", "node", ["packages/testing/src/build-worker.ts", reports]),
]);
const projects = (["unit", "worker", "proofs", "browser"] as const)
  .filter(includes)
  .flatMap((part): readonly string[] => PROJECTS[part]);
if (wanted.length === 0) vitest();
else if (projects.length > 0) vitest(projects);

rmSync(reports, { recursive: true, force: true });
console.log(`\nFinished in ${Math.round((Date.now() - began) / 1000)} s.`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 ? 1 : 0);

/** Runs one check and prints what it said when it ends; a failed one counts as a failed test. */
async function check(name: string, command: string, args: readonly string[]): Promise<void> {
  const started = Date.now();
  let output = "";
  const child = spawn(`${ROOT}node_modules/.bin/${command}`, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const status = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", resolve);
  });
  console.log(
    `\n== ${name}: ${status === 0 ? "passed" : "FAILED"} after ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  if (status !== 0) console.error(output);
  if (status === 0) total.passed += 1;
  else total.failed += 1;
}

/** All tests in one run, so that two files are at work at any time; those of the projects named, or of all there are. */
function vitest(names: readonly string[] = []): void {
  console.log("\n== tests");
  const outputFile = join(reports, "vitest.json");
  const { status } = spawnSync(
    `${ROOT}node_modules/.bin/vitest`,
    [
      ...["run", "--config", "packages/testing/all-tests.config.ts", "--reporter=default", "--reporter=json"],
      ...[`--outputFile.json=${outputFile}`, ...names.flatMap((name) => ["--project", name])],
    ],
    { cwd: ROOT, stdio: "inherit", env: { ...process.env, [BUILT_WORKER]: join(reports, "bundle") } },
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
