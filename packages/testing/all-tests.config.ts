import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LEFT_OUT, TAGS } from "./src/nightly.ts";
import { UNIT_PACKAGES } from "./src/unit-projects.ts";

/** The slowest files, slowest first: a slow file that starts late would leave the other core idle at the end. */
const SLOW_FILES = [
  "proofs.test.ts",
  "bench/src/chat.test.ts",
  "hostile.test.ts",
  "visibility/ids.test.ts",
  "sockets.test.ts",
  "visibility/fields.test.ts",
  "out-of-sight.test.ts",
  "authorization.test.ts",
  "fuzz.test.ts",
  "games.test.ts",
  "quotas.test.ts",
  "budgets.test.ts",
  "cooties.test.ts",
  ...[
    "chat.test.ts",
    "chat-live.test.ts",
    "map.test.ts",
    "accounts.test.ts",
    "register.test.ts",
    "chat-access.test.ts",
    "map-view.test.ts",
    "members-screens.test.ts",
    "members-ways.test.ts",
    "map-streets.test.ts",
    "meets.test.ts",
    "pictures-view.test.ts",
    "map-reporting.test.ts",
    "lock.test.ts",
    "killed-server.test.ts",
    "demo-town.test.ts",
    "once.test.ts",
    "community.test.ts",
  ].map((name) => `e2e/${name}`),
];
/** The order of the projects. Files of one project run one after the other because they share a running worker. */
const PROJECTS = ["proofs", "worker", "databases", "tooling", "web", "browser", "engines"];

/** Runs the slowest files first. No test may depend on the order. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (list: readonly string[], has: (item: string) => boolean) => {
      const index = list.findIndex(has);
      return index < 0 ? list.length : index;
    };
    const bySize = await super.sort(files);
    const keyed = bySize.map((file, index) => ({
      file,
      keys: [
        file.project.config.sequence.groupOrder,
        place(PROJECTS, (name) => name === file.project.name),
        place(SLOW_FILES, (name) => file.moduleId.endsWith(`/${name}`)),
        index,
      ],
    }));
    const difference = (a: readonly number[], b: readonly number[]) =>
      a.map((key, index) => key - (b[index] ?? 0)).find((found) => found !== 0) ?? 0;
    return keyed.sort((a, b) => difference(a.keys, b.keys)).map(({ file }) => file);
  }
}

// All tests of the repository in one run, four files at a time, because many tests wait for sockets and timers. Browser tests run last and
// three at a time, because they are sensitive to a busy machine.
export default defineConfig({
  test: {
    maxWorkers: 4,
    tags: TAGS,
    sequence: { sequencer: SlowestFirst },
    projects: [
      ...UNIT_PACKAGES.map((name) => ({
        test: {
          name,
          root: `packages/${name}`,
          exclude: [...configDefaults.exclude, ...LEFT_OUT],
          maxWorkers: 4,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      })),
      {
        extends: "./apps/web/vite.config.ts",
        test: { name: "web", root: "apps/web", maxWorkers: 4, testTimeout: 120_000 },
      },
      "apps/worker",
      "apps/worker/vitest.databases.config.ts",
      "packages/bench",
      "apps/web/vitest.browser.config.ts",
      "apps/web/vitest.engines.config.ts",
    ],
  },
});
