/**
 * Simulates "Is it him?" on its own rules and limits, a day at a time: an impostor with hostile accounts has three tries, and an honest one
 * has one. Hostile accounts are proven, live elsewhere, joined in different ways and answer at once.
 */
import { BRANDS } from "@lambda/brands";
import {
  CHECK_JUDGES_WITHIN_MS,
  CHECK_PANEL_SIZE,
  CHECK_PANEL_WAIT_MS,
  CHECK_REFUSALS_MAX,
  CONSENSUS_VOTERS_WITHIN_MS,
  DAY_MS,
} from "@lambda/contract/limits";
import type { CheckAnswer } from "@lambda/contract/person-check";
import { seededRandom } from "@lambda/testing/random";
import { drawPanel, judgesPerSeat, mayReplace, verdictOf } from "@lambda/worker/person-check-rules";
import { HONEST_PLAYS_PER_DAY } from "./simulate.ts";

/** Honest players recognize a member in the pictures, and take a lookalike for the same person; by how hard the pictures are. */
const RECOGNIZED = [0.9, 0.98] as const;
const MISTAKEN = [0.02, 0.1] as const;
const WAIT_DAYS = CHECK_PANEL_WAIT_MS / DAY_MS;

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

/** The share of honest players who play at least once in this time. */
const playing = (ms: number) =>
  HONEST_PLAYS_PER_DAY.reduce((sum, rate) => sum + 1 - (1 - rate) ** (ms / DAY_MS), 0) / HONEST_PLAYS_PER_DAY.length;

function playTry({ honest, hostile, isHim, everybodyPlays }: CheckCampaign, random: () => number): Try {
  // Each brand has as many members.
  const elsewhere = Math.round(honest * (1 - 1 / BRANDS.length));
  const voters = hostile + Math.floor(honest * (everybodyPlays ? 1 : playing(CONSENSUS_VOTERS_WITHIN_MS)));
  const [low, high] = isHim ? RECOGNIZED : MISTAKEN;
  const saysHim = low + random() * (high - low);
  const asked = new Set<number>();
  const rateOf = (id: number) => (everybodyPlays ? 1 : HONEST_PLAYS_PER_DAY[id % HONEST_PLAYS_PER_DAY.length]!);
  const playedLately = (id: number) => random() < 1 - (1 - rateOf(id)) ** (CHECK_JUDGES_WITHIN_MS / DAY_MS);
  const answers: (CheckAnswer | null)[] = [];
  let days = 0;

  /** Draws judges for these seats and lets them play; returns the seats that stay silent. */
  const ask = (seats: readonly number[]): number[] => {
    const wanted = seats.length * judgesPerSeat(voters);
    const drawn: number[] = [];
    while (drawn.length < wanted) {
      const id = Math.floor(random() * (elsewhere + hostile));
      if (asked.has(id)) continue;
      asked.add(id);
      if (id >= elsewhere || playedLately(id)) drawn.push(id);
      if (asked.size === elsewhere + hostile) return [...seats];
    }
    const judges = drawPanel(
      drawn.map((id) => ({ id, network: id, tsJoined: 0 })),
      wanted,
      { network: -1, tsJoined: 0 },
    );
    let waited = 0;
    const silent = seats.filter((seat, at) => {
      const plays = judges.flatMap((id, index) => {
        if (index % seats.length !== at) return [];
        const isHostile = id >= elsewhere;
        const day = isHostile ? 0 : 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - rateOf(id)) || 0);
        return day <= WAIT_DAYS ? [{ day, yes: isHostile ? !isHim : random() < saysHim }] : [];
      });
      const first = plays.sort((a, b) => a.day - b.day)[0];
      answers[seat] = first ? (first.yes ? "him" : "not_him") : null;
      waited = Math.max(waited, first?.day ?? WAIT_DAYS);
      return !first;
    });
    days += waited;
    return silent;
  };

  let renewed = false;
  let silent = ask(Array.from({ length: CHECK_PANEL_SIZE }, (_, seat) => seat));
  for (;;) {
    const verdict = verdictOf(answers, renewed, voters);
    if (verdict === "second panel")
      silent = ask(Array.from({ length: CHECK_PANEL_SIZE }, (_, seat) => CHECK_PANEL_SIZE + seat));
    else if (verdict !== undefined) return { verdict, days };
    else if (!mayReplace(renewed, voters, days * DAY_MS)) return { verdict: "staff", days };
    else {
      renewed = true;
      silent = ask(silent);
    }
  }
}

interface CheckShares {
  /** Of all campaigns: those that end with the badge, ... */
  readonly badge: number;
  /** ... those that do within two days, ... */
  readonly soon: number;
  /** ... and those that staff have to decide. */
  readonly staff: number;
}

export function playChecks(campaign: CheckCampaign, campaigns: number, seed: number): CheckShares {
  const random = seededRandom(seed).next;
  const counts = { badge: 0, soon: 0, staff: 0 };
  for (let played = 0; played < campaigns; played += 1) {
    let last: Try = { verdict: "not_him", days: 0 };
    const tries = campaign.isHim ? 1 : CHECK_REFUSALS_MAX;
    for (let count = 0; count < tries && last.verdict !== "him" && last.verdict !== "staff"; count += 1)
      last = playTry(campaign, random);
    if (last.verdict === "him") counts.badge += 1;
    if (last.verdict === "him" && last.days <= WAIT_DAYS) counts.soon += 1;
    if (last.verdict === "staff" || (last.verdict !== "him" && !campaign.isHim)) counts.staff += 1;
  }
  return { badge: counts.badge / campaigns, soon: counts.soon / campaigns, staff: counts.staff / campaigns };
}

export const CHECK_CAMPAIGNS: readonly CheckCampaign[] = [300, 1000, 10_000].flatMap((honest) =>
  [true, false].flatMap((everybodyPlays) => [
    { honest, hostile: 0, isHim: true, everybodyPlays },
    { honest, hostile: 50, isHim: false, everybodyPlays },
  ]),
);

/** An impostor gets the badge in at most this share, and an honest one in at least that, where players need no staff. */
const CHECK_GOALS = { falseMax: 0.01, honestMin: 0.95 } as const;

export const meetsCheckGoal = ({ isHim, everybodyPlays, honest }: CheckCampaign, { badge }: CheckShares): boolean =>
  isHim ? badge >= CHECK_GOALS.honestMin || (!everybodyPlays && honest < 1000) : badge <= CHECK_GOALS.falseMax;
