/**
 * Simulates an attacker with 10 to 100 accounts, forty days old and on different networks, against juries drawn from 300 to 10,000
 * honest members: 1,000 campaigns of thirty days per cell, by the product's rules. The previous rules must fail.
 */
import { CURRENT_RULES, PREVIOUS_RULES } from "./juries/courts.ts";
import { formatCell, HEADER, HOSTILE, POOLS, playCell } from "./juries/table.ts";
import type { BenchOptions } from "./options.ts";

const CAMPAIGNS = 1000;
/** Fewer for the control, which fails every time. */
const CONTROL_CAMPAIGNS = 100;

export async function run({ queries, only }: BenchOptions): Promise<void> {
  let failed = false;
  for (const courts of [CURRENT_RULES, PREVIOUS_RULES]) {
    const campaigns = courts === CURRENT_RULES ? (queries ?? CAMPAIGNS) : CONTROL_CAMPAIGNS;
    console.log(`\n${courts.name}, ${campaigns} campaigns per cell\n${HEADER}`);
    for (const pool of POOLS.filter((size) => only === undefined || only.split(",").includes(String(size)))) {
      for (const hostile of HOSTILE) {
        const cell = playCell(courts, pool, hostile, campaigns);
        console.log(formatCell(cell));
        failed ||= courts === CURRENT_RULES ? !cell.holds : hostile > 0 && cell.holds;
      }
    }
  }
  console.log(
    "\nGoals: innocent sanctioned <= 1 %, guilty shielded <= 5 %, correct outcome with only honest voters >= 95 %." +
      "\nstaff: the share of decisions, including appeals, that went to staff, in campaigns against an innocent and by a guilty member.",
  );
  if (failed) throw new Error("a cell misses its goal, or the control meets it");
}
