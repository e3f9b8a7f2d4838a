/** One person with up to 100 accounts against the Rating Game: who is marked, who is sealed, and how often staff have to decide. */
import { type Cell, FIRST_LEAD, isMet, PRODUCT, playTable } from "@lambda/tooling/picture-votes";

const CAMPAIGNS = 1000;
const SEED = 1;
const GOALS = { none: "honest voters alone", mark: "mark an innocent", seal: "seal an explicit" } as const;

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
    isMet(cell) ? "   met" : "   MISSED",
  ].join(" ");
}

export async function run(): Promise<void> {
  for (const rule of [PRODUCT, FIRST_LEAD]) {
    const cells = playTable(rule, CAMPAIGNS, SEED);
    console.log(`\n${rule.name}: ${CAMPAIGNS} campaigns of 30 days in each row, seed ${SEED}`);
    console.log(" honest  hostile goal                             marked     safe    staff     open");
    for (const cell of cells) console.log(toLine(cell));
    const missed = cells.filter((cell) => !isMet(cell)).length;
    if (rule === PRODUCT ? missed > 0 : missed === 0) {
      console.log(rule === PRODUCT ? "A goal was missed." : "The control met every goal: the figures prove nothing.");
      process.exitCode = 1;
    }
  }
}
