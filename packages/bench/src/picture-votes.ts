/**
 * Simulates an attacker with up to 100 accounts against the Rating Game: how often pictures are wrongly marked or cleared, or go to
 * staff; and an impostor with 50 accounts against "Is it him?".
 */
import { CHECK_CAMPAIGNS, meetsCheckGoal, playChecks } from "./votes/checks.ts";
import { type Cell, meetsGoal, playTable } from "./votes/simulate.ts";

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
  const control = playTable(20, SEED, [300], [900]).filter(({ attack }) => attack !== "none");
  console.log(
    `\n${CAMPAIGNS} campaigns of 30 days in each row, seed ${SEED}; fewer in the control, which must miss its goals`,
  );
  console.log(" honest  hostile goal                             marked     safe    staff     open");
  const cells = playTable(CAMPAIGNS, SEED);
  for (const cell of [...cells, ...control]) console.log(toLine(cell));
  if (control.some(meetsGoal) || !cells.every(meetsGoal)) {
    console.log("A goal was missed, or the control met one: then the figures prove nothing.");
    process.exitCode = 1;
  }
  runChecks();
}
