import { z } from "zod";
import { APPEAL_TEXT_MIN_CHARS, REPORT_EVIDENCE_MAX } from "./limits.ts";
import { AppealState, Outcome, Rule } from "./moderation.ts";
import { Id, Time, TrimmedText } from "./primitives.ts";

export const REPORT_SOURCES = ["profile", "message", "picture", "broadcast"] as const;
export const ReportSource = z.enum(REPORT_SOURCES);
export type ReportSource = z.infer<typeof ReportSource>;

/** POST /api/report. sourceId: the message or picture that it starts from; absent for a profile. */
export const ReportDraft = z
  .object({
    subjectProfileId: Id,
    source: ReportSource.default("profile"),
    sourceId: Id.optional(),
    category: Rule,
    text: TrimmedText.default(""),
    /** Messages of the conversation, or broadcasts of the reported member, frozen as evidence. */
    messageIds: z.array(Id).max(REPORT_EVIDENCE_MAX).default([]),
    /** Pictures of the reported member that the reporter may see. */
    pictureIds: z.array(Id).max(REPORT_EVIDENCE_MAX).default([]),
    /** The reported member's voice introduction, as the reporter may hear it. */
    voiceId: Id.optional(),
  })
  .refine((draft) => draft.source === "profile" || draft.sourceId !== undefined, {
    path: ["sourceId"],
    message: "is required for this source",
  });
export type ReportDraft = z.input<typeof ReportDraft>;

/** A report as its author may follow it. */
export const FiledReport = z.object({
  id: Id,
  category: Rule,
  source: ReportSource,
  state: z.enum(["open", "decided"]),
  outcome: Outcome.nullable(),
  caseRef: z.string(),
  /** The fingerprint of the case in its day's commitment: with it the reporter can tell that the case was left out. */
  receipt: z.string().nullable(),
  tsCreated: Time,
  tsDecided: Time.nullable(),
  appeal: AppealState,
  /** Until when its author can appeal; null where they cannot. */
  tsAppealUntil: Time.nullable(),
});
export type FiledReport = z.infer<typeof FiledReport>;

/** What a report is answered with. isRepeated: its author had reported the same before, and what was new joined that report. */
export const ReportReceived = FiledReport.extend({ isRepeated: z.boolean() });

export const AppealDraft = z.object({
  reportId: Id,
  text: TrimmedText.min(APPEAL_TEXT_MIN_CHARS),
});
