/** What one session opened for others and outlives it: runs the attacks of the test suite with a borrowed phone, and prints those that succeed. */
import { ROOT } from "@lambda/testing/site";
import { pathOf } from "./breaks/break.ts";
import { printGoal, printLine } from "./figures.ts";
import { runTest } from "./run-test.ts";

const CREDENTIALS = "accounts/sessions/credentials.test.ts";

const ATTACKS: readonly (readonly [what: string, name: string])[] = [
  ["opened on a borrowed phone", "what a phone in other hands opened"],
  ["a block undone without a proof", "asks for a proof to undo a block"],
  ["a call that nobody judged", "knows of each call whether it lets somebody else see or reach more"],
  ["a credential", "says what survives a"],
];

export async function run(): Promise<void> {
  let open = 0;
  for (const [what, name] of ATTACKS) {
    const outcome = await runTest(ROOT, pathOf(CREDENTIALS), name);
    if (outcome !== "passes") open += 1;
    printLine(what, { passes: "ended with its session", fails: "STAYS OPEN", unclear: "DID NOT RUN" }[outcome]);
  }
  printGoal("kinds of what a session opened that outlive it", open, 0);
  if (open > 0) process.exitCode = 1;
}
