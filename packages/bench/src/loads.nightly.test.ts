import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const NODE = fileURLToPath(new URL("../../../node_modules/.bin/node", import.meta.url));
const SOURCE = readFileSync(MAIN, "utf8");
const BENCHES = [...SOURCE.matchAll(/^ {2}"?([\w-]+)"?: "\w*",$/gm)].map(([, name]) => `./${name}.ts`);

/** Benches that run here as commands, with options that keep them short. */
const SHORT_RUNS: readonly (readonly [names: readonly string[], options: readonly string[]])[] = [
  [
    ["nearest", "migration", "packed-juries"],
    ["--members", "2000", "--queries", "3"],
  ],
  [["restore"], ["--members", "100"]],
  [["throughput"], ["--members", "100", "--requests", "4"]],
];

it("each bench can be loaded by Node, which is stricter than a bundler", () => {
  expect(BENCHES.length).toBeGreaterThan(15);
  const files = BENCHES.map((file) => new URL(file, import.meta.url).href);
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
    for (const name of names) expect(stdout).toMatch(new RegExp(`== (?:\\w+ )?${name}\\n(.*\\n)*?\\S+.* \\d`));
    expect(stdout).not.toMatch(/tables whose checksum differs +(?! |none)|differ from brute force +[1-9]/);
  },
  300_000,
);
