/** The rules of the voting games: whose votes count, and when votes agree. Pure, so that a simulation can use them. */
import {
  CONSENSUS_GROUP_VOTES_MAX,
  CONSENSUS_SHARE,
  CONSENSUS_SPAN_MS,
  CONSENSUS_VOTERS_MIN,
  CONSENSUS_VOTES_MAX,
  CONSENSUS_VOTES_MIN,
  CONSENSUS_WAIT_MAX_MS,
  DAY_MS,
  GAME_VOTE_MIN_MS,
  PROVEN_ACCOUNT_AGE_MS,
  PROVEN_ACCURACY_MIN,
  PROVEN_KNOWN_MIN,
  SUSPECTED_VOTES_MIN,
  TEST_ITEM_SHARE,
  TEST_ITEM_STABLE_MS,
} from "@lambda/contract/limits";

/** By known answer: how many test items the player saw, and how many they answered right. */
export type KnownRecord = Readonly<Record<string, readonly [seen: number, right: number]>>;

export interface PlayRecord {
  readonly votes: number;
  readonly known: KnownRecord;
  readonly answers: Readonly<Record<string, number>>;
  readonly tooFast: number;
  /** 0: votes independently; 1: votes with a ring. */
  readonly collusion: number;
}

export const NEW_PLAYER: PlayRecord = { votes: 0, known: {}, answers: {}, tooFast: 0, collusion: 0 };

const SAME_ANSWER_VOTES = 20;
const SAME_ANSWER_SHARE = 0.97;
const TOO_FAST_SHARE = 0.3;
/** Accounts registered within one such period may belong to one person. */
const REGISTRATION_PERIOD_MS = 7 * DAY_MS;

/**
 * Share of right answers on test items, averaged over the known answers, so that always answering "safe" does not pay off although most
 * pictures are safe.
 */
export function accuracyOf(known: KnownRecord): number {
  const kinds = Object.values(known).filter(([seen]) => seen > 0);
  if (kinds.length === 0) return 0;
  return kinds.reduce((sum, [seen, right]) => sum + right / seen, 0) / kinds.length;
}

/** Whether a player's votes count: the account is old enough and right on enough test items of at least two known answers. */
export function isProven(record: PlayRecord, accountAgeMs: number): boolean {
  const tested = Object.values(record.known).reduce((sum, [count]) => sum + count, 0);
  const kinds = Object.values(record.known).filter(([count]) => count > 0).length;
  return (
    accountAgeMs >= PROVEN_ACCOUNT_AGE_MS &&
    tested >= PROVEN_KNOWN_MIN &&
    kinds >= 2 &&
    accuracyOf(record.known) >= PROVEN_ACCURACY_MIN
  );
}

/**
 * The weight of a player's vote: 0 until the player is proven, then 1 and never more, because programs answer test items better than people.
 * Less for always giving the same answer, for voting too fast to have looked, and for voting with a ring.
 */
export function weightOf(record: PlayRecord, accountAgeMs: number): number {
  if (!isProven(record, accountAgeMs)) return 0;
  let weight = 1;
  const top = Math.max(0, ...Object.values(record.answers));
  if (record.votes >= SAME_ANSWER_VOTES && top / record.votes > SAME_ANSWER_SHARE) weight *= 0.1;
  const fast = record.votes === 0 ? 0 : record.tooFast / record.votes;
  if (record.votes >= 10 && fast > TOO_FAST_SHARE) weight *= 1 - fast;
  return weight * (1 - record.collusion);
}

/** Answers with a consequence; the others change nothing. */
const CONSEQUENTIAL_ANSWERS: ReadonlySet<string> = new Set(["explicit", "rule_breaking", "bot"]);

/** Whether an answer has a consequence. Answers are on the same side if this is equal. */
export const hasConsequence = (answer: string): boolean => CONSEQUENTIAL_ANSWERS.has(answer);

/** The votes on an item so far, stored with it, so that the cost of a vote does not grow with their number. */
export interface Tally {
  readonly votes: number;
  readonly weights: Readonly<Record<string, number>>;
  /** Votes from each group of voters who may be one person. */
  readonly groups: Readonly<Record<string, number>>;
  /** Votes of old enough accounts, proven or not, without and with consequence. They can only send an item to staff. */
  readonly aged: readonly [leave: number, mark: number];
  readonly tsFirst: number | null;
  readonly tsLast: number | null;
}

export const NO_VOTES: Tally = { votes: 0, weights: {}, groups: {}, aged: [0, 0], tsFirst: null, tsLast: null };

export interface CastVote {
  readonly answer: string;
  /** The weight at the time of the vote: votes cast before a player is proven never count. */
  readonly weight: number;
  readonly accountAgeMs: number;
  /** What voters who may be one person share: the network from which they registered, or the week. */
  readonly group: string;
  readonly ts: number;
}

/** Accounts that may be one person: registered from one network or, if that is no longer known, in one week. */
export function groupOf(network: number | null, tsJoined: number): string {
  return network !== null ? `n${network}` : `w${Math.floor(tsJoined / REGISTRATION_PERIOD_MS)}`;
}

/** The tally after one more vote. Only the first few votes of each group count. */
export function addVote(tally: Tally, { answer, weight, accountAgeMs, group, ts }: CastVote): Tally {
  const before = tally.groups[group] ?? 0;
  if (accountAgeMs < PROVEN_ACCOUNT_AGE_MS || before >= CONSENSUS_GROUP_VOTES_MAX) return tally;
  const [leave, mark] = tally.aged;
  const next: Tally = {
    ...tally,
    groups: { ...tally.groups, [group]: before + 1 },
    aged: hasConsequence(answer) ? [leave, mark + 1] : [leave + 1, mark],
  };
  if (weight <= 0) return next;
  return {
    ...next,
    votes: tally.votes + 1,
    weights: { ...tally.weights, [answer]: (tally.weights[answer] ?? 0) + weight },
    tsFirst: tally.tsFirst ?? ts,
    tsLast: ts,
  };
}

export type VoteVerdict =
  | { readonly by: "votes"; readonly answer: string; readonly share: number }
  /** Votes are divided or too slow, or there are too few voters overall. */
  | { readonly by: "staff"; readonly why: "divided" | "thin" };

/**
 * The verdict of the votes on an item: undefined while they are few, too close together in time for others to disagree, or without a
 * majority. Never final, because each later vote computes it again.
 *
 * @param voters the size of the pool: proven players of the game who voted recently
 */
export function verdictOf(tally: Tally, voters: number): VoteVerdict | undefined {
  if (voters < CONSENSUS_VOTERS_MIN) return isSuspected(tally) ? { by: "staff", why: "thin" } : undefined;
  const span = (tally.tsLast ?? 0) - (tally.tsFirst ?? 0);
  const total = weightOn(tally, () => true);
  if (total === 0 || span < CONSENSUS_SPAN_MS) return undefined;
  const share = weightOn(tally, hasConsequence) / total;
  if (tally.votes >= CONSENSUS_VOTES_MIN && share >= CONSENSUS_SHARE) {
    return { by: "votes", answer: mostCommon(tally, true), share };
  }
  if (tally.votes >= CONSENSUS_VOTES_MIN && 1 - share >= CONSENSUS_SHARE) {
    return { by: "votes", answer: mostCommon(tally, false), share: 1 - share };
  }
  const isOverdue = tally.votes >= CONSENSUS_VOTES_MAX || span >= CONSENSUS_WAIT_MAX_MS;
  return isOverdue && 1 - share < CONSENSUS_SHARE ? { by: "staff", why: "divided" } : undefined;
}

/** Whether votes of old enough accounts should send an item to staff while the pool is too small to decide. */
function isSuspected({ aged: [leave, mark] }: Tally): boolean {
  return mark >= SUSPECTED_VOTES_MIN && mark / (leave + mark) >= CONSENSUS_SHARE;
}

function weightOn({ weights }: Tally, which: (answer: string) => boolean): number {
  return Object.entries(weights).reduce((sum, [answer, weight]) => sum + (which(answer) ? weight : 0), 0);
}

/** The most common answer of a side; "rule_breaking", which opens a case, only if it reaches the consensus share by itself. */
function mostCommon(tally: Tally, consequent: boolean): string {
  const side = Object.entries(tally.weights).filter(([answer]) => hasConsequence(answer) === consequent);
  const [answer = "", weight = 0] = side.sort((a, b) => b[1] - a[1])[0] ?? [];
  const isConsensus = weight / weightOn(tally, () => true) >= CONSENSUS_SHARE;
  return answer === "rule_breaking" && !isConsensus ? "explicit" : answer;
}

/** Whether a consensus can become a test item: nearly all gave this answer, and it has stood long enough. */
export function canBecomeTestItem(tally: Tally, answer: string, tsDecided: number, now: number): boolean {
  const share = (tally.weights[answer] ?? 0) / weightOn(tally, () => true);
  return tally.votes >= CONSENSUS_VOTES_MIN && share >= TEST_ITEM_SHARE && now - tsDecided >= TEST_ITEM_STABLE_MS;
}

/** Whether later votes contradict staff's answer so clearly that staff should review it. */
export function isDoubted(tally: Tally, known: string, voters: number): boolean {
  const verdict = verdictOf(tally, voters);
  return verdict?.by === "votes" && hasConsequence(verdict.answer) !== hasConsequence(known);
}

/** The record after one more vote. `known` is the item's known answer, if it has one. */
export function recordVote(
  record: PlayRecord,
  vote: { answer: string; known: string | null; elapsedMs: number },
): PlayRecord {
  const { answer, known, elapsedMs } = vote;
  const [seen, right] = known === null ? [0, 0] : (record.known[known] ?? [0, 0]);
  return {
    ...record,
    votes: record.votes + 1,
    answers: { ...record.answers, [answer]: (record.answers[answer] ?? 0) + 1 },
    known: known === null ? record.known : { ...record.known, [known]: [seen + 1, right + (answer === known ? 1 : 0)] },
    tooFast: record.tooFast + (elapsedMs < GAME_VOTE_MIN_MS ? 1 : 0),
  };
}

/** How much a member votes with a ring, from 0 to 1: from pairs of players who gave the same wrong answers to the same items. */
export function collusionScore(pairs: readonly { together: number; wrong: number }[]): number {
  const suspicious = pairs.filter((pair) => pair.wrong >= 4 && pair.wrong / pair.together > 0.6);
  return Math.min(1, suspicious.length * 0.5);
}
