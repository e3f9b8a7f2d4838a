import { DatabaseSync } from "node:sqlite";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { compareBuilds } from "./a1-interference.ts";
import { searchResidue } from "./a3-residue.ts";
import { searchTraces } from "./a4-hiding.ts";
import { isTableScan } from "./p4-plans.ts";
import { watchStatements } from "./privacy/statements.ts";
import { ALLOWED, best, holds, runAttacks } from "./privacy/suite.ts";
import { CONTROLS, PRODUCT } from "./privacy/town.ts";

describe("over HTTP", () => {
  let worker: TestWorker;
  beforeEach(async () => {
    worker = await startWorker();
  });

  it("two raw positions in one cell give every other account the same bytes (A1)", async () => {
    const result = await compareBuilds(worker, 10, 5);
    expect(result).toMatchObject({ pairs: 10, differentAnswers: 0, differentRows: 0 });
    expect(result.answers).toBeGreaterThan(50);
  });

  it("and two in different cells do not, so that the comparison can fail (A1)", async () => {
    const result = await compareBuilds(worker, 3, 1, 0.02);
    expect(result.differentRows).toBe(3);
    expect(result.differentAnswers).toBe(3);
  });

  it("reports leave no raw coordinate behind (A3)", async () => {
    expect(await searchResidue(worker, 200)).toEqual({
      ...{ reports: 200, inDatabase: 0, inBuckets: 0, inLogs: 0, notCells: 0, deadLeft: 0 },
    });
  });

  it("whoever hides or is blocked leaves no trace on any documented route (A4)", async () => {
    const { showing, traces } = await searchTraces(worker);
    expect(showing.some((path) => path.includes("nearest"))).toBe(true);
    expect(traces).toEqual([]);
  });
});

describe("the attack suite (A2)", () => {
  it("finds members of the control builds", async () => {
    for (const build of CONTROLS) {
      const scores = await runAttacks(build, { members: 200, victims: 4 });
      expect(holds(scores)).toBe(false);
      expect(best(scores).within50).toBeGreaterThan(0.6);
    }
  });

  it("finds nobody better than by guessing the middle of his cell", async () => {
    // A short slice of fixed members: chance allows twice what the full suite does.
    const reached = best(await runAttacks(PRODUCT, { members: 400, victims: 24 }));
    expect(reached.within50).toBeLessThanOrEqual(2 * ALLOWED.within50);
    expect(reached.medianMetres).toBeGreaterThan(ALLOWED.medianMetres * 0.9);
  });
});

describe("query plans (P4)", () => {
  it("scan no table", async () => {
    const { schema, statements } = await watchStatements();
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
