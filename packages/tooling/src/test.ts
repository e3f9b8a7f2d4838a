import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { findChromium, findMissingEngines } from "@lambda/testing/browser";
import { BUILT_WORKER } from "@lambda/testing/harness";
import { ROOT } from "@lambda/testing/site";
import { UNIT_PACKAGES } from "@lambda/testing/unit-projects";
import { BUILD_WEB } from "./build-web.ts";
import { writeSchemaTypes } from "./schema-types.ts";
import { UNHANDLED_ERRORS_FILE } from "./unhandled-errors-reporter.ts";

/**
 * `npm test`: format, lint, types, unit and worker tests, browser tests. Ends with the total counts; a failed check counts as a failed
 * test. `npm test -- worker` runs only the named parts. `--all` adds what takes minutes: tests tagged as slow, the
 * proofs (short slices of the benches), the walks in Chromium, Firefox and WebKitGTK, and the operator's first day, commands and upgrades.
 * `--slow` runs the browser tests with answers that come up to 4 s late and out of order, on a processor slowed eight times. For CI alone: with `--rerun` a browser test file that
 * failed, or any file during which Node itself crashed, runs once more by itself, and is reported as flaky if it then passes; and
 * with `--minutes=N` what `--all` adds begins only while it would end within N minutes on a machine as slow as the usual tests found it,
 * and is otherwise named as not run.
 */
const PARTS = ["check", "unit", "worker", "browser", "proofs", "engines", "operation"] as const;
const PROJECTS = {
  unit: [...UNIT_PACKAGES, "web"],
  worker: ["worker", "databases"],
  proofs: ["proofs"],
  browser: ["browser"],
  engines: ["engines"],
} as const;
const named = PARTS.filter((part) => process.argv.slice(2).includes(part));
const runsAll = process.argv.includes("--all");
const byDefault = PARTS.filter((part) => runsAll || !["proofs", "engines", "operation"].includes(part));
const isSlow = process.argv.includes("--slow");
const wanted = named.length > 0 ? named : isSlow ? PARTS.filter((part) => part === "browser") : byDefault;
const missingEngines = wanted.includes("engines") ? findMissingEngines() : [];
const includes = (part: (typeof PARTS)[number]) =>
  wanted.includes(part) && (part !== "engines" || missingEngines.length === 0);

const reports = mkdtempSync(join(tmpdir(), "test-reports-"));
const total = { passed: 0, failed: 0, skipped: 0 };
const reruns = process.argv.includes("--rerun");
const flakyFiles: string[] = [];
const notRun: string[] = [];
const minutesMax = Number(/--minutes=(\d+)/.exec(process.argv.join(" "))?.[1] ?? Number.POSITIVE_INFINITY);
const began = Date.now();

if ((includes("browser") || includes("engines")) && !findChromium()) {
  console.error("No Chromium found: install Chromium or Google Chrome, or set CHROMIUM_PATH to one.");
  process.exit(1);
}
// Made again, because an update may have changed schema.sql without new packages.
writeSchemaTypes();
// What tests do not need runs alongside them, because the first tests mostly wait.
const checks = includes("check")
  ? [
      check("format and lint", "biome", ["ci", "--error-on-warnings", "."]),
      // The second needs the generated types of the first.
      check("types", "turbo", ["run", "types", "typecheck", "--output-logs=errors-only"]).then(() =>
        check("promises", "oxlint", ["--type-aware", "--deny-warnings"]),
      ),
      check("dead code", "knip", ["--config", ".knip.json"]),
    ]
  : [];
await Promise.all([
  ...(includes("browser") || includes("engines") ? [check("build", "turbo", BUILD_WEB)] : []),
  check("worker's bundle", "node", ["packages/testing/src/build-worker.ts", reports]),
]);
const usual = (["unit", "worker", "browser"] as const)
  .filter(includes)
  .flatMap((part): readonly string[] => PROJECTS[part]);
const usualBegan = Date.now();
if (usual.length > 0) await runTests(usual, { tags: "!slow", env: isSlow ? { SLOW: "1" } : {} });
const usualMs = Date.now() - usualBegan;
if (runsAll && usual.length > 0 && hasTimeFor("slow", 0.7)) await runTests(usual, { tags: "slow" });
if (includes("operation") && hasTimeFor("operation", 0.7))
  await runTests(["tooling"], { files: [".operation."], env: { OPERATION: "1" } });
if (includes("proofs") && hasTimeFor("proofs", 0.3)) await runTests(PROJECTS.proofs);
if (includes("engines") && hasTimeFor("engines", 0.7)) await runTests(PROJECTS.engines);
await Promise.all(checks);

rmSync(reports, { recursive: true, force: true });
console.log(`\nFinished in ${Math.round((Date.now() - began) / 1000)} s.`);
if (missingEngines.length > 0) console.log(`NOT RUN engines: this machine lacks ${missingEngines.join(", ")}`);
for (const part of notRun) console.log(`NOT RUN ${part}: too little time was left`);
for (const file of flakyFiles) console.log(`FLAKY ${file}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 ? 1 : 0);

/** @param share how long the part takes, compared with the usual tests */
function hasTimeFor(part: string, share: number): boolean {
  const isTime = Date.now() - began + share * usualMs < minutesMax * 60_000;
  if (!isTime) notRun.push(part);
  return isTime;
}

/** Runs a check and prints its output if it fails. A failed check counts as a failed test. */
async function check(name: string, command: string, args: readonly string[]): Promise<void> {
  const started = Date.now();
  const error = await promisify(execFile)(`${ROOT}node_modules/.bin/${command}`, args, {
    cwd: ROOT,
    maxBuffer: 2 ** 28,
  })
    .then(() => undefined)
    .catch((failure: Error & { stdout?: string; stderr?: string }) => failure);
  console.log(`\n== ${name}: ${error ? "FAILED" : "passed"} after ${((Date.now() - started) / 1000).toFixed(1)} s`);
  if (error) console.error(error.stdout, error.stderr ?? error.message);
  total[error ? "failed" : "passed"] += 1;
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string }[];
}

interface TestSelection {
  readonly files?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly tags?: string;
}

/** Runs the tests of the named vitest projects, in one run that keeps every core busy. */
async function runTests(names: readonly string[], { files = [], env = {}, tags }: TestSelection = {}): Promise<void> {
  console.log(`\n== tests ${tags ?? ""} ${files.join(" ")}`);
  const projects = [...names.flatMap((name) => ["--project", name]), ...(tags ? [`--tags-filter=${tags}`] : [])];
  const { status, report, unhandledErrors } = await runVitest([...projects, ...files], env);
  if (!report) {
    total.failed += 1;
    return;
  }
  total.passed += report.numPassedTests;
  total.skipped += countTests(
    report.testResults.flatMap(({ assertionResults }) => assertionResults),
    "skipped",
  );
  const failedFiles = report.testResults.filter((file) => file.status === "failed");
  const recovered = reruns ? await rerunFiles(failedFiles, (name) => runVitest([...projects, name], env)) : [];
  const tests = recovered.flatMap(({ assertionResults }) => assertionResults);
  total.passed += countTests(tests, "failed") + countTests(tests, "pending");
  // A run can fail without a failed test: a file that does not load, an unhandled error.
  const isClean =
    status === 0 ||
    (recovered.length > 0 &&
      recovered.length === failedFiles.length &&
      recovered.filter(hasCrashed).length === unhandledErrors);
  total.failed += isClean ? 0 : Math.max(1, report.numFailedTests - countTests(tests, "failed"));
}

/** Runs each failed browser test file, and each during which Node crashed, once more by itself. Returns those that then passed. */
async function rerunFiles(
  failedFiles: readonly FileReport[],
  runFile: (name: string) => Promise<{ readonly status: unknown }>,
): Promise<readonly FileReport[]> {
  const recovered: FileReport[] = [];
  for (const file of failedFiles) {
    if (!/\/apps\/web\/(e2e|engines)\//.test(file.name) && !hasCrashed(file)) continue;
    console.log(`\n== again, by itself: ${relative(ROOT, file.name)}`);
    if ((await runFile(file.name)).status !== 0) continue;
    flakyFiles.push(relative(ROOT, file.name));
    recovered.push(file);
  }
  return recovered;
}

/** Tells whether the process ended in the middle of the file: no test failed, and some neither passed nor were skipped. */
function hasCrashed({ assertionResults }: FileReport): boolean {
  return countTests(assertionResults, "failed") === 0 && countTests(assertionResults, "pending") > 0;
}

function countTests(tests: FileReport["assertionResults"], status: string): number {
  return tests.filter((test) => test.status === status).length;
}

async function runVitest(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const outputFile = join(reports, "vitest.json");
  const errorsFile = join(reports, "unhandled-errors");
  for (const file of [outputFile, errorsFile]) rmSync(file, { force: true });
  const [status] = await once(
    spawn(
      `${ROOT}node_modules/.bin/vitest`,
      [
        "run",
        ...["--config", "packages/testing/all-tests.config.ts"],
        ...["--reporter=default", "--reporter=json", `--outputFile.json=${outputFile}`],
        `--reporter=${ROOT}packages/tooling/src/unhandled-errors-reporter.ts`,
        ...args,
      ],
      {
        cwd: ROOT,
        stdio: "inherit",
        env: {
          ...process.env,
          ...env,
          [BUILT_WORKER]: join(reports, "bundle"),
          [UNHANDLED_ERRORS_FILE]: errorsFile,
        },
      },
    ),
    "exit",
  );
  const report = existsSync(outputFile) ? (JSON.parse(readFileSync(outputFile, "utf8")) as Report) : undefined;
  const unhandledErrors = existsSync(errorsFile) ? Number(readFileSync(errorsFile, "utf8")) : 0;
  return { status, report, unhandledErrors };
}
