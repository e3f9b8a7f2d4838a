/** What a thousand free accounts can cost in a day; apps/worker/src/platform/rate-limits/daily-work.test.ts plays them. */
import { GB } from "@lambda/contract/prices";
import { databaseBytesPerDay, dollarsPerDay, sumOf } from "@lambda/testing/cost";
import { printGoal, printLine } from "./figures.ts";

const ACCOUNTS = 1000;

export async function run(): Promise<void> {
  for (const areNew of [true, false]) {
    const parts = dollarsPerDay(ACCOUNTS, { areNew });
    const text = Object.entries(parts).map(([part, dollars]) => `${part} $${dollars.toFixed(2)}`);
    printLine(`${ACCOUNTS} ${areNew ? "new" : "old"} accounts a day`, text.join(", "));
    printGoal("dollars a day", sumOf(parts), 20);
  }
  printGoal("GB of database a day", databaseBytesPerDay(ACCOUNTS) / GB, 5);
}
