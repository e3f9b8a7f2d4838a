import type { Point } from "@lambda/geo/distance";
import { IS_NIGHTLY } from "@lambda/testing/nightly";
import { startProductionWorker } from "@lambda/testing/production-worker";
import { findTraces } from "@lambda/testing/proofs/hiding";
import { compareSides } from "@lambda/testing/proofs/interference/compare";
import { findResidue } from "@lambda/testing/proofs/residue";
import { type PushService, startPushService } from "@lambda/testing/push-service";
import type { Random } from "@lambda/testing/random";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Population } from "./population.ts";
import { linkAccounts, linkedMax, locateByAccounts } from "./privacy/accounts.ts";
import { holds, limitsForSample, toText } from "./privacy/score.ts";

/** Loaded before anything runs, because it blocks the process for a second. */
const population = new Population();
const place = (random: Random): Point => population.place(random);

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

    it("in one cell give every other account the same bytes", { timeout: 1_800_000 }, async () => {
      const [pairs, samples] = IS_NIGHTLY ? [250, 25] : [12, 2];
      const compared = await compareSides(worker, service, place, { pairs, samples });
      expect(compared).toMatchObject({ differences: [], frames: 4 * samples, pushes: samples });
      expect(compared.answers).toBeGreaterThan(50 * samples);
    });

    it("in different cells do not, which shows that the comparison can fail", async () => {
      const { differences } = await compareSides(worker, service, place, { pairs: 2, samples: 2, apart: 0.02 });
      const kinds = differences.map(([kind]) => kind).filter((kind) => kind !== "push");
      expect(kinds).toEqual(["row", "row", "database", "answers", "answers", "frames", "frames"]);
    });
  });

  it("reports leave no raw coordinates behind", async () => {
    const site = { worker, takeLogs: worker.takeLogs, takeQueued: () => [] };
    const { found, looked } = await findResidue(site, place, 120);
    expect(found).toEqual([]);
    expect(looked.objects).toBeGreaterThan(0);
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

it.runIf(IS_NIGHTLY)("reports to the build of production leave none either", { timeout: 1_800_000 }, async () => {
  const site = await startProductionWorker();
  const { found, looked } = await findResidue(site, place, 5000).finally(site.close);
  expect(found).toEqual([]);
  expect(Math.min(...Object.values(looked))).toBeGreaterThan(0);
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
