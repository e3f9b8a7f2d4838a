import { writeFileSync } from "node:fs";
import type { Reporter } from "vitest/node";

/** Names the environment variable with the path of the file that this reporter writes. */
export const UNHANDLED_ERRORS_FILE = "UNHANDLED_ERRORS_FILE";

/** Writes the number of a run's errors outside of its tests, which vitest's JSON report leaves out. */
export default class UnhandledErrorsReporter implements Reporter {
  onTestRunEnd(_modules: unknown, unhandledErrors: readonly unknown[]): void {
    const file = process.env[UNHANDLED_ERRORS_FILE];
    if (file && unhandledErrors.length > 0) writeFileSync(file, String(unhandledErrors.length));
  }
}
