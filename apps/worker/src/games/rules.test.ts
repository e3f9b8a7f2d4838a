import {
  CONSENSUS_SPAN_MS,
  CONSENSUS_VOTERS_MIN,
  CONSENSUS_VOTES_MAX,
  CONSENSUS_VOTES_MIN,
  DAY_MS,
  PROVEN_KNOWN_MIN,
  TEST_ITEM_STABLE_MS,
} from "@lambda/contract/limits";
import { expect, it } from "vitest";
import {
  addVote,
  canBecomeTestItem,
  collusionScore,
  isDoubted,
  isProven,
  NEW_PLAYER,
  NO_VOTES,
  type PlayRecord,
  recordVote,
  type Tally,
  verdictOf,
  weightOf,
} from "./rules.ts";

const OLD = 40 * DAY_MS;
const play = (record: PlayRecord, votes: readonly [answer: string, known: string | null][], elapsedMs = 3000) =>
  votes.reduce((at, [answer, known]) => recordVote(at, { answer, known, elapsedMs }), record);
const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);
const half = PROVEN_KNOWN_MIN / 2;
const PROVEN = play(play(NEW_PLAYER, times(half, ["safe", "safe"])), times(half, ["explicit", "explicit"]));

let voters = 0;
/** Adds votes of this many players, each in a separate group, spread over more than the minimum time of a consensus. */
function cast(tally: Tally, answer: string, count: number, options: { weight?: number; group?: string } = {}): Tally {
  let at = tally;
  for (let index = 0; index < count; index += 1) {
    voters += 1;
    const ts = (at.tsLast ?? 0) + CONSENSUS_SPAN_MS / 8;
    at = addVote(at, { answer, weight: 1, accountAgeMs: OLD, group: `g${voters}`, ts, ...options });
  }
  return at;
}
const verdict = (tally: Tally, pool = CONSENSUS_VOTERS_MIN) => verdictOf(tally, pool);

it("counts a player's votes once the account is old enough and proven on more than one answer", () => {
  expect(weightOf(PROVEN, OLD)).toBe(1);
  expect(weightOf(PROVEN, 13 * DAY_MS)).toBe(0);
  expect(weightOf(NEW_PLAYER, OLD)).toBe(0);
  expect(isProven(play(NEW_PLAYER, times(30, ["safe", "safe"])), OLD)).toBe(false);
  const coin = play(NEW_PLAYER, [...times(20, ["person", "bot"]), ...times(20, ["person", "person"])] as [
    string,
    string,
  ][]);
  expect(weightOf(coin, OLD)).toBe(0);
});

it("never weighs a vote more than 1, and less for haste, constant answers and rings", () => {
  expect(weightOf(play(PROVEN, times(200, ["explicit", "explicit"])), OLD)).toBeLessThanOrEqual(1);
  expect(weightOf(play(PROVEN, times(400, ["safe", null])), OLD)).toBeCloseTo(0.1);
  expect(weightOf(play(PROVEN, [...times(20, ["safe", null] as [string, null])], 100), OLD)).toBeCloseTo(1 / 3);
  expect(weightOf({ ...PROVEN, collusion: 1 }, OLD)).toBe(0);
});

it("needs enough votes, agreement and time for a verdict", () => {
  const enough = CONSENSUS_VOTES_MIN;
  expect(verdict(cast(NO_VOTES, "explicit", enough - 1))).toBeUndefined();
  expect(verdict(cast(NO_VOTES, "explicit", enough))).toEqual({ by: "votes", answer: "explicit", share: 1 });
  expect(verdict(cast(NO_VOTES, "safe", enough))).toEqual({ by: "votes", answer: "safe", share: 1 });
  const quick = { ...cast(NO_VOTES, "explicit", 50), tsFirst: 0, tsLast: CONSENSUS_SPAN_MS - 1 };
  expect(verdict(quick)).toBeUndefined();
  expect(verdict(cast(cast(NO_VOTES, "explicit", 15), "safe", 5))).toBeUndefined();
});

it("counts neither new accounts nor more than two votes per group", () => {
  expect(cast(NO_VOTES, "explicit", 100, { group: "same" }).votes).toBe(2);
  expect(cast(NO_VOTES, "explicit", 100, { weight: 0 }).votes).toBe(0);
  expect(addVote(NO_VOTES, { answer: "explicit", weight: 0, accountAgeMs: DAY_MS, group: "g", ts: 1 })).toBe(NO_VOTES);
});

it("sends a verdict contradicted by later votes to staff, and lets a new majority overturn it", () => {
  const marked = cast(NO_VOTES, "explicit", 20);
  expect(verdict(marked)).toMatchObject({ answer: "explicit" });
  expect(verdict(cast(marked, "safe", CONSENSUS_VOTES_MAX - 20))).toEqual({ by: "staff", why: "divided" });
  expect(verdict(cast(marked, "safe", 80))).toMatchObject({ by: "votes", answer: "safe" });
});

it("requires a consensus on rule breaking itself to report it", () => {
  expect(verdict(cast(cast(NO_VOTES, "rule_breaking", 19), "safe", 1))).toMatchObject({ answer: "rule_breaking" });
  expect(verdict(cast(cast(NO_VOTES, "rule_breaking", 15), "explicit", 5))).toMatchObject({ answer: "explicit" });
});

it("leaves decisions to staff while the pool is small", () => {
  const few = CONSENSUS_VOTERS_MIN - 1;
  expect(verdict(cast(NO_VOTES, "explicit", 30), few)).toEqual({ by: "staff", why: "thin" });
  expect(verdict(cast(NO_VOTES, "explicit", 4, { weight: 0 }), few)).toEqual({ by: "staff", why: "thin" });
  expect(verdict(cast(NO_VOTES, "explicit", 3, { weight: 0 }), few)).toBeUndefined();
  expect(verdict(cast(NO_VOTES, "safe", 30), few)).toBeUndefined();
});

it("uses an item as a test after near-unanimous votes stood for two weeks", () => {
  const clear = cast(NO_VOTES, "explicit", 30);
  expect(canBecomeTestItem(clear, "explicit", 0, TEST_ITEM_STABLE_MS)).toBe(true);
  expect(canBecomeTestItem(clear, "explicit", 0, TEST_ITEM_STABLE_MS - 1)).toBe(false);
  expect(canBecomeTestItem(cast(clear, "suggestive", 3), "explicit", 0, TEST_ITEM_STABLE_MS)).toBe(false);
  expect(isDoubted(clear, "safe", CONSENSUS_VOTERS_MIN)).toBe(true);
  expect(isDoubted(clear, "rule_breaking", CONSENSUS_VOTERS_MIN)).toBe(false);
});

it("detects a ring from shared wrong answers, not from shared right ones", () => {
  expect(collusionScore([{ together: 20, wrong: 2 }])).toBe(0);
  expect(collusionScore(times(2, { together: 6, wrong: 5 }))).toBe(1);
});
