import { defineConfig } from "vitest/config";

// One site and one browser for all files (packages/testing/src/browser.ts); members of their own keep tests apart.
export default defineConfig({
  test: {
    include: ["e2e/*.test.ts"],
    isolate: false,
    fileParallelism: false,
    // docs/decisions/2026-11-20-one-second-try-in-ci.md
    retry: process.env.CI ? 1 : 0,
    // A machine with two busy cores takes its time; what comes earlier is seen earlier.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
