/** Prints the table of members who are watched for weeks, for the product's rule and the previous one as a control. */
import type { Precision } from "@lambda/geo/grid";
import { printLine, round } from "../figures.ts";
import { HYSTERESIS_RULE, LEAKED_RULE, PRODUCT_RULE } from "./rules.ts";
import { holds, scoreWeeks, type WeeksScore } from "./suite.ts";

const PRECISIONS: readonly Precision[] = ["street", "district", "city"];
const EXAMPLES_MAX = 2000;
/** Few members suffice to show that the control leaks. */
const CONTROL_MEMBERS_MAX = 500;

const percent = (part: number) => `${round(part * 100)} %`;

const figures = ({ within50, within100, medianMeters, flipped }: WeeksScore) =>
  `${percent(within50)}, ${percent(within100)}, ${round(medianMeters)} m, two cells ${percent(flipped)}`;

export function printWeeks(members: number): void {
  const examples = Math.min(EXAMPLES_MAX, members);
  const controls = Math.min(CONTROL_MEMBERS_MAX, members);
  printLine(
    "thirty nights",
    `${members} members, ${controls} of the control: within 50 m, 100 m, median, multiplied by`,
  );
  printLine("", "the cell size for coarser precisions; and share seen in more than one cell at home");
  for (const precision of PRECISIONS) {
    const controlScores = [
      ...scoreWeeks(HYSTERESIS_RULE, { members: controls, examples: controls, precisions: [precision] }),
    ];
    for (const score of scoreWeeks(PRODUCT_RULE, { members, examples, precisions: [precision] })) {
      const control = controlScores.find(({ watch }) => watch === score.watch)!;
      const verdict = !holds(score) ? "FAILS" : holds(control) ? "HOLDS, AND SO DOES THE CONTROL" : "holds";
      printLine(`  ${precision}: ${score.watch.name}`, `${figures(score)}: ${verdict} (control: ${figures(control)})`);
    }
    // For information only, because only the server and the member's devices know the displacement.
    for (const score of scoreWeeks(LEAKED_RULE, { members, examples, precisions: [precision], only: ["all cells"] }))
      printLine(`  ${precision}: all cells, displacement known`, figures(score));
  }
}
