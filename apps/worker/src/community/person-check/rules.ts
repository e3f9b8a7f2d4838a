/** Who compares, and what their answers mean. Pure, so that a simulation can use them. */
import {
  CHECK_JUDGED_MAX_MS,
  CHECK_JUDGES_PER_SEAT_MAX,
  CHECK_PANEL_SIZE,
  CHECK_REPLACE_VOTERS_MIN,
  CHECK_VOTERS_PER_JUDGE,
  CONSENSUS_GROUP_VOTES_MAX,
} from "@lambda/contract/limits";
import type { CheckAnswer, PersonCheckPose } from "@lambda/contract/person-check";
import { groupOf } from "../games/rules.ts";

/** The proven players of the game, whose number bounds the share that one person's accounts can have. */
type Voters = number;

/** How many judges are drawn for each seat. In proportion to the players, so that one person's share of the seats does not grow with them. */
export const judgesPerSeat = (voters: Voters): number =>
  Math.min(CHECK_JUDGES_PER_SEAT_MAX, Math.max(1, Math.floor(voters / CHECK_VOTERS_PER_JUDGE)));

/** Whether silent judges are replaced; otherwise staff decide. */
export const mayReplace = (renewed: boolean, voters: Voters, judgedMs: number): boolean =>
  !renewed || (voters >= CHECK_REPLACE_VOTERS_MIN && judgedMs < CHECK_JUDGED_MAX_MS);

/**
 * The verdict of the answers so far, by seat; "second panel" when it takes one, undefined while a panel is incomplete.
 *
 * @param renewed silent judges were replaced, which favors accounts that are always there, so that in a small community one panel is not enough
 */
export function verdictOf(
  answers: readonly (CheckAnswer | null)[],
  renewed: boolean,
  voters: Voters,
): CheckAnswer | "second panel" | undefined {
  if (answers.length < CHECK_PANEL_SIZE || answers.includes(null)) return undefined;
  const count = (wanted: CheckAnswer) => answers.filter((answer) => answer === wanted).length;
  const panels = answers.length / CHECK_PANEL_SIZE;
  if (panels === 1) {
    if (count("him") === CHECK_PANEL_SIZE && (!renewed || judgesPerSeat(voters) > 1)) return "him";
    if (count("him") > CHECK_PANEL_SIZE / 2) return "second panel";
  } else if (count("him") >= answers.length * 0.8) return "him";
  return count("not_him") >= count("unclear") ? "not_him" : "unclear";
}

export interface Candidate {
  readonly id: number;
  /** Keyed hash of the network of the registration; null once it is forgotten. */
  readonly network: number | null;
  readonly tsJoined: number;
}

/**
 * The first of shuffled candidates, of whom at most two may be one person, those drawn before included, and none the member who is checked.
 */
export function drawPanel(
  candidates: readonly Candidate[],
  seats: number,
  own: Omit<Candidate, "id">,
  drawn: readonly Omit<Candidate, "id">[] = [],
): number[] {
  const groups = new Map<string, number>();
  for (const { network, tsJoined } of drawn) {
    const group = groupOf(network, tsJoined);
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  groups.set(groupOf(own.network, own.tsJoined), CONSENSUS_GROUP_VOTES_MAX);
  const panel: number[] = [];
  for (const { id, network, tsJoined } of candidates) {
    if (panel.length === seats) break;
    const group = groupOf(network, tsJoined);
    const before = groups.get(group) ?? 0;
    if (before >= CONSENSUS_GROUP_VOTES_MAX) continue;
    groups.set(group, before + 1);
    panel.push(id);
  }
  return panel;
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
