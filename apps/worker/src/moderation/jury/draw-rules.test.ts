import { DAY_MS } from "@lambda/contract/limits";
import { expect, it } from "vitest";
import { type Candidate, drawJury, mayServe } from "./draw-rules.ts";

const NOW = 20_000 * DAY_MS;

function candidate(id: number, days: number, more: Partial<Candidate> = {}): Candidate {
  return {
    ...{ id, tsCreated: NOW - days * DAY_MS, tsSeen: NOW, homeBrand: "ember", network: id, optedOut: false },
    ...{ tsSummoned: null, voted: 0, overturned: 0, talks: 3, sanctioned: false, served: false, metSide: false },
    ...more,
  };
}

/** Honest members of all ages, and as many accounts of one person who registered them forty days ago and later. */
function pool(honest: number, hostile: number) {
  return [
    ...Array.from({ length: honest }, (_, id) => candidate(id, 35 + (id * 1000) / honest)),
    ...Array.from({ length: hostile }, (_, index) => candidate(100_000 + index, 40 + (index % 21))),
  ];
}

let state = 7;
const random = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const draw = (candidates: readonly Candidate[], size = candidates.length, sideNetworks: number[] = []) =>
  drawJury({ candidates, size, sideNetworks }, random, NOW);

it("gives accounts of one age three seats of nine at most, however many there are", () => {
  const most = Math.max(
    ...Array.from({ length: 300 }, () => {
      const drawn = draw(pool(300, 60));
      return "jurors" in drawn ? drawn.jurors.filter((id) => id >= 100_000).length : 0;
    }),
  );
  expect(most).toBe(3);
});

it("seats nobody twice from one network, one week of joining, or the network of a side", () => {
  const shared = pool(300, 0).map((one) => ({ ...one, network: one.id % 12 }));
  for (let round = 0; round < 50; round += 1) {
    const drawn = draw(shared, 300, [0]);
    if (!("jurors" in drawn)) throw new Error(drawn.problem);
    const jurors = drawn.jurors.map((id) => shared[id]!);
    expect(new Set(jurors.map((one) => one.network)).size).toBe(9);
    expect(jurors.some((one) => one.network === 0)).toBe(false);
    expect(new Set(jurors.map((one) => Math.floor(one.tsCreated / (7 * DAY_MS)))).size).toBe(9);
  }
  expect(draw(pool(300, 0).map((one) => ({ ...one, network: 1 })))).toEqual({ problem: "alike" });
});

it("refuses a pool that is small, or that a side filled or emptied", () => {
  expect(draw(pool(199, 0))).toEqual({ problem: "few" });
  expect(draw(pool(300, 150))).toEqual({ problem: "recent" });
  expect(draw(pool(300, 0).map((one) => ({ ...one, metSide: one.id % 8 === 0 })))).toEqual({ problem: "contact" });
});

it("lets nobody serve who is new, away, resting, overturned or out, and holds silence against nobody for ever", () => {
  const good = candidate(1, 400);
  expect(mayServe(good, NOW)).toBe(true);
  for (const bad of [
    candidate(1, 29),
    { ...good, tsSeen: NOW - 15 * DAY_MS },
    { ...good, tsSummoned: NOW - 6 * DAY_MS },
    { ...good, voted: 6, overturned: 4 },
    { ...good, optedOut: true },
  ]) {
    expect(mayServe(bad, NOW)).toBe(false);
  }
  expect(mayServe({ ...good, tsSummoned: NOW - 8 * DAY_MS, voted: 0 }, NOW)).toBe(true);
});

it("is not won by an account that only waits, was punished, or judged the case before", () => {
  const talk = (more: Partial<Candidate>) => draw(pool(300, 0).map((one) => ({ ...one, ...more })));
  for (const more of [{ talks: 2 }, { sanctioned: true }, { served: true }])
    expect(talk(more)).toEqual({ problem: "few" });
});
