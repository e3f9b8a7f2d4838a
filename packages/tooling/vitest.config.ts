import { defineConfig } from "vitest/config";

// All tests of the repository in one run: two files at a time, the browser's after all others, since they mind a busy machine.
export default defineConfig({
  test: {
    root: "../..",
    maxWorkers: 2,
    projects: [
      "packages/{brands,contract,tooling,ui}",
      "apps/web",
      "apps/worker",
      "packages/bench",
      "apps/web/vitest.browser.config.ts",
    ],
  },
});
