/** The attack suite on the product, and on two control builds that must lose to it; and members watched for thirty nights. */
import { line, round } from "./figures.ts";
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
    // A build that gives a member away does so with few of them too.
    const victims = queries ?? (build === PRODUCT ? members : Math.min(members, 300));
    line(build.name, `${members} members, ${victims} victims of each attack`);
    const scores = await runAttacks(build, { members, victims, only: only?.split(",") }, (score) => {
      const { within50, within100, medianMeters, requestsMax, seconds } = score;
      line(
        `  ${score.attack}`,
        `50 m ${percent(within50)}, 100 m ${percent(within100)}, median ${round(medianMeters)} m, requests <= ${requestsMax}, ${Math.round(seconds)} s`,
      );
    });
    const { within50, within100, medianMeters } = best(scores);
    line("  best of all", `50 m ${percent(within50)}, 100 m ${percent(within100)}, median ${round(medianMeters)} m`);
    // A control has to lose to the suite, not to each attack.
    if (only && build !== PRODUCT) continue;
    const expected = build === PRODUCT;
    const verdict = holds(scores) === expected ? (expected ? "holds" : "fails, as it must") : "UNEXPECTED";
    line(
      `  ${verdict}`,
      `allowed: 50 m ${percent(ALLOWED.within50)}, 100 m ${percent(ALLOWED.within100)}, median >= ${ALLOWED.medianMeters} m`,
    );
  }
}
