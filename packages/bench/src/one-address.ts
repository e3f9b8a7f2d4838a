/** Whether 300 honest men behind one address all get in within an hour, whatever strangers there do. */
import { ROOT } from "@lambda/testing/site";
import { pathOf } from "./breaks/break.ts";
import { printGate } from "./figures.ts";
import { runTest } from "./run-test.ts";

const ATTACKS: readonly (readonly [what: string, test: string, name: string])[] = [
  ["300 in an hour, half of them newcomers", "accounts/login-link.test.ts", "all get in: 300 in an hour"],
  ["strangers there fill every limit", "accounts/login-link.test.ts", "where strangers of their network filled"],
  ["broken pictures", "platform/rate-limits/image-work.test.ts", "is given back for files that cannot be read"],
];

export async function run(): Promise<void> {
  for (const [what, test, name] of ATTACKS) {
    const outcome = await runTest(ROOT, pathOf(test), name);
    printGate(what, outcome === "passes", { passes: "all get in", fails: "refused", unclear: "did not run" }[outcome]);
  }
}
