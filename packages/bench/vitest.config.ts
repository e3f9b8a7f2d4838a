import { LEFT_OUT } from "@lambda/testing/nightly";
import { defineConfig } from "vitest/config";

// Proofs of what nobody may tell apart or lose, longer at night, and tests of the benches.
export default defineConfig({
  test: {
    name: "proofs",
    include: ["src/**/*.test.ts"],
    exclude: LEFT_OUT,
    setupFiles: ["../../packages/testing/src/no-console.ts"],
    pool: "forks",
    // Fewer major garbage collections: 3 % of the processor time.
    execArgv: ["--initial-old-space-size=512"],
    maxWorkers: 4,
    isolate: false,
    // A generous limit for two busy cores; a poll ends as soon as it passes.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 240_000,
  },
});
