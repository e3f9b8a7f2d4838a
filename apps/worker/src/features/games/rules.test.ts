import { expect, it } from "vitest";
import { consensusOf, NEW_PLAYER, type PlayRecord, recordVote, ringScore, weightOf } from "./rules.ts";

const play = (record: PlayRecord, votes: readonly [answer: string, known: string | null][], elapsedMs = 3000) =>
  votes.reduce((at, [answer, known]) => recordVote(at, { answer, known, elapsedMs }), record);
const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

it("weighs a new player as one, a proven one more, a coin nothing", () => {
  expect(weightOf(NEW_PLAYER, 4)).toBeCloseTo(1);
  const proven = play(play(NEW_PLAYER, times(12, ["safe", "safe"])), times(12, ["explicit", "explicit"]));
  expect(weightOf(proven, 4)).toBeGreaterThan(1.3);
  const coin = play(NEW_PLAYER, [
    ...times(20, ["person", "bot"] as const),
    ...times(20, ["person", "person"] as const),
  ] as [string, string][]);
  expect(weightOf(coin, 2)).toBeLessThan(0.15);
});

it("lets one answer all the time, haste and rings weigh less", () => {
  const same = play(NEW_PLAYER, times(30, ["safe", null]));
  expect(weightOf(same, 4)).toBeCloseTo(0.1);
  const fast = play(
    NEW_PLAYER,
    [...times(6, ["safe", null] as [string, null]), ...times(6, ["explicit", null] as [string, null])],
    100,
  );
  expect(weightOf(fast, 4)).toBe(0);
  expect(weightOf({ ...NEW_PLAYER, ring: 1 }, 4)).toBe(0);
});

it("needs three votes and a clear lead", () => {
  const votes = (answer: string, count: number, weight = 1) => times(count, { answer, weight });
  expect(consensusOf(votes("safe", 2, 3))).toBeUndefined();
  expect(consensusOf(votes("safe", 3))).toBeUndefined();
  expect(consensusOf(votes("safe", 4))).toEqual({ answer: "safe", share: 1 });
  expect(consensusOf([...votes("safe", 5), ...votes("explicit", 2)])).toBeUndefined();
  expect(consensusOf([...votes("safe", 6), ...votes("explicit", 2)])?.answer).toBe("safe");
  expect(consensusOf(votes("safe", 9, 0))).toBeUndefined();
});

it("sees a ring in being wrong together, not in being right together", () => {
  expect(ringScore([{ together: 20, wrong: 2 }])).toBe(0);
  expect(ringScore(times(2, { together: 6, wrong: 5 }))).toBe(1);
});
