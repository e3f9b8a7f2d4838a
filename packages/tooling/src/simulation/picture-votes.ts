/**
 * One hostile person with many accounts against the Rating Game, on the game's own rules: campaigns of 30 days on a picture that
 * was put up on the first day. The accounts are old enough, passed every test, joined by different ways, are told by nobody
 * which picture they will be handed, play as much as they may on the first days of each week, and vote alike.
 */

import { RATING_ANSWERS, type RatingAnswer } from "@lambda/contract/game-answers";
import { DAY_MS, GAME_OPEN_PER_DAY_MAX, GAME_OPEN_PER_WEEK_MAX } from "@lambda/contract/limits";
import { seededRandom } from "@lambda/testing/random";
import { addVote, isConsequent, NO_VOTES, type Tally, verdictOf } from "@lambda/worker/games-rules";

const DAYS = 30;
/** Of four honest voters one plays every other day, one twice a week, one once a week, one twice a month. */
const HONEST_PLAYS_A_DAY = [1 / 2, 2 / 7, 1 / 7, 1 / 15];
/** An honest voter's share of right answers, from the hardest picture to the easiest; wrong ones fall on the other three alike. */
const HONEST_ACCURACY = [0.71, 0.91] as const;
/** Pictures that are handed out alike, for each voter of the pool: settled ones are looked at again, so all public ones. */
const PICTURES_PER_VOTER = 1.5;
/** Far beyond what the rules ask for. */
const ACCOUNT_AGE_MS = 40 * DAY_MS;

export type Attack = "none" | "mark" | "seal";
export type Outcome = "marked" | "safe" | "staff" | "open";

/** What a rule makes of votes in their order; the product's rule, or a control. */
export interface VoteRule {
  readonly name: string;
  /** Whether a player is handed the same few pictures all day; if not, an account draws until the picture comes. */
  readonly cappedDraws: boolean;
  outcome(votes: readonly TimedVote[], voters: number): Outcome;
}

export interface TimedVote {
  readonly voter: number;
  readonly answer: RatingAnswer;
  readonly ts: number;
}

export const PRODUCT: VoteRule = {
  name: "rules of today",
  cappedDraws: true,
  outcome(votes, voters) {
    let tally: Tally = NO_VOTES;
    for (const { voter, answer, ts } of votes) {
      tally = addVote(tally, { answer, ts, weight: 1, accountAgeMs: ACCOUNT_AGE_MS, group: String(voter) });
      const verdict = verdictOf(tally, voters);
      // Whoever was marked or sealed once counts as such, even if later votes or staff put it right.
      if (verdict?.by === "votes") return isConsequent(verdict.answer) ? "marked" : "safe";
      if (verdict?.by === "staff") return "staff";
    }
    return "open";
  },
};

/** The rule until November 2026: a new account weighs 1, a lead of 4 settles the picture for ever. Kept to show that the figures can fail. */
export const FIRST_LEAD: VoteRule = {
  name: "control: a lead of four closes",
  cappedDraws: false,
  outcome(votes) {
    const weights = new Map<string, number>();
    for (const { answer } of votes) {
      weights.set(answer, (weights.get(answer) ?? 0) + 1);
      const [first, second] = [...weights].sort((a, b) => b[1] - a[1]);
      if (first && first[1] - (second?.[1] ?? 0) >= 4) return isConsequent(first[0]) ? "marked" : "safe";
    }
    return "open";
  },
};

interface Campaign {
  readonly honest: number;
  readonly hostile: number;
  readonly truth: RatingAnswer;
  readonly attack: Attack;
}

/** The moment at which a player is handed the picture and votes, or undefined if it does not come in all the time. */
function seenAt(random: () => number, playsADay: number, seen: readonly number[], hurry: boolean): number | undefined {
  // Where the player's own seven days begin: hostile ones begin when the picture is put up.
  const offset = hurry ? 0 : Math.floor(random() * 7);
  let left = GAME_OPEN_PER_WEEK_MAX;
  for (let day = 0; day < DAYS; day += 1) {
    if ((day + offset) % 7 === 0) left = GAME_OPEN_PER_WEEK_MAX;
    if (left === 0 || random() >= playsADay) continue;
    const handed = Math.min(left, GAME_OPEN_PER_DAY_MAX);
    left -= handed;
    if (random() < seen[handed]!) return (day + (hurry ? random() * 0.1 : random())) * DAY_MS;
  }
  return undefined;
}

function play(rule: VoteRule, { honest, hostile, truth, attack }: Campaign, random: () => number): Outcome {
  const voters = honest + (attack === "none" ? 0 : hostile);
  const missed = 1 - 1 / (voters * PICTURES_PER_VOTER);
  // By how many pictures are handed out: the chance that this one is among them.
  const seen = Array.from({ length: GAME_OPEN_PER_DAY_MAX + 1 }, (_, handed) => 1 - missed ** handed);
  const [hardest, easiest] = HONEST_ACCURACY;
  const accuracy = hardest + random() * (easiest - hardest);
  const wrong = RATING_ANSWERS.filter((answer) => answer !== truth);
  const votes: TimedVote[] = [];
  for (let voter = 0; voter < honest; voter += 1) {
    const ts = seenAt(random, HONEST_PLAYS_A_DAY[voter % HONEST_PLAYS_A_DAY.length]!, seen, false);
    if (ts === undefined) continue;
    const answer = random() < accuracy ? truth : wrong[Math.floor(random() * wrong.length)]!;
    votes.push({ voter, answer, ts });
  }
  for (let voter = honest; voter < voters; voter += 1) {
    const ts = rule.cappedDraws ? seenAt(random, 1, seen, true) : 1;
    if (ts !== undefined) votes.push({ voter, answer: attack === "mark" ? "explicit" : "safe", ts });
  }
  return rule.outcome(
    votes.sort((a, b) => a.ts - b.ts),
    voters,
  );
}

export interface Cell {
  readonly honest: number;
  readonly hostile: number;
  readonly attack: Attack;
  readonly truth: RatingAnswer;
  /** Shares of all campaigns. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

/** One cell of the table: this many campaigns, played with random numbers of a seed. */
export function playCell(rule: VoteRule, campaign: Campaign, campaigns: number, seed: number): Cell {
  const random = seededRandom(seed).next;
  const counts: Record<Outcome, number> = { marked: 0, safe: 0, staff: 0, open: 0 };
  for (let played = 0; played < campaigns; played += 1) counts[play(rule, campaign, random)] += 1;
  const share = (outcome: Outcome) => counts[outcome] / campaigns;
  const outcomes = { marked: share("marked"), safe: share("safe"), staff: share("staff"), open: share("open") };
  const { honest, hostile, attack, truth } = campaign;
  return { honest, hostile: attack === "none" ? 0 : hostile, attack, truth, outcomes };
}

/** The most that an attack may reach, and the least that honest voters alone must. */
export const GOALS = { hostileMax: 0.01, honestMin: 0.95 } as const;

/** Whether a cell is as it should be. A picture that stays open is as it was: right for an innocent one alone. */
export function isMet({ attack, truth, outcomes: { marked, safe, staff } }: Cell): boolean {
  if (attack === "mark") return marked <= GOALS.hostileMax;
  if (attack === "seal") return safe <= GOALS.hostileMax;
  const right = truth === "explicit" ? marked + staff : 1 - marked;
  return right >= GOALS.honestMin;
}

export const POOLS = [300, 1000, 10_000];
export const HOSTILE_ACCOUNTS = [10, 20, 50, 100];

export function playTable(
  rule: VoteRule,
  campaigns: number,
  seed: number,
  pools: readonly number[] = POOLS,
  accounts: readonly number[] = HOSTILE_ACCOUNTS,
): Cell[] {
  return pools.flatMap((honest) => [
    playCell(rule, { honest, hostile: 0, truth: "safe", attack: "none" }, campaigns, seed),
    playCell(rule, { honest, hostile: 0, truth: "explicit", attack: "none" }, campaigns, seed),
    ...accounts.flatMap((hostile) => [
      playCell(rule, { honest, hostile, truth: "safe", attack: "mark" }, campaigns, seed),
      playCell(rule, { honest, hostile, truth: "explicit", attack: "seal" }, campaigns, seed),
    ]),
  ]);
}
