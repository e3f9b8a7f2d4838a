import { z } from "zod";
import { Time } from "./primitives.ts";

/** One entry of the public chain. hash = SHA-256 of previousHash + "\n" + body, in hex. */
export const AuditEntry = z.object({
  seq: z.number().int(),
  body: z.string(),
  previousHash: z.string(),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** What an entry's body says, as JSON with its keys in this order. `private` commits to who did it to whom. */
export const AuditBody = z.object({
  seq: z.number().int(),
  ts: Time,
  brand: z.string(),
  action: z.string(),
  caseRef: z.string().nullable(),
  by: z.enum(["staff", "jury", "member", "clock", "game", "visitor"]),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  private: z.string(),
});
export type AuditBody = z.infer<typeof AuditBody>;

/** GET /api/transparency: from the audit log alone. */
export const Transparency = z.object({
  reports: z.number().int(),
  decided: z.number().int(),
  byRule: z.array(z.object({ rule: z.string(), count: z.number().int() })),
  actions: z.array(z.object({ kind: z.string(), count: z.number().int() })),
  /** From filing to decision; null while nothing was decided. */
  medianDecisionMs: z.number().nullable(),
  appeals: z.number().int(),
  reversals: z.number().int(),
  /** The newest entry: keep it, and nobody can rewrite what came before unseen. */
  head: z.object({ seq: z.number().int(), hash: z.string() }).nullable(),
});
export type Transparency = z.infer<typeof Transparency>;

/** The private part of an entry of the member's own case, with which the commitment can be checked. */
export const OwnAuditEntry = AuditEntry.extend({ salt: z.string().nullable(), details: z.string().nullable() });

/** The yearly report may be asked for from this year on. */
export const FIRST_REPORT_YEAR = 2026;

export const YearlyRow = z.object({ id: z.string(), label: z.string(), value: z.number().nullable() });
export type YearlyRow = z.infer<typeof YearlyRow>;

export const YearlySection = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string().optional(),
  rows: z.array(YearlyRow),
});
export type YearlySection = z.infer<typeof YearlySection>;

/** GET /api/transparency/report/{year}: the figures, and the same as files. */
export const YearlyReport = z.object({
  title: z.string(),
  note: z.string(),
  year: z.number().int(),
  /** The year is over. */
  complete: z.boolean(),
  head: z.object({ seq: z.number().int(), hash: z.string() }).nullable(),
  sections: z.array(YearlySection),
  csv: z.string(),
  html: z.string(),
});
export type YearlyReport = z.infer<typeof YearlyReport>;
