import { IS_NIGHTLY, TAGS } from "@lambda/testing/nightly";
import { defineConfig } from "vitest/config";
import { MESSAGE_TESTS } from "./message-tests.ts";

// All files of a process share one worker: starting one costs more than most files do (packages/testing/src/worker.ts).
export default defineConfig({
  test: {
    name: "worker",
    tags: TAGS,
    include: ["src/**/*.test.ts"],
    exclude: IS_NIGHTLY ? [] : MESSAGE_TESTS,
    setupFiles: ["../../packages/testing/src/no-console.ts"],
    pool: "forks",
    // Fewer major garbage collections: 3 % of the processor time.
    execArgv: ["--initial-old-space-size=512"],
    isolate: false,
    maxWorkers: 4,
    // The local mail binding prints every mail, so output is shown only for failed tests.
    silent: "passed-only",
    // A generous limit for two busy cores; a poll ends as soon as it passes.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 240_000,
  },
});
