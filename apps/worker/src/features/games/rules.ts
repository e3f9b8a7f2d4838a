/** The arithmetic of the vote games: what a vote weighs, and when votes agree. Pure; the simulation plays a community with it. */
import { CONSENSUS_MARGIN_MIN, CONSENSUS_VOTES_MIN, GAME_VOTE_MIN_MS } from "@lambda/contract/limits";

/** Of each known answer: how many items the player saw, how many he got right. */
export type KnownRecord = Readonly<Record<string, readonly [seen: number, right: number]>>;

export interface PlayRecord {
  readonly votes: number;
  readonly known: KnownRecord;
  /** How often he gave each answer. */
  readonly answers: Readonly<Record<string, number>>;
  readonly tooFast: number;
  /** 0: votes on his own; 1: moves with a ring. */
  readonly ring: number;
}

export const NEW_PLAYER: PlayRecord = { votes: 0, known: {}, answers: {}, tooFast: 0, ring: 0 };

/** Nobody is known yet: right three times in four, as strong as two known items. */
const PRIOR_ACCURACY = 0.75;
const PRIOR_STRENGTH = 2;
const WEIGHT_MAX = 3;
const SAME_ANSWER_VOTES = 20;
const SAME_ANSWER_SHARE = 0.97;
const TOO_FAST_SHARE = 0.3;

/**
 * Share of right answers on known items, each answer counting alike: who always answers "safe" is right on safe pictures and
 * wrong on all others, and gains nothing by most pictures being safe.
 */
export function accuracyOf(known: KnownRecord): number {
  const kinds = Object.values(known);
  if (kinds.length === 0) return PRIOR_ACCURACY;
  const shares = kinds.map(([seen, right]) => (right + PRIOR_ACCURACY * PRIOR_STRENGTH) / (seen + PRIOR_STRENGTH));
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/**
 * What a player's vote weighs: the log-odds of his accuracy, 1 for a new player, 0 for one no better than a coin, at most 3;
 * less for one answer all the time, for votes too fast to have looked, and for moving with a ring.
 */
export function weightOf(record: PlayRecord, answers: number): number {
  const odds = (share: number) => Math.log((share * (answers - 1)) / (1 - share));
  let weight = odds(Math.min(0.99, accuracyOf(record.known))) / odds(PRIOR_ACCURACY);
  const top = Math.max(0, ...Object.values(record.answers));
  if (record.votes >= SAME_ANSWER_VOTES && top / record.votes > SAME_ANSWER_SHARE) weight *= 0.1;
  const fast = record.votes === 0 ? 0 : record.tooFast / record.votes;
  if (record.votes >= 10 && fast > TOO_FAST_SHARE) weight *= 1 - fast;
  weight *= 1 - record.ring;
  return Math.min(WEIGHT_MAX, Math.max(0, weight));
}

export interface WeighedVote {
  readonly answer: string;
  readonly weight: number;
}

/**
 * The answer that leads by enough weight, with its share of all; undefined while votes are few, light or divided. A lead and not
 * a share, so that a hard item is settled by more votes instead of never.
 */
export function consensusOf(votes: readonly WeighedVote[]): { answer: string; share: number } | undefined {
  const counted = votes.filter((vote) => vote.weight > 0);
  if (counted.length < CONSENSUS_VOTES_MIN) return undefined;
  const weights = new Map<string, number>();
  let total = 0;
  for (const { answer, weight } of counted) {
    weights.set(answer, (weights.get(answer) ?? 0) + weight);
    total += weight;
  }
  const [first, second] = [...weights].sort((a, b) => b[1] - a[1]);
  if (!first || first[1] - (second?.[1] ?? 0) < CONSENSUS_MARGIN_MIN) return undefined;
  return { answer: first[0], share: first[1] / total };
}

/** Settled so clearly that it may test other players. */
export function isClear(consensus: { share: number }, votes: number): boolean {
  return consensus.share >= 0.95 && votes >= 4;
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
export function ringScore(pairs: readonly { together: number; wrong: number }[]): number {
  const suspicious = pairs.filter((pair) => pair.wrong >= 4 && pair.wrong / pair.together > 0.6);
  return Math.min(1, suspicious.length * 0.5);
}
