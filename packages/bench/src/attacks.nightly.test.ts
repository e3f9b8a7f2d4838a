import { describe, expect, it } from "vitest";
import { bestOfScores, holds, limitsForSample, toText } from "./privacy/score.ts";
import { CONTROLS, PRODUCT } from "./privacy/simulated-town.ts";
import { runAttacks } from "./privacy/suite.ts";
import { HYSTERESIS_RULE, PRODUCT_RULE } from "./weeks/rules.ts";
import { holdsForWeeks, limitsOf, scoreWeeks } from "./weeks/suite.ts";

describe("the attack suite", () => {
  it("locates members of the control builds", async () => {
    for (const build of CONTROLS) {
      const scores = await runAttacks(build, { members: 200, victims: 4 });
      const best = bestOfScores(scores);
      expect(holds(best)).toBe(false);
      expect(best.within50).toBeGreaterThan(0.6);
    }
  });

  it("locates nobody better than by guessing the center of the cell", async () => {
    const victims = 12;
    const reached = bestOfScores(await runAttacks(PRODUCT, { members: 400, victims }));
    expect(holds(reached, limitsForSample(victims)), toText(reached)).toBe(true);
  });
});

describe("thirty nights of markers", () => {
  const only = ["all cells", "three places", "second account", "2 accounts in turn, one", "60 m"];
  const slice = { members: 30, examples: 100, precisions: ["street"], only } as const;

  it("locate members under the previous rule", () => {
    const scores = [...scoreWeeks(HYSTERESIS_RULE, slice)];
    expect(scores).toHaveLength(only.length);
    for (const score of scores) expect(holdsForWeeks(score), score.watch.name).toBe(false);
  });

  it("reveal hardly more than the cell under the product's rule", () => {
    // With few members, allows twice the full suite's limits.
    for (const { watch, within100, medianMeters } of scoreWeeks(PRODUCT_RULE, slice)) {
      expect(within100, watch.name).toBeLessThanOrEqual(2 * limitsOf(watch).within100);
      expect(medianMeters, watch.name).toBeGreaterThan(0.9 * limitsOf(watch).medianMeters);
    }
  });
});
