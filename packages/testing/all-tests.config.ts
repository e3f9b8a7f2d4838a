import { defineConfig } from "vitest/config";

// All tests of the repository in one run: two files at a time, the browser's after all others, since they mind a busy machine.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      ...["brands", "contract", "testing", "tooling", "ui"].map((name) => ({
        test: { name, root: `packages/${name}`, maxWorkers: 2, testTimeout: 30_000 },
      })),
      {
        extends: "./apps/web/vite.config.ts",
        test: { name: "web", root: "apps/web", maxWorkers: 2, testTimeout: 30_000 },
      },
      "apps/worker",
      "packages/bench",
      "apps/web/vitest.browser.config.ts",
    ],
  },
});
