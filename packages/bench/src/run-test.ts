/** Runs single tests of the repository, or of a copy of it. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** No named test takes this long; a hanging one is unclear. */
const TEST_MS_MAX = 300_000;

/** `unclear`: no test ran, as when the code does not compile or the machine was too busy to start the worker. */
export type Outcome = "passes" | "fails" | "unclear";

/** Runs the tests of a file whose names contain a text, or one of several that `|` separates. */
export async function runTest(root: string, test: string, name: string): Promise<Outcome> {
  if (test.startsWith("apps/web/e2e/")) execFileSync("npm", ["run", "build", "-w", "apps/web"], { cwd: root });
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  const report = join(folder, "report.json");
  const all = ["run", "--config", "packages/testing/all-tests.config.ts", "--bail", "1", test, "-t", name];
  const child = spawn(join(root, "node_modules/.bin/vitest"), [...all, "--reporter", "json", "--outputFile", report], {
    cwd: root,
    stdio: "ignore",
    timeout: TEST_MS_MAX,
  });
  await once(child, "exit");
  const text = existsSync(report) ? readFileSync(report, "utf8") : "{}";
  rmSync(folder, { recursive: true });
  const { numFailedTests, numPassedTests } = JSON.parse(text) as Record<string, number>;
  if (numFailedTests) return "fails";
  return numPassedTests ? "passes" : "unclear";
}
