import { z } from "zod";
import { JURY_REASON_MIN_CHARS } from "./limits.ts";
import { Outcome, Rule } from "./moderation.ts";
import { Id, Time, TrimmedText } from "./primitives.ts";
import { ReportSource } from "./reports.ts";

export const Verdict = z.enum(["violation", "no_violation"]);
export type Verdict = z.infer<typeof Verdict>;
/** What a jury can impose, by increasing severity; only staff can ban. */
export const JurySanction = z.enum(["warn", "hide_picture", "suspend_3", "suspend_7", "suspend_30"]);
export type JurySanction = z.infer<typeof JurySanction>;

/** Evidence with names, addresses and numbers removed. "reported" is the member whom the case is about. */
export const RedactedEvidence = z.object({
  id: Id,
  kind: z.enum(["profile", "message", "picture", "voice"]),
  author: z.enum(["reported", "other"]),
  text: z.string(),
  /** The bytes are at /api/evidence/{id}. */
  hasPicture: z.boolean(),
  hasVoice: z.boolean(),
  nsfw: z.boolean(),
});
export type RedactedEvidence = z.infer<typeof RedactedEvidence>;

export const JuryCase = z.object({
  juryId: Id,
  round: z.number().int(),
  category: Rule,
  source: ReportSource,
  sanctions: z.array(JurySanction),
  /** The reporters' texts, redacted. */
  complaints: z.array(z.string()),
  /** The redacted text of the appeal, in later rounds. */
  appeal: z.string().nullable(),
  evidence: z.array(RedactedEvidence),
  /** Further complaints and pieces of evidence that jurors do not get. */
  omitted: z.number().int(),
  votes: z.number().int(),
  seats: z.number().int(),
  tsAnswerBy: Time,
});
export type JuryCase = z.infer<typeof JuryCase>;

export const JuryInbox = z.object({
  cases: z.array(JuryCase),
  optedOut: z.boolean(),
  record: z.object({
    summoned: z.number().int(),
    voted: z.number().int(),
    withMajority: z.number().int(),
    overturned: z.number().int(),
  }),
});
export type JuryInbox = z.infer<typeof JuryInbox>;

export const JuryVote = z
  .object({
    juryId: Id,
    verdict: Verdict,
    sanction: JurySanction.optional(),
    reason: TrimmedText.min(JURY_REASON_MIN_CHARS, { message: "say why, in a sentence" }),
  })
  .refine((vote) => vote.verdict === "no_violation" || vote.sanction !== undefined, {
    path: ["sanction"],
    message: "is required for a violation",
  });

export const Precedent = z.object({ category: Rule, outcome: Outcome, summary: z.string(), tsDecided: Time });
export type Precedent = z.infer<typeof Precedent>;
