/** Who can appeal a decision, and until when. */
import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import { toIso } from "../../platform/iso-time.ts";
import type { AppealResult, Decision, Outcome, Side } from "./case.ts";

/** Only the losing side can appeal, once, within the time to appeal. */
export function canAppeal({ outcome, tsDecided, appealed }: Decision, side: Side, now: number): boolean {
  const lost = side === "subject" ? outcome !== "none" : outcome === "none";
  return lost && !appealed.includes(side) && now - tsDecided <= APPEAL_WINDOW_MS;
}

/** Whether one side of a case can appeal now, and the state of the appeal it already filed. */
export function appealState(facts: {
  readonly side: Side;
  /** Null while the case is open, or once nothing is left to appeal. */
  readonly outcome: Outcome | null;
  readonly decidedAt: number | null;
  readonly appealed: boolean;
  readonly result: AppealResult | null;
  /** Whether either side has an undecided appeal. */
  readonly anyPending: boolean;
  readonly now: number;
}): { allowed: boolean; result: AppealResult | null; pending: boolean } {
  const { side, outcome, decidedAt, appealed, result, anyPending, now } = facts;
  return {
    allowed:
      outcome !== null &&
      decidedAt !== null &&
      !anyPending &&
      canAppeal({ outcome, tsDecided: decidedAt, appealed: appealed ? [side] : [] }, side, now),
    result,
    pending: appealed && result === null,
  };
}

/** When the time to appeal ends, as an ISO time; null if no appeal is allowed. */
export function appealUntil({ allowed }: { readonly allowed: boolean }, decidedAt: number | null): string | null {
  return allowed && decidedAt !== null ? toIso(decidedAt + APPEAL_WINDOW_MS) : null;
}
