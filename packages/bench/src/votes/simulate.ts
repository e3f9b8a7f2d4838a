/**
 * Simulates an attacker with many accounts against the Rating Game, on the game's own rules, over 30 days after a picture is uploaded.
 * The accounts are old enough, passed every test, joined in different ways, cannot choose their pictures, play as much as allowed from
 * the first day of each week, and all vote alike.
 */
import { RATING_ANSWERS, type RatingAnswer } from "@lambda/contract/game-answers";
import { DAY_MS, GAME_OPEN_PER_DAY_MAX, GAME_OPEN_PER_WEEK_MAX } from "@lambda/contract/limits";
import { seededRandom } from "@lambda/testing/random";
import { addVote, hasConsequence, NO_VOTES, type Tally, verdictOf } from "@lambda/worker/games-rules";

const DAYS = 30;
/** Plays per day: of four honest voters, one plays every other day, one twice a week, one weekly, one twice a month. */
export const HONEST_PLAYS_PER_DAY = [1 / 2, 2 / 7, 1 / 7, 1 / 15];
/** Accuracy of honest voters from the hardest picture to the easiest; wrong answers are spread evenly over the other three. */
const HONEST_ACCURACY = [0.71, 0.91] as const;
/** Pictures in the game per voter: all public ones, because settled pictures are drawn again. */
const PICTURES_PER_VOTER = 1.5;
/** Far above the required account age. */
const ACCOUNT_AGE_MS = 40 * DAY_MS;

export type Attack = "none" | "mark" | "seal";
export type Outcome = "marked" | "safe" | "staff" | "open";

interface TimedVote {
  readonly voter: number;
  readonly answer: RatingAnswer;
  readonly ts: number;
}

/** The outcome of votes in chronological order. */
function outcomeOf(votes: readonly TimedVote[], voters: number): Outcome {
  let tally: Tally = NO_VOTES;
  for (const { voter, answer, ts } of votes) {
    tally = addVote(tally, { answer, ts, weight: 1, accountAgeMs: ACCOUNT_AGE_MS, group: String(voter) });
    const verdict = verdictOf(tally, voters);
    // Once marked or cleared it counts as such, even if later votes or staff would correct it.
    if (verdict?.by === "votes") return hasConsequence(verdict.answer) ? "marked" : "safe";
    if (verdict?.by === "staff") return "staff";
  }
  return "open";
}

interface Campaign {
  readonly honest: number;
  readonly hostile: number;
  readonly truth: RatingAnswer;
  readonly attack: Attack;
}

/** When a player draws the picture and votes; undefined if it never happens. */
function findVoteTime(
  random: () => number,
  playsPerDay: number,
  drawChance: readonly number[],
  isHostile: boolean,
): number | undefined {
  // Offset of the player's week; those of hostile players start with the upload.
  const offset = isHostile ? 0 : Math.floor(random() * 7);
  let remaining = GAME_OPEN_PER_WEEK_MAX;
  for (let day = 0; day < DAYS; day += 1) {
    if ((day + offset) % 7 === 0) remaining = GAME_OPEN_PER_WEEK_MAX;
    if (remaining === 0 || random() >= playsPerDay) continue;
    const drawn = Math.min(remaining, GAME_OPEN_PER_DAY_MAX);
    remaining -= drawn;
    if (random() < drawChance[drawn]!) return (day + (isHostile ? random() * 0.1 : random())) * DAY_MS;
  }
  return undefined;
}

function play({ honest, hostile, truth, attack }: Campaign, random: () => number): Outcome {
  const voters = honest + (attack === "none" ? 0 : hostile);
  const missed = 1 - 1 / (voters * PICTURES_PER_VOTER);
  // The chance that this picture is among n drawn ones, by n.
  const drawChance = Array.from({ length: GAME_OPEN_PER_DAY_MAX + 1 }, (_, drawn) => 1 - missed ** drawn);
  const [hardest, easiest] = HONEST_ACCURACY;
  const accuracy = hardest + random() * (easiest - hardest);
  const wrong = RATING_ANSWERS.filter((answer) => answer !== truth);
  const votes: TimedVote[] = [];
  for (let voter = 0; voter < honest; voter += 1) {
    const ts = findVoteTime(random, HONEST_PLAYS_PER_DAY[voter % HONEST_PLAYS_PER_DAY.length]!, drawChance, false);
    if (ts === undefined) continue;
    const answer = random() < accuracy ? truth : wrong[Math.floor(random() * wrong.length)]!;
    votes.push({ voter, answer, ts });
  }
  for (let voter = honest; voter < voters; voter += 1) {
    const ts = findVoteTime(random, 1, drawChance, true);
    if (ts !== undefined) votes.push({ voter, answer: attack === "mark" ? "explicit" : "safe", ts });
  }
  return outcomeOf(
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

/** One cell of the table: plays a number of campaigns with a seed. */
function playCell(campaign: Campaign, campaigns: number, seed: number): Cell {
  const random = seededRandom(seed).next;
  const counts: Record<Outcome, number> = { marked: 0, safe: 0, staff: 0, open: 0 };
  for (let played = 0; played < campaigns; played += 1) counts[play(campaign, random)] += 1;
  const share = (outcome: Outcome) => counts[outcome] / campaigns;
  const outcomes = { marked: share("marked"), safe: share("safe"), staff: share("staff"), open: share("open") };
  const { honest, hostile, attack, truth } = campaign;
  return { honest, hostile: attack === "none" ? 0 : hostile, attack, truth, outcomes };
}

/** Maximum success rate of an attack, and minimum accuracy of honest voters without one. */
const GOALS = { hostileMax: 0.01, honestMin: 0.95 } as const;

/** Whether a cell meets its goal. An undecided picture stays visible, which is correct only for an innocent one. */
export function meetsGoal({ attack, truth, outcomes: { marked, safe, staff } }: Cell): boolean {
  if (attack === "mark") return marked <= GOALS.hostileMax;
  if (attack === "seal") return safe <= GOALS.hostileMax;
  const correct = truth === "explicit" ? marked + staff : 1 - marked;
  return correct >= GOALS.honestMin;
}

const POOLS = [300, 1000, 10_000];
const HOSTILE_ACCOUNTS = [10, 20, 50, 100];

export function playTable(
  campaigns: number,
  seed: number,
  pools: readonly number[] = POOLS,
  accounts: readonly number[] = HOSTILE_ACCOUNTS,
): Cell[] {
  return pools.flatMap((honest) => [
    playCell({ honest, hostile: 0, truth: "safe", attack: "none" }, campaigns, seed),
    playCell({ honest, hostile: 0, truth: "explicit", attack: "none" }, campaigns, seed),
    ...accounts.flatMap((hostile) => [
      playCell({ honest, hostile, truth: "safe", attack: "mark" }, campaigns, seed),
      playCell({ honest, hostile, truth: "explicit", attack: "seal" }, campaigns, seed),
    ]),
  ]);
}
