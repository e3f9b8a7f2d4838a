/** What both chains, the staff's log and the public one, are made of. */
import { AUDIT_TIME_STEP_MS } from "@lambda/contract/limits";
import type { AuditEntryRow } from "../../platform/db/tables.ts";

/** The hash before the first entry. */
export const CHAIN_START = "0".repeat(64);

/** An entry with its place in the chain, and what is kept apart from it. */
export interface LinkedEntry {
  readonly row: AuditEntryRow;
  readonly secret: { subject_id: number | null; actor_id: number | null; salt: string; details: string };
}

/** A time as the public chain tells it: the day. The row of an entry keeps the exact one for staff. */
export function publicTime(time: number): number {
  return time - (time % AUDIT_TIME_STEP_MS);
}
