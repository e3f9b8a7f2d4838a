import { z } from "zod";
import { TYPED_MAX_CHARS } from "./limits.ts";
import { refuseCharacter, Time } from "./primitives.ts";
import { asCode } from "./typed.ts";

/** The reference of a case, as a member copies it from a notification. */
export const CaseRef = z
  .string()
  .max(TYPED_MAX_CHARS)
  .overwrite((text) => asCode(text).toLowerCase())
  .superRefine(refuseCharacter(/[^0-9a-f]/u))
  .regex(/^[0-9a-f]{24}$/);

/** One entry of the public hash chain. `hash` is SHA-256 of previousHash + "\n" + body, in hex. */
export const AuditEntry = z.object({
  seq: z.number().int(),
  body: z.string(),
  previousHash: z.string(),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** An entry's body, serialized as JSON with its keys in this order. `private` is a commitment to who acted on whom. */
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

/** GET /api/transparency: computed from the audit log only. */
export const Transparency = z.object({
  reports: z.number().int(),
  decided: z.number().int(),
  byRule: z.array(z.object({ rule: z.string(), count: z.number().int() })),
  actions: z.array(z.object({ kind: z.string(), count: z.number().int() })),
  /** From filing to decision; null if nothing has been decided. */
  medianDecisionMs: z.number().nullable(),
  appeals: z.number().int(),
  reversals: z.number().int(),
  /** The newest entry. Anyone who keeps it can detect if earlier entries are rewritten. */
  head: z.object({ seq: z.number().int(), hash: z.string() }).nullable(),
});
export type Transparency = z.infer<typeof Transparency>;

/** An entry of the member's own case, with the private part that verifies its commitment. */
export const OwnAuditEntry = AuditEntry.extend({ salt: z.string().nullable(), details: z.string().nullable() });
