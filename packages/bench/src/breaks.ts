/**
 * Breaks each defense that docs/SECURITY.md names, one at a time in a copy of the repository, runs the named test, and prints the rows
 * whose test stayed green. `--only "TEXT;TEXT"` takes the rows that contain one of the texts, `--skip n` skips the first n, and
 * `--queries n` ends after n.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BREAKS, type Break, pathOf } from "./breaks/break.ts";
import { type BenchOptions, printGoal, printLine } from "./figures.ts";
import { copyForTests, type Outcome, runTest } from "./run-test.ts";

export async function run({ only, skip = 0, queries }: BenchOptions): Promise<void> {
  const parts = (only ?? "").split(";");
  const chosen = BREAKS.filter(({ row }) => parts.some((part) => row.includes(part)))
    .slice(skip)
    .slice(0, queries);
  using copy = copyForTests();
  const green: string[] = [];
  printLine("rows to try", `${new Set(chosen.map(({ row }) => row)).size}, in ${chosen.length} breaks`);
  for (const [index, each] of chosen.entries()) {
    const started = Date.now();
    const outcome = await tryBreak(copy.root, each);
    if (outcome !== "fails") green.push(each.row);
    const seconds = Math.round((Date.now() - started) / 1000);
    const words = { fails: "noticed", passes: "STAYED GREEN", unclear: "DID NOT RUN" }[outcome];
    printLine(`${index + 1}/${chosen.length} ${words} after ${seconds} s`, each.row);
  }
  printGoal("rows whose test stays green", green.length, 0);
  if (green.length > 0) process.exitCode = 1;
}

/** Test files whose named tests passed without a break. */
const unbroken = new Set<string>();

/** What the test does with the break; unclear if it fails without one too. */
async function tryBreak(root: string, { file, find, replace, test, name }: Break): Promise<Outcome> {
  const path = join(root, pathOf(file));
  const source = readFileSync(path, "utf8");
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  let outcome = await runTest(root, pathOf(test), name);
  if (outcome === "unclear") outcome = await runTest(root, pathOf(test), name);
  writeFileSync(path, source);
  if (outcome !== "fails" || unbroken.has(test)) return outcome;
  // One run for all tests of the file that breaks name.
  const names = BREAKS.filter((each) => each.test === test).map((each) => each.name);
  if ((await runTest(root, pathOf(test), [...new Set(names)].join("|"))) === "fails") return "unclear";
  unbroken.add(test);
  return outcome;
}
