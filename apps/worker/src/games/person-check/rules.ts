/** Who compares, and what their answers mean. Pure, so that a simulation can use them. */
import {
  CHECK_AGREED_SHARE_MIN,
  CHECK_ANSWERS_MARGIN,
  CHECK_ANSWERS_MIN,
  CHECK_HOSTILE_ACCOUNTS,
  CHECK_JUDGES_MAX,
} from "@lambda/contract/limits";
import type { CheckAnswer, PersonCheckPose } from "@lambda/contract/person-check";
import { groupOf } from "../rules.ts";

/**
 * How many of the drawn judges must answer. One person's accounts may answer before all others, so it takes more than the lot is likely to give
 * them: three standard deviations above their mean, and some more, because small numbers scatter further upward.
 */
export function answersNeeded(drawn: number, candidates: number): number {
  const share = drawn / Math.max(candidates, 1);
  const mean = CHECK_HOSTILE_ACCOUNTS * share;
  const hostile = mean + 3 * Math.sqrt(mean * (1 - share)) + 2.5 * (1 - share);
  return Math.max(CHECK_ANSWERS_MIN, Math.ceil(CHECK_ANSWERS_MARGIN * hostile));
}

/** The verdict of the answers so far; undefined while it can be either. */
export function verdictOf(answers: readonly CheckAnswer[], needed: number): CheckAnswer | undefined {
  const count = (wanted: CheckAnswer) => answers.filter((answer) => answer === wanted).length;
  const agreed = Math.round(needed * CHECK_AGREED_SHARE_MIN);
  if (count("him") >= agreed) return "him";
  if (answers.length - count("him") <= needed - agreed) return undefined;
  return count("not_him") >= count("unclear") ? "not_him" : "unclear";
}

export interface Candidate {
  readonly id: number;
  /** Keyed hash of the network of the registration; null once it is forgotten. */
  readonly network: number | null;
  readonly tsJoined: number;
}

/**
 * The first of shuffled candidates, of whom at most a fifth of the answers may be one person's, and none the member who is checked.
 *
 * @param total of whom the candidates are a random part
 * @returns no judges if they are fewer than the answers that are needed
 */
export function drawJudges(
  candidates: readonly Candidate[],
  total: number,
  own: Omit<Candidate, "id">,
): { readonly judges: readonly number[]; readonly needed: number } {
  const needed = answersNeeded(Math.min(CHECK_JUDGES_MAX, candidates.length), total);
  const groupMax = Math.floor(needed * (1 - CHECK_AGREED_SHARE_MIN));
  const groups = new Map([[groupOf(own.network, own.tsJoined), groupMax]]);
  const judges: number[] = [];
  for (const { id, network, tsJoined } of candidates) {
    if (judges.length === CHECK_JUDGES_MAX) break;
    const group = groupOf(network, tsJoined);
    const before = groups.get(group) ?? 0;
    if (before >= groupMax) continue;
    groups.set(group, before + 1);
    judges.push(id);
  }
  return { judges: judges.length < needed ? [] : judges, needed };
}

/** @param random numbers from 0 to below 1 that nobody can predict */
export function drawPose(random: () => number): PersonCheckPose {
  const below = (end: number) => Math.floor(random() * end);
  return {
    fingers: 1 + below(5),
    hand: below(2) === 0 ? "left" : "right",
    turn: (["left", "right", "up"] as const)[below(3)]!,
    number: String(below(10_000)).padStart(4, "0"),
  };
}
