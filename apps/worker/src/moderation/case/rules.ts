/**
 * How a jury's votes are counted, what it may impose without staff, and which cases go to staff instead. Pure; the
 * bench `packed-juries` attacks these rules.
 */

import type { StaffReason } from "@lambda/contract/admin";
import { JurySanction, type Verdict } from "@lambda/contract/arbitration";
import {
  DAY_MS,
  JURY_AGREEMENT_MIN,
  JURY_AUTONOMY_CONFIRMED_MIN,
  JURY_AUTONOMY_POOL_MIN,
  JURY_AUTONOMY_TESTED_MIN,
  JURY_CLEARED_COOLDOWN_MS,
  JURY_SUSPENSION_DAYS_MAX,
  JURY_VOTES_MIN,
  REPORTER_CREDIBILITY_MIN,
} from "@lambda/contract/limits";
import type { ActionKind } from "@lambda/contract/moderation";
import type { ModerationActionRow } from "../../platform/db/tables.ts";

/** What one juror, or all of them together, found. */
export interface Ballot {
  readonly verdict: Verdict;
  readonly sanction: JurySanction | null;
}

/**
 * Why no jury can be drawn: the pool is too small, has too many new accounts, too many members in contact with a side,
 * or too little variety.
 */
export type PoolProblem = "few" | "recent" | "contact" | "alike";

/** An action that is still in force, with the fields needed to lift it. */
export type ActiveAction = Pick<
  ModerationActionRow,
  "id" | "profile_id" | "case_ref" | "brand" | "kind" | "picture_id" | "ts_until"
>;

/**
 * The finding of a closed jury, or undefined if too few jurors voted or they do not agree. The sanction is the median
 * among the jurors who found a violation (of two middle ones the milder), so that no single harsh juror moves it.
 */
export function countBallots(ballots: readonly Ballot[]): Ballot | undefined {
  if (ballots.length < JURY_VOTES_MIN) return undefined;
  const guilty = ballots.filter((ballot) => ballot.verdict === "violation");
  const needed = ballots.length * JURY_AGREEMENT_MIN;
  if (ballots.length - guilty.length >= needed) return { verdict: "no_violation", sanction: null };
  if (guilty.length < needed) return undefined;
  const severities = guilty
    .map((ballot) => JurySanction.options.indexOf(ballot.sanction ?? "warn"))
    .sort((a, b) => a - b);
  const median = severities[Math.floor((severities.length - 1) / 2)] ?? 0;
  return { verdict: "violation", sanction: JurySanction.options[median] ?? "warn" };
}

/** The track record of a brand's juries. */
export interface JuryRecord {
  /** Number of members who could have been drawn. */
  readonly pool: number;
  /** Number of jury recommendations that staff have decided on. */
  readonly tested: number;
  readonly confirmed: number;
}

/** Whether staff must confirm a jury's sanction before it takes effect. */
export function needsStaff(sanction: JurySanction, record: JuryRecord): boolean {
  if (SUSPENSION_DAYS[sanction] <= JURY_SUSPENSION_DAYS_MAX) return false;
  const { pool, tested, confirmed } = record;
  return !(
    pool >= JURY_AUTONOMY_POOL_MIN &&
    tested >= JURY_AUTONOMY_TESTED_MIN &&
    confirmed >= tested * JURY_AUTONOMY_CONFIRMED_MIN
  );
}

/** Why a new case goes straight to staff; undefined if a jury may judge it. */
export function staffReason(facts: {
  /** Whether only staff judge the reported rule. */
  readonly staffOnly: boolean;
  /** Whether the reported picture was not public. */
  readonly isPrivate: boolean;
  /** The credibility of the most credible reporter. */
  readonly credibility: number;
  /** When the member was last cleared, on any brand. */
  readonly tsCleared: number | null;
  readonly now: number;
}): StaffReason | undefined {
  if (facts.staffOnly) return "rule";
  if (facts.isPrivate) return "private";
  if (facts.credibility < REPORTER_CREDIBILITY_MIN) return "record";
  if (facts.tsCleared !== null && facts.now - facts.tsCleared <= JURY_CLEARED_COOLDOWN_MS) return "cleared";
  return undefined;
}

/** The length of a suspension in days; 0 for other sanctions. */
const SUSPENSION_DAYS = {
  warn: 0,
  hide_picture: 0,
  suspend_3: 3,
  suspend_7: 7,
  suspend_30: 30,
} as const satisfies Record<JurySanction, number>;

export function toAction(sanction: JurySanction, now: number): { kind: ActionKind; until: number | null } {
  if (sanction === "warn" || sanction === "hide_picture") return { kind: sanction, until: null };
  return { kind: "suspend", until: now + SUSPENSION_DAYS[sanction] * DAY_MS };
}

/** Whether a sanction is milder than the strictest action in force. */
export function isMilder(activeActions: readonly ActiveAction[], sanction: JurySanction, now: number): boolean {
  const severities = activeActions.map(({ kind, ts_until }) => {
    if (kind === "ban") return JurySanction.options.length;
    if (kind !== "suspend") return JurySanction.options.indexOf(kind);
    const days = ((ts_until ?? 0) - now) / DAY_MS;
    return JurySanction.options.indexOf(days > 8 ? "suspend_30" : days > 4 ? "suspend_7" : "suspend_3");
  });
  return severities.length > 0 && JurySanction.options.indexOf(sanction) < Math.max(...severities);
}
