/**
 * Simulates "Is it him?" on its own rules: an impostor with hostile accounts has three tries, and an honest one has one. Hostile accounts are
 * proven, live elsewhere, joined in different ways and answer at once. Honest players of other brands play as in the Rating Game.
 */
import { CHECK_PANEL_SIZE, CHECK_REFUSALS_MAX } from "@lambda/contract/limits";
import type { CheckAnswer } from "@lambda/contract/person-check";
import { seededRandom } from "@lambda/testing/random";
import { drawPanel, verdictOf } from "@lambda/worker/person-check-rules";
import { HONEST_PLAYS_PER_DAY } from "./simulate.ts";

/** One of three brands is the member's own. */
const ELSEWHERE_SHARE = 2 / 3;
/** Honest players recognize a member in the pictures, and take a lookalike for the same person; by how hard the pictures are. */
const RECOGNIZED = [0.9, 0.98] as const;
const MISTAKEN = [0.02, 0.1] as const;
const WAIT_DAYS = 2;

export interface CheckCampaign {
  readonly honest: number;
  readonly hostile: number;
  readonly isHim: boolean;
  /** Everybody plays every day: what the rules take. Otherwise some play twice a month. */
  readonly everybodyPlays: boolean;
}

type Verdict = CheckAnswer | "staff";

/** One try: the verdict. */
function playTry({ honest, hostile, isHim, everybodyPlays }: CheckCampaign, random: () => number): Verdict {
  const elsewhere = Math.round(honest * ELSEWHERE_SHARE);
  const [low, high] = isHim ? RECOGNIZED : MISTAKEN;
  const saysHim = low + random() * (high - low);
  const asked = new Set<number>();
  const answers: (CheckAnswer | null)[] = [];
  let renewed = false;
  const ask = (seats: readonly number[]) => {
    const candidates = Array.from({ length: CHECK_PANEL_SIZE * 4 }, () => Math.floor(random() * (elsewhere + hostile)));
    const fresh = [...new Set(candidates)].filter((id) => !asked.has(id));
    const judges = drawPanel(
      fresh.map((id) => ({ id, network: id, tsJoined: 0 })),
      seats.length,
    );
    for (const [index, seat] of seats.entries()) {
      const id = judges[index]!;
      asked.add(id);
      const isSilent = id < elsewhere && !everybodyPlays && random() < silenceOf(id);
      const isYes = id >= elsewhere ? !isHim : random() < saysHim;
      answers[seat] = isSilent ? null : isYes ? "him" : "not_him";
    }
  };
  ask([0, 1, 2, 3, 4]);
  for (;;) {
    const verdict = verdictOf(answers, renewed);
    if (verdict === "second panel") ask([5, 6, 7, 8, 9]);
    else if (verdict !== undefined) return verdict;
    else if (renewed) return "staff";
    else {
      renewed = true;
      ask([...answers.keys()].filter((seat) => answers[seat] === null));
    }
  }
}

/** The chance that an honest player does not play while a seat waits, among those who played within a week. */
function silenceOf(id: number): number {
  const rate = HONEST_PLAYS_PER_DAY[id % HONEST_PLAYS_PER_DAY.length]!;
  return (1 - rate) ** WAIT_DAYS;
}

/** The shares of campaigns that end with the badge, and that staff have to decide. */
export function playChecks(campaign: CheckCampaign, campaigns: number, seed: number): { badge: number; staff: number } {
  const random = seededRandom(seed).next;
  let badge = 0;
  let staff = 0;
  for (let played = 0; played < campaigns; played += 1) {
    let verdict: Verdict = "not_him";
    const tries = campaign.isHim ? 1 : CHECK_REFUSALS_MAX;
    for (let count = 0; count < tries && verdict !== "him" && verdict !== "staff"; count += 1)
      verdict = playTry(campaign, random);
    if (verdict === "him") badge += 1;
    else if (verdict === "staff" || !campaign.isHim) staff += 1;
  }
  return { badge: badge / campaigns, staff: staff / campaigns };
}

/** An impostor gets the badge in at most this share, and an honest one in at least that. */
const CHECK_GOALS = { falseMax: 0.01, honestMin: 0.95 } as const;
export const CHECK_CAMPAIGNS: readonly CheckCampaign[] = [300, 1000, 10_000].flatMap((honest) => [
  { honest, hostile: 0, isHim: true, everybodyPlays: true },
  { honest, hostile: 50, isHim: false, everybodyPlays: true },
  { honest, hostile: 50, isHim: false, everybodyPlays: false },
]);

export const meetsCheckGoal = ({ isHim }: CheckCampaign, badge: number): boolean =>
  isHim ? badge >= CHECK_GOALS.honestMin : badge <= CHECK_GOALS.falseMax;
