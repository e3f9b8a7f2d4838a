/** Who can appeal a decision, and until when. */
import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import { toIso } from "../../platform/iso-time.ts";
import type { AppealResult, Decision, Outcome, Side } from "./case.ts";

/** Only the losing side can appeal, once, within the time to appeal. */
export function canAppeal({ outcome, tsDecided, appealed }: Decision, side: Side, now: number): boolean {
  const lost = side === "subject" ? outcome !== "none" : outcome === "none";
  return lost && !appealed.includes(side) && now - tsDecided <= APPEAL_WINDOW_MS;
}

/** Whether one side of a case can appeal now and until when, and the state of the appeal it already filed. */
export function appealOf(
  side: Side,
  facts: {
    /** Null while the case is open, or once nothing is left to appeal. */
    readonly outcome: Outcome | null;
    readonly ts_decided: number | null;
    /** Of this side's appeal. */
    readonly ts_appealed: number | null;
    readonly result: AppealResult | null;
    /** Whether either side has an undecided appeal. */
    readonly pending_any: number;
  },
  now: number,
) {
  const { outcome, ts_decided: tsDecided, ts_appealed, result, pending_any } = facts;
  const isAppealed = ts_appealed !== null;
  const isOpen = outcome !== null && tsDecided !== null && pending_any === 0;
  const allowed = isOpen && canAppeal({ outcome, tsDecided, appealed: isAppealed ? [side] : [] }, side, now);
  return {
    appeal: { allowed, result, pending: isAppealed && result === null },
    tsAppealUntil: allowed ? toIso(tsDecided + APPEAL_WINDOW_MS) : null,
  };
}
