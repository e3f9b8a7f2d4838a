import { DatabaseSync } from "node:sqlite";
import { type PushService, startPushService } from "@lambda/testing/push-service";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findTraces } from "./hiding.ts";
import { compareSides } from "./interference.ts";
import { linkAccounts, linkedMax, locateByAccounts } from "./privacy/accounts.ts";
import { bestOfScores, holds, limitsForSample, toText } from "./privacy/score.ts";
import { CONTROLS, PRODUCT } from "./privacy/simulated-town.ts";
import { collectStatements } from "./privacy/statements.ts";
import { runAttacks } from "./privacy/suite.ts";
import { isTableScan } from "./query-plans.ts";
import { findResidue } from "./residue.ts";
import { HYSTERESIS_RULE, PRODUCT_RULE } from "./weeks/rules.ts";
import { holdsForWeeks, limitsOf, scoreWeeks } from "./weeks/suite.ts";

describe("over HTTP", () => {
  let worker: TestWorker;
  beforeEach(async () => {
    worker = await startWorker();
  });

  describe("pairs of raw positions", () => {
    let service: PushService;
    beforeEach(async () => {
      service = await startPushService();
    });
    afterEach(() => service.close());

    it("in one cell give every other account the same bytes", async () => {
      const result = await compareSides(worker, service, { pairs: 12, samples: 2 });
      expect(result).toMatchObject({
        pairs: 12,
        differentRows: 0,
        differentDatabases: 0,
        differentAnswers: 0,
        sampled: 2,
        frames: 8,
        differentFrames: 0,
        pushes: 2,
        differentPushes: 0,
      });
      expect(result.answers).toBeGreaterThan(150);
    });

    it("in different cells do not, which shows that the comparison can fail", async () => {
      const result = await compareSides(worker, service, { pairs: 2, samples: 2, apart: 0.02 });
      expect(result).toMatchObject({
        differentRows: 2,
        differentDatabases: 1,
        differentAnswers: 2,
        differentFrames: 2,
      });
    });
  });

  it("reports leave no raw coordinates behind", async () => {
    const residue = await findResidue({ worker, takeLogs: worker.takeLogs, takeQueued: () => [] }, 120);
    expect(residue).toMatchObject({
      reports: 120,
      inDatabase: 0,
      inBuckets: 0,
      inLogs: 0,
      inQueue: 0,
      notCells: 0,
      deadLeft: 0,
      looked: { objects: expect.any(Number) },
    });
    expect(residue.looked.objects).toBeGreaterThan(0);
  });

  it("hidden and blocked members leave no trace on any documented route", async () => {
    const { showing, traces } = await findTraces(worker);
    for (const route of ["nearest", "cooties"])
      expect(
        showing.some((path) => path.includes(route)),
        route,
      ).toBe(true);
    expect(traces).toEqual([]);
  });
});

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

describe("several accounts of one member", () => {
  it("of one mailbox reveal no more of a home than its cell, however many they are", async () => {
    const found = await locateByAccounts("one mailbox", { members: 250, accounts: [2, 5] });
    for (const each of found.values()) expect(holds(each, limitsForSample(250)), toText(each)).toBe(true);
  });

  it("of other mailboxes reveal more with each, which shows that the means are strong guesses", async () => {
    const found = await locateByAccounts("other mailboxes", { members: 250, accounts: [5] });
    expect(found.get(5)!.within100).toBeGreaterThan(0.25);
  });

  it("are not linked by the lattices that their markers lie on, which two accounts on one lattice would be", async () => {
    expect(await linkAccounts({ rounds: 6, pairs: 200 })).toBeLessThanOrEqual(linkedMax(200));
    expect(await linkAccounts({ rounds: 1, pairs: 200, sharesShown: true })).toBeGreaterThan(0.9);
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

describe("query plans", () => {
  it("scan no table", async () => {
    const { schema, statements } = await collectStatements();
    expect(statements.size).toBeGreaterThan(12);
    const db = new DatabaseSync(":memory:");
    db.exec(schema);
    for (const sql of statements.values()) {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
      expect(plan.map(({ detail }) => detail).filter(isTableScan)).toEqual([]);
    }
    db.close();
  });
});
