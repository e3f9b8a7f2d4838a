import type { JurySanction, Verdict } from "@lambda/contract/arbitration";
import { JURY_SANCTIONS } from "@lambda/contract/arbitration";
import { APPEAL_WINDOW_MS, DAY_MS, JURY_SEATS } from "@lambda/contract/limits";
import type { ActionKind } from "@lambda/contract/moderation";

export interface Ballot {
  readonly verdict: Verdict;
  readonly sanction: JurySanction | null;
}

export interface Decision {
  readonly verdict: Verdict;
  readonly sanction: JurySanction | null;
}

/**
 * The majority's verdict, once all seats have voted or no further vote could change it; undefined before. The sanction is the
 * middle one of those who found a violation, the milder of two middle ones: no single harsh juror moves it.
 */
export function decide(ballots: readonly Ballot[], seats = JURY_SEATS): Decision | undefined {
  const needed = Math.floor(seats / 2) + 1;
  const guilty = ballots.filter((ballot) => ballot.verdict === "violation");
  if (ballots.length - guilty.length >= needed) return { verdict: "no_violation", sanction: null };
  // A violation waits for all seats, since every one of them may still move the sanction.
  if (guilty.length < needed || ballots.length < seats) return undefined;
  const order = guilty.map((ballot) => JURY_SANCTIONS.indexOf(ballot.sanction ?? "warn")).sort((a, b) => a - b);
  const middle = order[Math.floor((order.length - 1) / 2)] ?? 0;
  return { verdict: "violation", sanction: JURY_SANCTIONS[middle] ?? "warn" };
}

/** A sanction as an action: kind, and the end of a suspension. */
export function actionOf(sanction: JurySanction, now: number): { kind: ActionKind; until: number | null } {
  switch (sanction) {
    case "warn":
      return { kind: "warn", until: null };
    case "hide_picture":
      return { kind: "hide_picture", until: null };
    case "suspend_7":
      return { kind: "suspend", until: now + 7 * DAY_MS };
    case "suspend_30":
      return { kind: "suspend", until: now + 30 * DAY_MS };
  }
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
