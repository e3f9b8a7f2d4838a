/** Types shared by the two hash chains: the audit log and the public chain. */
import { AUDIT_TIME_STEP_MS } from "@lambda/contract/limits";
import type { AuditBody } from "@lambda/contract/transparency";
import type { AuditEntryRow } from "../../platform/db/tables.ts";
import { sha256 } from "../../platform/hash.ts";

/** The hash before the first entry. */
export const CHAIN_START = "0".repeat(64);

/** An event to log, before it has its place in the chain. */
export interface AuditEvent {
  readonly brand: string;
  readonly action: string;
  readonly by: AuditBody["by"];
  readonly caseRef: string | null;
  /** Whether the case is still undecided after these events; the entry is then published with the decision. */
  readonly undecided?: boolean;
  /** For staff only: never published. Its `caseRef` must be null, so that no decision publishes it later. */
  readonly confidential?: boolean;
  /** Public: rules, kinds, durations and counts. Never a member's name, id, text or exact time. */
  readonly details: AuditBody["details"];
  readonly subjectId?: number | null;
  readonly actorId?: number | null;
  /** Stored outside the chain and deleted with the subject. */
  readonly privateDetails?: Record<string, string | number | null>;
}

/** An entry with its place in the chain, and the secret part that is stored separately. */
export interface LinkedEntry {
  readonly row: AuditEntryRow;
  readonly secret: { subject_id: number | null; actor_id: number | null; salt: string; details: string };
}

/**
 * Serializes an entry with its keys in the chains' fixed order, and hashes it with the hash of the previous entry. Returns the columns that
 * the rows of both chains have.
 */
export async function linkEntry(previousHash: string, entry: AuditBody) {
  const { seq, ts, brand, action, caseRef, by, details } = entry;
  const body = JSON.stringify({ seq, ts, brand, action, caseRef, by, details, private: entry.private });
  const hash = await sha256(`${previousHash}\n${body}`);
  return { seq, brand, action, case_ref: caseRef, body, previous_hash: previousHash, hash };
}

/**
 * Rounds a time down to AUDIT_TIME_STEP_MS, as the chains publish it. The entry's row keeps the exact time for staff.
 */
export const publicTime = (time: number): number => time - (time % AUDIT_TIME_STEP_MS);
