import { describe, expect, it } from "vitest";
import { runAttacks } from "./attacks.ts";
import { bestOfScores, holds, limitsForSample, toText } from "./privacy/score.ts";
import { CONTROLS, PRODUCT } from "./privacy/simulated-town.ts";

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
