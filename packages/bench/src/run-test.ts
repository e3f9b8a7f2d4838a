/** Runs tests of the repository, or of a copy of it. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyRepository, type RepositoryCopy } from "@lambda/testing/repository-copy";

/** No named test takes this long; a hanging one is unclear. */
const TEST_MS_MAX = 300_000;

/** `unclear`: no test ran, as when the code does not compile or the machine was too busy to start the worker. */
export type Outcome = "passes" | "fails" | "unclear";

/** Copies the repository, with what tests that drive no browser need: a page, and git. */
export function copyForTests(): RepositoryCopy {
  const copy = copyRepository();
  const folder = join(copy.root, "apps/web/dist");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.html"), "<!doctype html><html><head><title></title></head><body></body></html>");
  execFileSync("git", ["init", "-q"], { cwd: copy.root });
  return copy;
}

/** Runs vitest over the repository until the first test fails. Returns its exit code, null if it took too long. */
export async function runVitest(root: string, args: readonly string[], timeout: number): Promise<number | null> {
  const all = ["run", "--config", "packages/testing/all-tests.config.ts", "--bail", "1", ...args];
  const child = spawn(join(root, "node_modules/.bin/vitest"), all, { cwd: root, stdio: "ignore", timeout });
  const [status] = (await once(child, "exit")) as [number | null];
  return status;
}

/** Runs the tests of a file whose names contain a text, or one of several that `|` separates. */
export async function runTest(root: string, test: string, name: string): Promise<Outcome> {
  if (test.startsWith("apps/web/e2e/")) execFileSync("npm", ["run", "build", "-w", "apps/web"], { cwd: root });
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  const report = join(folder, "report.json");
  await runVitest(root, [test, "-t", name, "--reporter", "json", "--outputFile", report], TEST_MS_MAX);
  const text = existsSync(report) ? readFileSync(report, "utf8") : "{}";
  rmSync(folder, { recursive: true });
  const { numFailedTests, numPassedTests } = JSON.parse(text) as Record<string, number>;
  if (numFailedTests) return "fails";
  return numPassedTests ? "passes" : "unclear";
}
