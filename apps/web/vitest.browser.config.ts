import { PATIENCE, TAGS } from "@lambda/testing/nightly";
import { defineConfig } from "vitest/config";

// Drives the built application in a real Chromium. Each file has its own site (packages/testing/src/browser.ts).
export default defineConfig({
  test: {
    name: "browser",
    tags: TAGS,
    include: ["e2e/*.test.ts"],
    setupFiles: ["../../packages/testing/src/site-per-file.ts"],
    pool: "forks",
    // Fewer major garbage collections: 3 % of the processor time.
    execArgv: ["--initial-old-space-size=512"],
    isolate: false,
    maxWorkers: 3,
    sequence: { groupOrder: 1 },
    // A generous limit for two busy cores; a poll ends as soon as it passes.
    expect: { poll: { timeout: 60_000 * PATIENCE } },
    testTimeout: 300_000 * PATIENCE,
    hookTimeout: 300_000 * PATIENCE,
  },
});
