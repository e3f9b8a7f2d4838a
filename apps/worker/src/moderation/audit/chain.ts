/** What both chains, the staff's log and the public one, are made of. */
import { AUDIT_TIME_STEP_MS } from "@lambda/contract/limits";
import type { AuditBody } from "@lambda/contract/transparency";
import type { AuditEntryRow } from "../../platform/db/tables.ts";

/** The hash before the first entry. */
export const CHAIN_START = "0".repeat(64);

/** What happened, before it has its place in the chain. */
export interface AuditEvent {
  readonly brand: string;
  readonly action: string;
  readonly by: AuditBody["by"];
  readonly caseRef: string | null;
  /** Of a case that is not decided by these events: published with its decision, not before. */
  readonly undecided?: boolean;
  /** For staff alone: never published, and without `caseRef`, so that no decision publishes it either. */
  readonly confidential?: boolean;
  /** Public: rules, kinds, durations, counts. Never a name, an id, a text or an exact time of a member. */
  readonly details: AuditBody["details"];
  readonly subjectId?: number | null;
  /** The admin who did it. */
  readonly actorId?: number | null;
  /** Kept apart from the chain, with the subject. */
  readonly privateDetails?: Record<string, string | number | null>;
}

/** An entry with its place in the chain, and what is kept apart from it. */
export interface LinkedEntry {
  readonly row: AuditEntryRow;
  readonly secret: { subject_id: number | null; actor_id: number | null; salt: string; details: string };
}

/** A time as the public chain tells it: the day. The row of an entry keeps the exact one for staff. */
export function publicTime(time: number): number {
  return time - (time % AUDIT_TIME_STEP_MS);
}
