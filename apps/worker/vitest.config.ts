import { defineConfig } from "vitest/config";

// One worker for all files of a process: starting it costs more than most files (packages/testing/src/worker.ts).
export default defineConfig({
  test: {
    name: "worker",
    include: ["src/**/*.test.ts"],
    setupFiles: ["../../packages/testing/src/no-console.ts"],
    pool: "forks",
    isolate: false,
    maxWorkers: 3,
    // The local mail binding prints every mail; only a failed test shows what was printed.
    silent: "passed-only",
    // Two busy cores take their time; what comes earlier is seen earlier.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
