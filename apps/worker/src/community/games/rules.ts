/** The arithmetic of the vote games: whose vote counts, and when votes agree. Pure; the simulation plays a community with it. */
import {
  CONSENSUS_GROUP_VOTES_MAX,
  CONSENSUS_SHARE,
  CONSENSUS_SPAN_MS,
  CONSENSUS_VOTERS_MIN,
  CONSENSUS_VOTES_DIVIDED,
  CONSENSUS_VOTES_MIN,
  CONSENSUS_WAIT_MAX_MS,
  GAME_VOTE_MIN_MS,
  PROVEN_ACCOUNT_AGE_MS,
  PROVEN_ACCURACY_MIN,
  PROVEN_KNOWN_MIN,
  SUSPECTED_VOTES_MIN,
  TEST_ITEM_SHARE,
  TEST_ITEM_STANDING_MS,
} from "@lambda/contract/limits";

/** Of each known answer: how many items the player saw, and how many were answered right. */
export type KnownRecord = Readonly<Record<string, readonly [seen: number, right: number]>>;

export interface PlayRecord {
  readonly votes: number;
  readonly known: KnownRecord;
  /** How often the player gave each answer. */
  readonly answers: Readonly<Record<string, number>>;
  readonly tooFast: number;
  /** 0: votes alone; 1: moves with a ring. */
  readonly ring: number;
}

export const NEW_PLAYER: PlayRecord = { votes: 0, known: {}, answers: {}, tooFast: 0, ring: 0 };

const SAME_ANSWER_VOTES = 20;
const SAME_ANSWER_SHARE = 0.97;
const TOO_FAST_SHARE = 0.3;

/**
 * Share of right answers on known items, each answer counting alike: who always answers "safe" is right on safe pictures and
 * wrong on all others, and gains nothing by most pictures being safe.
 */
export function accuracyOf(known: KnownRecord): number {
  const kinds = Object.values(known).filter(([seen]) => seen > 0);
  if (kinds.length === 0) return 0;
  return kinds.reduce((sum, [seen, right]) => sum + right / seen, 0) / kinds.length;
}

/** Whether a player's votes count: an account of some age, and right on enough items of at least two known answers. */
export function isProven(record: PlayRecord, accountAgeMs: number): boolean {
  const seen = Object.values(record.known).reduce((sum, [count]) => sum + count, 0);
  const kinds = Object.values(record.known).filter(([count]) => count > 0).length;
  return (
    accountAgeMs >= PROVEN_ACCOUNT_AGE_MS &&
    seen >= PROVEN_KNOWN_MIN &&
    kinds >= 2 &&
    accuracyOf(record.known) >= PROVEN_ACCURACY_MIN
  );
}

/**
 * What a player's vote weighs: 0 until the player is proven, then 1 and never more, as a program answers test items better than people
 * do; less for one answer all the time, for votes too fast to have looked, and for moving with a ring.
 */
export function weightOf(record: PlayRecord, accountAgeMs: number): number {
  if (!isProven(record, accountAgeMs)) return 0;
  let weight = 1;
  const top = Math.max(0, ...Object.values(record.answers));
  if (record.votes >= SAME_ANSWER_VOTES && top / record.votes > SAME_ANSWER_SHARE) weight *= 0.1;
  const fast = record.votes === 0 ? 0 : record.tooFast / record.votes;
  if (record.votes >= 10 && fast > TOO_FAST_SHARE) weight *= 1 - fast;
  return weight * (1 - record.ring);
}

/** The answers that something follows from; the others leave everything as it is. */
const CONSEQUENT: ReadonlySet<string> = new Set(["explicit", "rule_breaking", "bot"]);

/** Whether something follows from an answer. Answers on the same side differ in words alone. */
export function isConsequent(answer: string): boolean {
  return CONSEQUENT.has(answer);
}

/** What was said of an item so far. Stored with it, so that a vote costs the same however many there are. */
export interface Tally {
  /** Votes that count. */
  readonly votes: number;
  /** Weight of each answer. */
  readonly weights: Readonly<Record<string, number>>;
  /** Votes that came from each group of voters who may be one person. */
  readonly groups: Readonly<Record<string, number>>;
  /** Of accounts old enough, proven or not: [nothing follows, something follows]. They may call staff and no more. */
  readonly aged: readonly [leave: number, mark: number];
  readonly tsFirst: number | null;
  readonly tsLast: number | null;
}

export const NO_VOTES: Tally = { votes: 0, weights: {}, groups: {}, aged: [0, 0], tsFirst: null, tsLast: null };

export interface CastVote {
  readonly answer: string;
  /** As it is now: votes cast before a player is proven never count. */
  readonly weight: number;
  readonly accountAgeMs: number;
  /** What voters who may be one person have in common: the network they joined from, or the week. */
  readonly group: string;
  readonly ts: number;
}

/** The tally after one more vote. Of each group the earliest few count, and the rest only say that they were there. */
export function addVote(tally: Tally, { answer, weight, accountAgeMs, group, ts }: CastVote): Tally {
  const before = tally.groups[group] ?? 0;
  if (accountAgeMs < PROVEN_ACCOUNT_AGE_MS || before >= CONSENSUS_GROUP_VOTES_MAX) return tally;
  const [leave, mark] = tally.aged;
  const seen: Tally = {
    ...tally,
    groups: { ...tally.groups, [group]: before + 1 },
    aged: isConsequent(answer) ? [leave, mark + 1] : [leave + 1, mark],
  };
  if (weight <= 0) return seen;
  return {
    ...seen,
    votes: tally.votes + 1,
    weights: { ...tally.weights, [answer]: (tally.weights[answer] ?? 0) + weight },
    tsFirst: tally.tsFirst ?? ts,
    tsLast: ts,
  };
}

export type Verdict =
  | { readonly by: "votes"; readonly answer: string; readonly share: number }
  /** Votes are divided or slow to come, or there are too few voters in all for them to decide. */
  | { readonly by: "staff"; readonly why: "divided" | "thin" };

/**
 * What votes say of an item: nothing while they are few, were cast within too short a time for others to disagree, or lean
 * neither way. Never final: it is asked again with each later vote.
 *
 * @param voters proven players of the game who voted lately, all items together
 */
export function verdictOf(tally: Tally, voters: number): Verdict | undefined {
  if (voters < CONSENSUS_VOTERS_MIN) return isSuspected(tally) ? { by: "staff", why: "thin" } : undefined;
  const span = (tally.tsLast ?? 0) - (tally.tsFirst ?? 0);
  const total = weightOn(tally, () => true);
  if (total === 0 || span < CONSENSUS_SPAN_MS) return undefined;
  const share = weightOn(tally, isConsequent) / total;
  if (tally.votes >= CONSENSUS_VOTES_MIN && share >= CONSENSUS_SHARE) {
    return { by: "votes", answer: commonest(tally, true), share };
  }
  if (tally.votes >= CONSENSUS_VOTES_MIN && 1 - share >= CONSENSUS_SHARE) {
    return { by: "votes", answer: commonest(tally, false), share: 1 - share };
  }
  const waited = tally.votes >= CONSENSUS_VOTES_DIVIDED || span >= CONSENSUS_WAIT_MAX_MS;
  return waited && 1 - share < CONSENSUS_SHARE ? { by: "staff", why: "divided" } : undefined;
}

/** Where votes decide nothing, those of accounts old enough bring an item to staff. */
function isSuspected({ aged: [leave, mark] }: Tally): boolean {
  return mark >= SUSPECTED_VOTES_MIN && mark / (leave + mark) >= CONSENSUS_SHARE;
}

function weightOn({ weights }: Tally, which: (answer: string) => boolean): number {
  return Object.entries(weights).reduce((sum, [answer, weight]) => sum + (which(answer) ? weight : 0), 0);
}

/** The side's commonest answer; "rule_breaking", which opens a case, only when it has the share of a consensus by itself. */
function commonest(tally: Tally, consequent: boolean): string {
  const side = Object.entries(tally.weights).filter(([answer]) => isConsequent(answer) === consequent);
  const [answer = "", weight = 0] = side.sort((a, b) => b[1] - a[1])[0] ?? [];
  const alone = weight / weightOn(tally, () => true) >= CONSENSUS_SHARE;
  return answer === "rule_breaking" && !alone ? "explicit" : answer;
}

/** Whether a consensus may test other players: nearly all gave this one answer, and nobody overturned it for long enough. */
export function mayTest(tally: Tally, answer: string, tsDecided: number, now: number): boolean {
  const share = (tally.weights[answer] ?? 0) / weightOn(tally, () => true);
  return tally.votes >= CONSENSUS_VOTES_MIN && share >= TEST_ITEM_SHARE && now - tsDecided >= TEST_ITEM_STANDING_MS;
}

/** Whether votes on an item that staff decided, or that tests players, say the opposite so clearly that staff look again. */
export function isDoubted(tally: Tally, known: string, voters: number): boolean {
  const verdict = verdictOf(tally, voters);
  return verdict?.by === "votes" && isConsequent(verdict.answer) !== isConsequent(known);
}

/** The record after one more vote. `known`: the certain answer, if the item has one. */
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

/** How far a member moves with a ring: from pairs of players who are wrong together, on the same items, with the same answer. */
export function collusionScore(pairs: readonly { together: number; wrong: number }[]): number {
  const suspicious = pairs.filter((pair) => pair.wrong >= 4 && pair.wrong / pair.together > 0.6);
  return Math.min(1, suspicious.length * 0.5);
}
