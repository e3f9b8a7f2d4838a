/**
 * Simulates "Is it him?" on its own rules and limits: an impostor has three tries with each of the hostile accounts, and an honest member has
 * one. Hostile accounts are proven, live elsewhere, joined in different ways and answer before all others.
 */
import { BRANDS } from "@lambda/brands";
import {
  CHECK_JUDGED_MAX_MS,
  CHECK_JUDGES_MAX,
  CHECK_JUDGES_WITHIN_MS,
  CHECK_REFUSALS_MAX,
  DAY_MS,
} from "@lambda/contract/limits";
import type { CheckAnswer } from "@lambda/contract/person-check";
import { seededRandom } from "@lambda/testing/random";
import { drawJudges, verdictOf } from "@lambda/worker/person-check-rules";
import { HONEST_PLAYS_PER_DAY } from "./simulate.ts";

/** Honest players recognize a member in the pictures, and take a lookalike for the same person; by how hard the pictures are. */
const RECOGNIZED = [0.9, 0.98] as const;
const MISTAKEN = [0.02, 0.1] as const;

export interface CheckCampaign {
  readonly honest: number;
  readonly hostile: number;
  readonly isHim: boolean;
  /** Everybody plays every day: what the rules take. Otherwise some play twice a month. */
  readonly everybodyPlays: boolean;
}

interface Try {
  readonly verdict: CheckAnswer | "staff";
  readonly days: number;
}

/** Who may be drawn in the week of the campaign; a number from `elsewhere` on is a hostile account. */
function drawCandidates({ honest, hostile, everybodyPlays }: CheckCampaign, random: () => number) {
  // Each brand has as many members.
  const elsewhere = Math.round(honest * (1 - 1 / BRANDS.length));
  const rateOf = (id: number) => (everybodyPlays ? 1 : HONEST_PLAYS_PER_DAY[id % HONEST_PLAYS_PER_DAY.length]!);
  const isHostile = (id: number) => id >= elsewhere;
  const candidates = Array.from({ length: elsewhere + hostile }, (_, id) => ({ id, network: id, tsJoined: 0 })).filter(
    ({ id }) => isHostile(id) || random() < 1 - (1 - rateOf(id)) ** (CHECK_JUDGES_WITHIN_MS / DAY_MS),
  );
  return { candidates, rateOf, isHostile };
}

function playTry(isHim: boolean, pool: ReturnType<typeof drawCandidates>, random: () => number): Try {
  const { candidates, rateOf, isHostile } = pool;
  for (let at = 0; at < Math.min(CHECK_JUDGES_MAX, candidates.length); at += 1) {
    const other = at + Math.floor(random() * (candidates.length - at));
    [candidates[at], candidates[other]] = [candidates[other]!, candidates[at]!];
  }
  const drawn = candidates.slice(0, CHECK_JUDGES_MAX);
  const { judges, needed } = drawJudges(drawn, candidates.length, { network: -1, tsJoined: 0 });
  const [low, high] = isHim ? RECOGNIZED : MISTAKEN;
  const saysHim = low + random() * (high - low);
  const plays = judges.map((id) => {
    if (isHostile(id)) return { day: 0, yes: !isHim };
    const daysWithout = Math.floor(Math.log(1 - random()) / Math.log(1 - rateOf(id)) || 0);
    return { day: daysWithout + random(), yes: random() < saysHim };
  });
  const inTime = plays.filter(({ day }) => day <= CHECK_JUDGED_MAX_MS / DAY_MS).sort((a, b) => a.day - b.day);
  const answers = inTime.slice(0, needed).map(({ yes }): CheckAnswer => (yes ? "him" : "not_him"));
  const verdict = verdictOf(answers, needed) ?? "staff";
  const decisive = verdict === "him" && answers.findIndex((_, at) => verdictOf(answers.slice(0, at + 1), needed));
  return { verdict, days: decisive === false ? Number.POSITIVE_INFINITY : inTime[decisive]!.day };
}

interface CheckShares {
  /** Of all campaigns: those that end with the badge, ... */
  readonly badge: number;
  /** ... those that do within a day, and within two, ... */
  readonly soon: readonly [number, number];
  /** ... and those that staff have to decide. */
  readonly staff: number;
}

export function playChecks(campaign: CheckCampaign, campaigns: number, seed: number): CheckShares {
  const random = seededRandom(seed).next;
  const counts = { badge: 0, day: 0, twoDays: 0, staff: 0 };
  for (let played = 0; played < campaigns; played += 1) {
    let last: Try = { verdict: "staff", days: 0 };
    const pool = drawCandidates(campaign, random);
    const tries = campaign.isHim ? 1 : CHECK_REFUSALS_MAX * campaign.hostile;
    for (let count = 0; count < tries && last.verdict !== "him"; count += 1)
      last = playTry(campaign.isHim, pool, random);
    if (last.verdict === "him") counts.badge += 1;
    if (last.verdict === "him" && last.days <= 1) counts.day += 1;
    if (last.verdict === "him" && last.days <= 2) counts.twoDays += 1;
    if (last.verdict === "staff" || (last.verdict !== "him" && !campaign.isHim)) counts.staff += 1;
  }
  return {
    badge: counts.badge / campaigns,
    soon: [counts.day / campaigns, counts.twoDays / campaigns],
    staff: counts.staff / campaigns,
  };
}

export const CHECK_CAMPAIGNS: readonly CheckCampaign[] = [300, 550, 1000, 3000, 10_000].flatMap((honest) =>
  [true, false].flatMap((everybodyPlays) => [
    { honest, hostile: 0, isHim: true, everybodyPlays },
    { honest, hostile: 50, isHim: false, everybodyPlays },
  ]),
);

/** An impostor gets the badge in at most this share, and an honest one in at least that, on a day on which everybody plays. */
const CHECK_GOALS = { falseMax: 0.01, honestMin: 0.95 } as const;

export const meetsCheckGoal = ({ isHim, everybodyPlays }: CheckCampaign, { badge, soon }: CheckShares): boolean =>
  isHim ? (everybodyPlays ? soon[0] : badge) >= CHECK_GOALS.honestMin : badge <= CHECK_GOALS.falseMax;
