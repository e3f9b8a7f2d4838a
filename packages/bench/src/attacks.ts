/** Runs the location attacks on the product and on two control builds that must fail, and on members watched for thirty nights. */
import { printLine, round } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { signDirectly } from "./privacy/direct-hmac.ts";
import { CONTROLS, PRODUCT } from "./privacy/simulated-town.ts";
import { ALLOWED, best, holds, runAttacks } from "./privacy/suite.ts";
import { printWeeks } from "./weeks/print.ts";

const percent = (part: number) => `${round(part * 100)} %`;

export async function run({ members = 10_000, queries, only }: BenchOptions): Promise<void> {
  if (!only || only === "weeks") printWeeks(queries ?? members);
  if (only === "weeks") return;
  signDirectly();
  for (const build of [PRODUCT, ...CONTROLS]) {
    // A few victims suffice to show that a control build leaks positions.
    const victims = queries ?? (build === PRODUCT ? members : Math.min(members, 300));
    printLine(build.name, `${members} members, ${victims} victims of each attack`);
    const scores = await runAttacks(build, { members, victims, only: only?.split(",") }, (score) => {
      const { within50, within100, medianMeters, requestsMax, seconds } = score;
      printLine(
        `  ${score.attack}`,
        `50 m ${percent(within50)}, 100 m ${percent(within100)}, median ${round(medianMeters)} m, requests <= ${requestsMax}, ${Math.round(seconds)} s`,
      );
    });
    const { within50, within100, medianMeters } = best(scores);
    printLine(
      "  best of all",
      `50 m ${percent(within50)}, 100 m ${percent(within100)}, median ${round(medianMeters)} m`,
    );
    // A control only has to fail the whole suite, not each single attack.
    if (only && build !== PRODUCT) continue;
    const expected = build === PRODUCT;
    const verdict = holds(scores) === expected ? (expected ? "holds" : "fails, as it must") : "UNEXPECTED";
    printLine(
      `  ${verdict}`,
      `allowed: 50 m ${percent(ALLOWED.within50)}, 100 m ${percent(ALLOWED.within100)}, median >= ${ALLOWED.medianMeters} m`,
    );
  }
}
