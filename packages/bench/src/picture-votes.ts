/**
 * Simulates an attacker with up to 100 accounts against the Rating Game: how often pictures are wrongly marked or cleared, or go to
 * staff; and an impostor with 50 accounts against "Is it him?".
 */
import { CHECK_CAMPAIGNS, meetsCheckGoal, playChecks } from "./votes/checks.ts";
import { type Cell, CURRENT_RULE, FIRST_LEAD_RULE, meetsGoal, playTable } from "./votes/simulate.ts";

const CAMPAIGNS = 1000;
const SEED = 1;
const GOALS = { none: "only honest voters", mark: "mark an innocent", seal: "seal an explicit" } as const;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`.padStart(8);

function toLine(cell: Cell): string {
  const { honest, hostile, attack, truth, outcomes } = cell;
  return [
    String(honest).padStart(7),
    String(hostile).padStart(8),
    `${GOALS[attack]} (${truth})`.padEnd(30),
    percent(outcomes.marked),
    percent(outcomes.safe),
    percent(outcomes.staff),
    percent(outcomes.open),
    meetsGoal(cell) ? "   met" : "   MISSED",
  ].join(" ");
}

function runChecks(): void {
  console.log(
    `\nIs it him?: ${CAMPAIGNS} campaigns in each row, a false man has three tries with each account, seed ${SEED}`,
  );
  console.log(" honest  hostile man    plays        badge  in 1 d  in 2 d    staff");
  for (const campaign of CHECK_CAMPAIGNS) {
    const { honest, hostile, isHim, everybodyPlays } = campaign;
    const shares = playChecks(campaign, CAMPAIGNS, SEED);
    const isMet = meetsCheckGoal(campaign, shares);
    const words = [isHim ? "honest" : "false ", everybodyPlays ? "daily   " : "as usual"];
    const figures = [shares.badge, ...shares.soon, shares.staff].map(percent);
    const line = [String(honest).padStart(7), String(hostile).padStart(8), ...words, ...figures];
    console.log(line.join(" "), isMet ? "   met" : "   MISSED");
    if (!isMet) process.exitCode = 1;
  }
}

export async function run(): Promise<void> {
  for (const rule of [CURRENT_RULE, FIRST_LEAD_RULE]) {
    const cells = playTable(rule, CAMPAIGNS, SEED);
    console.log(`\n${rule.name}: ${CAMPAIGNS} campaigns of 30 days in each row, seed ${SEED}`);
    console.log(" honest  hostile goal                             marked     safe    staff     open");
    for (const cell of cells) console.log(toLine(cell));
    const missed = cells.filter((cell) => !meetsGoal(cell)).length;
    if (rule === CURRENT_RULE ? missed > 0 : missed === 0) {
      console.log(
        rule === CURRENT_RULE ? "A goal was missed." : "The control met every goal: the figures prove nothing.",
      );
      process.exitCode = 1;
    }
  }
  runChecks();
}
