import { DatabaseSync } from "node:sqlite";
import { type PushService, startPushService } from "@lambda/testing/push-service";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findTraces } from "./hiding.ts";
import { compareSides } from "./interference.ts";
import { linkAccounts, linkedMax, locateByAccounts } from "./privacy/accounts.ts";
import { holds, limitsForSample, toText } from "./privacy/score.ts";
import { collectStatements } from "./privacy/statements.ts";
import { isTableScan } from "./query-plans.ts";
import { findResidue } from "./residue.ts";

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
