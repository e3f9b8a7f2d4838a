/** What a jury's votes amount to, what it may do alone, and which cases no jury gets. Pure; the bench `courts` plays against them. */
import type { StaffReason } from "@lambda/contract/admin";
import type { JurySanction, Verdict } from "@lambda/contract/arbitration";
import { JURY_SANCTIONS } from "@lambda/contract/arbitration";
import {
  APPEAL_WINDOW_MS,
  DAY_MS,
  JURY_AFTER_CLEARED_MS,
  JURY_AGREEMENT_MIN,
  JURY_ALONE_CONFIRMED_MIN,
  JURY_ALONE_POOL_MIN,
  JURY_ALONE_SUSPENSION_DAYS_MAX,
  JURY_ALONE_TESTED_MIN,
  JURY_VOTES_MIN,
  REPORTER_CREDIBILITY_MIN,
} from "@lambda/contract/limits";
import type { ActionKind } from "@lambda/contract/moderation";

export interface Ballot {
  readonly verdict: Verdict;
  readonly sanction: JurySanction | null;
}

export interface JuryFinding {
  readonly verdict: Verdict;
  readonly sanction: JurySanction | null;
}

/** Why no jury can be drawn. few: too small a pool. recent: too many new accounts. contact: too many met a side. alike: too little variety. */
export type PoolProblem = "few" | "recent" | "contact" | "alike";

/** An action that still holds, with what it takes to lift it. */
export interface ActiveAction {
  readonly id: number;
  readonly profile_id: number;
  readonly case_ref: string;
  readonly brand: string;
  readonly kind: ActionKind;
  readonly picture_id: number | null;
  readonly ts_until: number | null;
}

/**
 * What all ballots of a closed jury say; undefined when too few voted or they do not agree. The sanction is the median of those
 * who found a violation, the milder of two, so that no single harsh juror moves it.
 */
export function countBallots(ballots: readonly Ballot[]): JuryFinding | undefined {
  if (ballots.length < JURY_VOTES_MIN) return undefined;
  const guilty = ballots.filter((ballot) => ballot.verdict === "violation");
  const needed = ballots.length * JURY_AGREEMENT_MIN;
  if (ballots.length - guilty.length >= needed) return { verdict: "no_violation", sanction: null };
  if (guilty.length < needed) return undefined;
  const severities = guilty.map((ballot) => JURY_SANCTIONS.indexOf(ballot.sanction ?? "warn")).sort((a, b) => a - b);
  const median = severities[Math.floor((severities.length - 1) / 2)] ?? 0;
  return { verdict: "violation", sanction: JURY_SANCTIONS[median] ?? "warn" };
}

/** How the juries of a brand have done so far. */
export interface JuryRecord {
  /** Members who could have been drawn. */
  readonly pool: number;
  /** Recommendations that staff decided. */
  readonly tested: number;
  readonly confirmed: number;
}

/** Whether a sanction waits for staff. */
export function needsStaff(sanction: JurySanction, record: JuryRecord): boolean {
  if (suspensionDays(sanction) <= JURY_ALONE_SUSPENSION_DAYS_MAX) return false;
  const { pool, tested, confirmed } = record;
  return !(
    pool >= JURY_ALONE_POOL_MIN &&
    tested >= JURY_ALONE_TESTED_MIN &&
    confirmed >= tested * JURY_ALONE_CONFIRMED_MIN
  );
}

/** Why a new case goes to staff without a jury being drawn; undefined when one is. */
export function staffReason(of: {
  /** Of a rule that no jury judges. */
  readonly staffOnly: boolean;
  /** About a picture that was not public. */
  readonly isPrivate: boolean;
  /** Of the most believed reporter. */
  readonly credibility: number;
  /** When the last case against the same member was decided in their favour, on any brand. */
  readonly tsCleared: number | null;
  readonly now: number;
}): StaffReason | undefined {
  if (of.staffOnly) return "rule";
  if (of.isPrivate) return "private";
  if (of.credibility < REPORTER_CREDIBILITY_MIN) return "record";
  if (of.tsCleared !== null && of.now - of.tsCleared <= JURY_AFTER_CLEARED_MS) return "cleared";
  return undefined;
}

/** Days of a sanction that suspends, else 0. */
function suspensionDays(sanction: JurySanction): number {
  switch (sanction) {
    case "suspend_3":
      return 3;
    case "suspend_7":
      return 7;
    case "suspend_30":
      return 30;
    default:
      return 0;
  }
}

/** A sanction as an action: kind, and the end of a suspension. */
export function actionOf(sanction: JurySanction, now: number): { kind: ActionKind; until: number | null } {
  if (sanction === "warn" || sanction === "hide_picture") return { kind: sanction, until: null };
  return { kind: "suspend", until: now + suspensionDays(sanction) * DAY_MS };
}

/** Whether a sanction is milder than what holds. */
export function isMilder(activeActions: readonly ActiveAction[], sanction: JurySanction, now: number): boolean {
  const severities = activeActions.map(({ kind, ts_until }) => {
    if (kind === "ban") return JURY_SANCTIONS.length;
    if (kind !== "suspend") return JURY_SANCTIONS.indexOf(kind);
    const days = ((ts_until ?? 0) - now) / DAY_MS;
    return JURY_SANCTIONS.indexOf(days > 8 ? "suspend_30" : days > 4 ? "suspend_7" : "suspend_3");
  });
  return severities.length > 0 && JURY_SANCTIONS.indexOf(sanction) < Math.max(...severities);
}

/** Whether one side of a case may appeal now. */
export function appealState(at: {
  readonly lost: boolean;
  readonly open: boolean;
  readonly decidedAt: number | null;
  readonly appealed: boolean;
  readonly result: "upheld" | "reversed" | null;
  readonly pendingAny: boolean;
  readonly now: number;
}): { allowed: boolean; result: "upheld" | "reversed" | null; pending: boolean } {
  const inTime = at.decidedAt !== null && at.now - at.decidedAt <= APPEAL_WINDOW_MS;
  return {
    allowed: at.lost && !at.open && !at.appealed && !at.pendingAny && inTime,
    result: at.result,
    pending: at.appealed && at.result === null,
  };
}

/** The end of the time to appeal, where it can be appealed. */
export function appealUntil({ allowed }: { readonly allowed: boolean }, decidedAt: number | null): string | null {
  return allowed && decidedAt !== null ? new Date(decidedAt + APPEAL_WINDOW_MS).toISOString() : null;
}
