/**
 * Decides who can sit on a jury and draws nine of them. Built so that nobody can pick the jurors: only a candidate's
 * own acts exclude them, seats are spread over account ages, networks and signup cohorts, and a pool that may have been
 * manipulated is rejected.
 */
import {
  JUROR_ACCOUNT_AGE_MS,
  JUROR_COHORT_MS,
  JUROR_CONVERSATIONS_MIN,
  JUROR_RECENT_MS,
  JUROR_REST_MS,
  JUROR_SEEN_WITHIN_MS,
  JURY_AGE_GROUPS,
  JURY_POOL_CONTACT_MAX,
  JURY_POOL_MIN,
  JURY_POOL_RECENT_MAX,
  JURY_SEATS,
} from "@lambda/contract/limits";
import { shuffle } from "../../platform/shuffle.ts";
import type { PoolProblem } from "../case/rules.ts";

/** Maximum number of eligible members that are checked for contact and experience. `npm run bench -- packed-juries` plays with it. */
export const CANDIDATES_CHECKED_MAX = 400;

/** An account, with the facts that the first query of the draw reads. */
export interface PoolMember {
  readonly id: number;
  readonly tsCreated: number;
  readonly tsSeen: number;
  readonly homeBrand: string;
  /** Keyed hash of the network that registered the account; null once it is forgotten. */
  readonly network: number | null;
  readonly optedOut: boolean;
  readonly tsSummoned: number | null;
  readonly voted: number;
  readonly overturned: number;
}

/** A pool member, with the facts that need a second, more expensive query. */
export interface Candidate extends PoolMember {
  /** Number of conversation partners, counted up to JUROR_CONVERSATIONS_MIN. */
  readonly conversations: number;
  /** Received any action within JUROR_CLEAN_RECORD_MS. */
  readonly sanctioned: boolean;
  /** Sat on an earlier jury of this case. */
  readonly served: boolean;
  /** Wrote to, rated, noted, blocked, reported or opened an album to a side. Acts of the side alone do not count. */
  readonly metSide: boolean;
}

export interface Pool {
  readonly candidates: readonly Candidate[];
  /** Estimated number of qualified members on the brand; see `estimatePool`. */
  readonly size: number;
  /** Networks of the sides, to keep their own second accounts off the jury. */
  readonly sideNetworks: readonly number[];
}

export type Draw = { readonly jurors: readonly number[] } | { readonly problem: PoolProblem };

/** Checks account age, activity, time since the last summons and record as a juror. */
export function canServe(member: PoolMember, now: number): boolean {
  return (
    !member.optedOut &&
    member.tsCreated <= now - JUROR_ACCOUNT_AGE_MS &&
    member.tsSeen >= now - JUROR_SEEN_WITHIN_MS &&
    (member.tsSummoned === null || member.tsSummoned <= now - JUROR_REST_MS) &&
    !(member.voted >= 6 && member.overturned * 2 > member.voted)
  );
}

export function isQualified(candidate: Candidate): boolean {
  return candidate.conversations >= JUROR_CONVERSATIONS_MIN && !candidate.sanctioned && !candidate.served;
}

/** Extrapolates the size of the pool from the share of the random order that was read, some of whose eligible members were checked. */
export function estimatePool(counts: {
  readonly covered: number;
  readonly eligible: number;
  readonly checked: number;
  readonly qualified: number;
}): number {
  const { covered, eligible, checked, qualified } = counts;
  if (checked === 0) return 0;
  return Math.round((eligible / covered) * (qualified / checked));
}

/** Draws all seats at once. `random` returns a number in [0, 1) and must be unpredictable to members. */
export function drawJury(pool: Pool, random: () => number, now: number): Draw {
  const qualified = pool.candidates.filter((candidate) => canServe(candidate, now) && isQualified(candidate));
  const strangers = qualified.filter((candidate) => !candidate.metSide);
  if (pool.size < JURY_POOL_MIN || qualified.length < JURY_SEATS) return { problem: "few" };
  if (qualified.length - strangers.length > qualified.length * JURY_POOL_CONTACT_MAX) return { problem: "contact" };
  const recent = strangers.filter((candidate) => candidate.tsCreated > now - JUROR_RECENT_MS);
  if (recent.length > strangers.length * JURY_POOL_RECENT_MAX) return { problem: "recent" };

  const byAge = strangers.toSorted((a, b) => a.tsCreated - b.tsCreated || a.id - b.id);
  const networks = new Set(pool.sideNetworks);
  const cohorts = new Set<string>();
  const jurors: number[] = [];
  for (let group = 0; group < JURY_AGE_GROUPS; group += 1) {
    const from = Math.floor((group * byAge.length) / JURY_AGE_GROUPS);
    const to = Math.floor(((group + 1) * byAge.length) / JURY_AGE_GROUPS);
    let freeSeats = JURY_SEATS / JURY_AGE_GROUPS;
    for (const candidate of shuffle(byAge.slice(from, to), random)) {
      if (freeSeats === 0) break;
      // Accounts that were created as a batch have both in common.
      const cohort = `${candidate.homeBrand}:${Math.floor(candidate.tsCreated / JUROR_COHORT_MS)}`;
      if (cohorts.has(cohort) || (candidate.network !== null && networks.has(candidate.network))) continue;
      cohorts.add(cohort);
      if (candidate.network !== null) networks.add(candidate.network);
      jurors.push(candidate.id);
      freeSeats -= 1;
    }
    if (freeSeats > 0) return { problem: "alike" };
  }
  return { jurors };
}
