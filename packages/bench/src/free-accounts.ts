/**
 * What a thousand free accounts can cost in a day. Each call of the router is played and counted by the doors to bindings
 * (apps/worker/src/platform/metering/every-call.test.ts); what is no call has budgets, which daily-work.test.ts plays.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GB } from "@lambda/contract/prices";
import { databaseBytesPerDay, dollarsPerDay, PICTURES_PER_DAY, sumOf } from "@lambda/testing/cost";
import { ROOT } from "@lambda/testing/site";
import { pathOf } from "./breaks/break.ts";
import { printGoal, printLine } from "./figures.ts";
import { runTest } from "./run-test.ts";

const ACCOUNTS = 1000;
const SHOWN = 15;

interface Figure {
  readonly name: string;
  readonly billed: number;
  readonly charged: number;
  readonly dollarsADay: number;
  readonly bytesADay: number;
}

export async function run(): Promise<void> {
  const figures = await playEveryCall();
  const dearest = figures.toSorted((one, other) => other.dollarsADay - one.dollarsADay);
  for (const { name, billed, charged, dollarsADay, bytesADay } of dearest.slice(0, SHOWN))
    printLine(
      `${ACCOUNTS} accounts a day, ${name} alone`,
      `$${dollarsADay.toFixed(2)}, ${(bytesADay / GB).toFixed(2)} GB (a million: billed $${billed.toFixed(2)}, charged $${charged.toFixed(2)})`,
    );
  printLine("other calls", `${Math.max(0, figures.length - SHOWN)}, each less`);
  const calls = dearest[0]?.dollarsADay ?? Number.NaN;
  for (const areNew of [true, false]) {
    const { calls: charged, ...budgets } = dollarsPerDay(ACCOUNTS, { areNew });
    const parts = { "the dearest call, all day": Math.max(calls, charged), ...budgets };
    const text = Object.entries(parts).map(([part, dollars]) => `${part} $${dollars.toFixed(2)}`);
    printLine(`${ACCOUNTS} ${areNew ? "new" : "old"} accounts a day`, text.join(", "));
    printGoal("dollars a day", sumOf(parts), 20);
  }
  printGoal("GB of database a day", databaseBytesPerDay(ACCOUNTS) / GB, 5);
  printLine("GB of pictures a day", ((ACCOUNTS * PICTURES_PER_DAY.bytes) / GB).toFixed(0));
}

async function playEveryCall(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "figures-"));
  const file = join(folder, "figures.json");
  process.env.EVERY_CALL_FIGURES = file;
  try {
    const outcome = await runTest(ROOT, pathOf("platform/metering/every-call.test.ts"), "charges for every call");
    printLine("every call is charged what it costs", outcome === "passes" ? "yes" : "NO");
    if (outcome !== "passes") process.exitCode = 1;
    return JSON.parse(readFileSync(file, "utf8")) as Figure[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
