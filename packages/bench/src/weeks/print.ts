/** Prints the table of members who are watched for weeks, for the product's rule and the previous one as a control. */
import type { Precision } from "@lambda/geo/grid";
import { printGate, round } from "../figures.ts";
import { toText } from "../privacy/score.ts";
import { HYSTERESIS_RULE, PRODUCT_RULE } from "./rules.ts";
import { holdsForWeeks, scoreWeeks, type WeeksScore } from "./suite.ts";

const PRECISIONS: readonly Precision[] = ["street", "district", "city"];
const EXAMPLES_MAX = 2000;
/** Few members suffice to show that the control leaks. */
const CONTROL_MEMBERS_MAX = 500;

const figures = (score: WeeksScore) => `${toText(score)}, two cells ${round(score.flipped * 100)} %`;

export function printWeeks(members: number): void {
  const examples = Math.min(EXAMPLES_MAX, members);
  const controls = Math.min(CONTROL_MEMBERS_MAX, members);
  console.log(`
thirty nights: ${members} members, ${controls} of the control (the previous rule, street cells)`);
  console.log("within 50 m, 100 m, median, in larger cells as many times further; seen in more than one cell at home");
  const control = [...scoreWeeks(HYSTERESIS_RULE, { members: controls, examples: controls, precisions: ["street"] })];
  for (const precision of PRECISIONS) {
    for (const score of scoreWeeks(PRODUCT_RULE, { members, examples, precisions: [precision] }))
      printGate(`  ${precision}: ${score.watch.name}`, holdsForWeeks(score), figures(score));
  }
  for (const score of control.filter(({ watch }) => watch.limits !== "none"))
    printGate(`  control: ${score.watch.name}`, !holdsForWeeks(score), `${figures(score)}: must fail`);
}
