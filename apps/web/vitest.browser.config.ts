import { defineConfig } from "vitest/config";

// The built application in a real Chromium; each file has a site of its own (packages/testing/src/browser.ts).
export default defineConfig({
  test: {
    name: "browser",
    include: ["e2e/*.test.ts"],
    setupFiles: ["../../packages/testing/src/site-per-file.ts"],
    pool: "forks",
    isolate: false,
    maxWorkers: 3,
    sequence: { groupOrder: 1 },
    // A machine with two busy cores takes its time; what comes earlier is seen earlier.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
