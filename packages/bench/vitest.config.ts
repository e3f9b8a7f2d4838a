import { defineConfig } from "vitest/config";

// Short slices of the proofs; `npm run bench` runs them at full length and prints figures.
export default defineConfig({
  test: {
    name: "proofs",
    include: ["src/**/*.test.ts"],
    setupFiles: ["../../packages/testing/src/no-console.ts"],
    pool: "forks",
    maxWorkers: 3,
    isolate: false,
    // Two busy cores take their time; what comes earlier is seen earlier.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
