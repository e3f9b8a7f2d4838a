/**
 * Who may sit on a jury, and which nine of them do. Built so that nobody chooses jurors: only a candidate's own acts exclude,
 * seats are spread over age, network and way of joining, and a pool that somebody may have filled or emptied is refused.
 */
import {
  JUROR_ACCOUNT_AGE_MS,
  JUROR_JOINING_MS,
  JUROR_RECENT_MS,
  JUROR_REST_MS,
  JUROR_SEEN_WITHIN_MS,
  JUROR_TALKS_MIN,
  JURY_AGE_GROUPS,
  JURY_POOL_CONTACT_MAX,
  JURY_POOL_MIN,
  JURY_POOL_RECENT_MAX,
  JURY_SEATS,
} from "@lambda/contract/limits";
import type { PoolProblem } from "../case/rules.ts";

/** How many of those who may serve are checked for contact and experience. */
export const POOL_CHECKED = 600;

/** An account as the draw first sees it. */
export interface PoolMember {
  readonly id: number;
  readonly tsCreated: number;
  readonly tsSeen: number;
  readonly homeBrand: string;
  /** Keyed hash of the network that registered it; null when it is not known any more. */
  readonly network: number | null;
  readonly optedOut: boolean;
  readonly tsSummoned: number | null;
  readonly voted: number;
  readonly overturned: number;
}

/** The same with what it takes more reads to know. */
export interface Candidate extends PoolMember {
  /** Others they have talked with; counted up to JUROR_TALKS_MIN. */
  readonly talks: number;
  /** Warned or worse within JUROR_CLEAN_MS. */
  readonly sanctioned: boolean;
  /** Sat on an earlier jury of this case. */
  readonly served: boolean;
  /** Wrote to, rated, noted, blocked, reported or opened an album to a side: their own act, never the side's alone. */
  readonly metSide: boolean;
}

export interface Pool {
  readonly candidates: readonly Candidate[];
  /** About how many members the candidates were taken from; see `estimatePool`. */
  readonly size: number;
  /** Networks of the sides: their own second accounts judge nothing. */
  readonly sideNetworks: readonly number[];
}

export type Draw = { readonly jurors: readonly number[] } | { readonly problem: PoolProblem };

/** Age, activity, rest and record, as far as one row tells. */
export function mayServe(member: PoolMember, now: number): boolean {
  return (
    !member.optedOut &&
    member.tsCreated <= now - JUROR_ACCOUNT_AGE_MS &&
    member.tsSeen >= now - JUROR_SEEN_WITHIN_MS &&
    (member.tsSummoned === null || member.tsSummoned <= now - JUROR_REST_MS) &&
    !(member.voted >= 6 && member.overturned * 2 > member.voted)
  );
}

export function isExperienced(candidate: Candidate): boolean {
  return candidate.talks >= JUROR_TALKS_MIN && !candidate.sanctioned && !candidate.served;
}

/** How large the pool is, from the part of a sample that may serve. */
export function estimatePool(sampled: number, of: number, serving: number, checked: number, fit: number): number {
  if (sampled === 0 || checked === 0) return 0;
  return Math.round(((of * serving) / sampled) * (fit / checked));
}

/** One draw for all seats. `random` in [0, 1) must be unpredictable to members. */
export function drawJury(pool: Pool, random: () => number, now: number): Draw {
  const fit = pool.candidates.filter((candidate) => mayServe(candidate, now) && isExperienced(candidate));
  const strangers = fit.filter((candidate) => !candidate.metSide);
  if (pool.size < JURY_POOL_MIN || fit.length < JURY_SEATS) return { problem: "few" };
  if (fit.length - strangers.length > fit.length * JURY_POOL_CONTACT_MAX) return { problem: "contact" };
  const recent = strangers.filter((candidate) => candidate.tsCreated > now - JUROR_RECENT_MS);
  if (recent.length > strangers.length * JURY_POOL_RECENT_MAX) return { problem: "recent" };

  const byAge = strangers.toSorted((a, b) => a.tsCreated - b.tsCreated || a.id - b.id);
  const networks = new Set(pool.sideNetworks);
  const joined = new Set<string>();
  const jurors: number[] = [];
  for (let group = 0; group < JURY_AGE_GROUPS; group += 1) {
    const from = Math.floor((group * byAge.length) / JURY_AGE_GROUPS);
    const to = Math.floor(((group + 1) * byAge.length) / JURY_AGE_GROUPS);
    let free = JURY_SEATS / JURY_AGE_GROUPS;
    for (const candidate of shuffle(byAge.slice(from, to), random)) {
      if (free === 0) break;
      const way = wayOfJoining(candidate);
      if (joined.has(way) || (candidate.network !== null && networks.has(candidate.network))) continue;
      joined.add(way);
      if (candidate.network !== null) networks.add(candidate.network);
      jurors.push(candidate.id);
      free -= 1;
    }
    if (free > 0) return { problem: "alike" };
  }
  return { jurors };
}

/** The brand and the week: what is known of how an account came, and what a batch of accounts has in common. */
function wayOfJoining(candidate: PoolMember): string {
  return `${candidate.homeBrand}:${Math.floor(candidate.tsCreated / JUROR_JOINING_MS)}`;
}

export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
  }
  return mixed;
}
