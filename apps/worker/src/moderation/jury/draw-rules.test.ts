import { DAY_MS } from "@lambda/contract/limits";
import { expect, it } from "vitest";
import { type Candidate, canServe, drawJury } from "./draw-rules.ts";

const NOW = 20_000 * DAY_MS;

function candidate(id: number, days: number, overrides: Partial<Candidate> = {}): Candidate {
  return {
    id,
    tsCreated: NOW - days * DAY_MS,
    tsSeen: NOW,
    homeBrand: "ember",
    network: id,
    optedOut: false,
    tsSummoned: null,
    voted: 0,
    overturned: 0,
    conversations: 3,
    sanctioned: false,
    served: false,
    metSide: false,
    ...overrides,
  };
}

/** Honest members with accounts of all ages, and `hostile` accounts that one person registered 40 to 60 days ago. */
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

it("gives accounts of the same age at most three of nine seats, however many there are", () => {
  const hostileSeatsMax = Math.max(
    ...Array.from({ length: 300 }, () => {
      const drawn = draw(pool(300, 60));
      return "jurors" in drawn ? drawn.jurors.filter((id) => id >= 100_000).length : 0;
    }),
  );
  expect(hostileSeatsMax).toBe(3);
});

it("seats at most one juror per network and signup week, and none from a side's network", () => {
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

it("rejects a pool that is too small or that a side may have filled or emptied", () => {
  expect(draw(pool(199, 0))).toEqual({ problem: "few" });
  expect(draw(pool(300, 150))).toEqual({ problem: "recent" });
  expect(draw(pool(300, 0).map((one) => ({ ...one, metSide: one.id % 8 === 0 })))).toEqual({ problem: "contact" });
});

it("excludes members who are new, inactive, resting, often overturned or opted out, but not for an unanswered summons", () => {
  const good = candidate(1, 400);
  expect(canServe(good, NOW)).toBe(true);
  for (const excluded of [
    candidate(1, 29),
    { ...good, tsSeen: NOW - 15 * DAY_MS },
    { ...good, tsSummoned: NOW - 6 * DAY_MS },
    { ...good, voted: 6, overturned: 4 },
    { ...good, optedOut: true },
  ]) {
    expect(canServe(excluded, NOW)).toBe(false);
  }
  expect(canServe({ ...good, tsSummoned: NOW - 8 * DAY_MS, voted: 0 }, NOW)).toBe(true);
});

it("seats nobody who has hardly talked, was sanctioned or judged the case before", () => {
  const drawWith = (overrides: Partial<Candidate>) => draw(pool(300, 0).map((one) => ({ ...one, ...overrides })));
  for (const overrides of [{ conversations: 2 }, { sanctioned: true }, { served: true }])
    expect(drawWith(overrides)).toEqual({ problem: "few" });
});
