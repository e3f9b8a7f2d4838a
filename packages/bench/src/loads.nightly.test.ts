import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const NODE = fileURLToPath(new URL("../../../node_modules/.bin/node", import.meta.url));
const SOURCE = readFileSync(MAIN, "utf8");
const BENCHES = [...SOURCE.matchAll(/^ {2}"?([\w-]+)"?: \(\) => import\("(\.\/[\w-]+\.ts)"\)/gm)].map(
  ([, name, file]) => ({ name: name!, file: file! }),
);

/** Benches that run here as commands, with options that keep them short. */
const SHORT_RUNS: readonly (readonly [names: readonly string[], options: readonly string[]])[] = [
  [
    ["nearest", "bounds", "route-budgets", "query-plans", "migration", "packed-juries"],
    ["--members", "2000", "--queries", "3"],
  ],
  [["restore"], ["--members", "100"]],
  [["throughput"], ["--members", "100", "--requests", "4"]],
];

/** Benches whose functions are run on a small scale by other tests. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  "chat-model": "chat.test.ts",
  mutation: "mutation.test.ts",
  fuzz: "../../../apps/worker/src/fuzz.test.ts",
  interference: "proofs.test.ts",
  attacks: "proofs.test.ts",
  residue: "proofs.test.ts",
  hiding: "proofs.test.ts",
  "picture-votes": "../../tooling/src/simulation/picture-votes.nightly.test.ts",
  year: "year/simulate.nightly.test.ts",
  "far-from-home": "../../../apps/worker/src/platform/db/budgets.test.ts",
  "bundle-weight": "../../../apps/web/e2e/first-screens.test.ts",
};

/** Benches that are only loaded, because even a short run of a browser or another engine takes long. */
const ONLY_LOADED = ["side-by-side", "chat-throughput", "page-load", "map-frames", "open-page"];

it("accounts for each bench: run here, tested elsewhere, or only loaded for a reason", () => {
  const runHere = SHORT_RUNS.flatMap(([names]) => names);
  expect(BENCHES.map(({ name }) => name).toSorted()).toEqual(
    [...runHere, ...Object.keys(TESTED_ELSEWHERE), ...ONLY_LOADED].toSorted(),
  );
  for (const file of Object.values(TESTED_ELSEWHERE))
    expect(existsSync(new URL(file, import.meta.url)), file).toBe(true);
});

it("each bench can be loaded by Node, which is stricter than a bundler", () => {
  const files = BENCHES.map(({ file }) => new URL(file, import.meta.url).href);
  const script = `for (const file of ${JSON.stringify(files)}) await import(file); process.exit(0);`;
  execFileSync(NODE, ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script], {
    stdio: "pipe",
  });
});

it.each(SHORT_RUNS)(
  "%j run briefly",
  async (names, options) => {
    const command = ["--disable-warning=ExperimentalWarning", MAIN, ...names, ...options];
    const { stdout } = await promisify(execFile)(NODE, command, { maxBuffer: 2 ** 24 });
    for (const name of names) expect(stdout).toMatch(new RegExp(`== ${name}\\n(.*\\n)*?\\S+.* \\d`));
    expect(stdout).not.toMatch(/tables whose checksum differs +(?! |none)|differ from brute force +[1-9]/);
  },
  300_000,
);
