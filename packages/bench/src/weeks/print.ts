/** The table of members who are watched for weeks, with the figures of the rule before beside those of the product. */
import type { Precision } from "@lambda/geo/grid";
import { line, round } from "../figures.ts";
import { HYSTERESIS_RULE, LEAKED_RULE, PRODUCT_RULE } from "./rules.ts";
import { holds, scoreWeeks, type WeeksScore } from "./suite.ts";

const PRECISIONS: readonly Precision[] = ["street", "district", "city"];
const EXAMPLES_MAX = 2000;
/** A rule that gives members away does so with few of them too. */
const CONTROL_MEMBERS_MAX = 500;

const percent = (part: number) => `${round(part * 100)} %`;

const figures = ({ within50, within100, medianMeters, flipped }: WeeksScore) =>
  `${percent(within50)}, ${percent(within100)}, ${round(medianMeters)} m, two cells ${percent(flipped)}`;

export function printWeeks(members: number): void {
  const examples = Math.min(EXAMPLES_MAX, members);
  const controls = Math.min(CONTROL_MEMBERS_MAX, members);
  line(
    "thirty nights",
    `${members} members, ${controls} of the control: within 50 m, 100 m, median; in coarser cells as`,
  );
  line("", "many times as far as they are larger; seen in more than one cell at home");
  for (const precision of PRECISIONS) {
    const lost = [...scoreWeeks(HYSTERESIS_RULE, { members: controls, examples: controls, precisions: [precision] })];
    for (const score of scoreWeeks(PRODUCT_RULE, { members, examples, precisions: [precision] })) {
      const control = lost.find(({ watch }) => watch === score.watch)!;
      const verdict = !holds(score) ? "FAILS" : holds(control) ? "HOLDS, AND SO DOES THE CONTROL" : "holds";
      line(`  ${precision}: ${score.watch.name}`, `${figures(score)}: ${verdict} (control: ${figures(control)})`);
    }
    // No gate: nobody but the server and the member's devices has it.
    for (const score of scoreWeeks(LEAKED_RULE, { members, examples, precisions: [precision], only: ["all cells"] }))
      line(`  ${precision}: all cells, displacement known`, figures(score));
  }
}
