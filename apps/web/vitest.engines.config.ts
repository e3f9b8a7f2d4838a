import { TAGS } from "@lambda/testing/nightly";
import { defineConfig } from "vitest/config";

// Drives the built application in Chromium, Firefox and WebKitGTK (engines/driver.ts).
export default defineConfig({
  test: {
    name: "engines",
    tags: TAGS,
    include: ["engines/*.test.ts"],
    setupFiles: ["../../packages/testing/src/site-per-file.ts"],
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
    sequence: { groupOrder: 2 },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
