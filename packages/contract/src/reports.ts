import { z } from "zod";
import { APPEAL_TEXT_MIN_CHARS, REPORT_EVIDENCE_MAX } from "./limits.ts";
import { AppealState, Outcome, Rule } from "./moderation.ts";
import { Id, Time, TrimmedText } from "./primitives.ts";

export const ReportSource = z.enum(["profile", "message", "picture", "broadcast"]);
export type ReportSource = z.infer<typeof ReportSource>;

/** POST /api/report. `sourceId` is the reported message or picture; absent for a profile. */
export const ReportDraft = z
  .object({
    subjectProfileId: Id,
    source: ReportSource.default("profile"),
    sourceId: Id.optional(),
    category: Rule,
    text: TrimmedText.default(""),
    /** Messages of the conversation, or broadcasts by the reported member, to preserve as evidence. */
    messageIds: z.array(Id).max(REPORT_EVIDENCE_MAX).default([]),
    /** Pictures of the reported member that are visible to the reporter. */
    pictureIds: z.array(Id).max(REPORT_EVIDENCE_MAX).default([]),
    /** The reported member's voice introduction, if the reporter may hear it. */
    voiceId: Id.optional(),
  })
  .refine((draft) => draft.source === "profile" || draft.sourceId !== undefined, {
    path: ["sourceId"],
    message: "is required for this source",
  });

/** POST /api/games/ishim/report: the pictures of an item that the judge was shown. */
export const CheckReport = z.object({ itemId: Id, category: Rule, text: TrimmedText.default("") });

/** A report as its author sees it. */
export const FiledReport = z.object({
  /** The author's own number: another reporter of the same member has another. */
  id: Id,
  category: Rule,
  source: ReportSource,
  state: z.enum(["open", "decided"]),
  outcome: Outcome.nullable(),
  /** The case in the public chain; null until it is decided. */
  caseRef: z.string().nullable(),
  /** By which the reporter finds their own report in the public chain once the case is decided. */
  receipt: z.string().nullable(),
  tsCreated: Time,
  tsDecided: Time.nullable(),
  appeal: AppealState,
  /** Deadline for the author's appeal; null if they cannot appeal. */
  tsAppealUntil: Time.nullable(),
});
export type FiledReport = z.infer<typeof FiledReport>;

/** isRepeated: the author had already reported the same, and anything new was added to that report. */
export const FileReportResponse = FiledReport.extend({ isRepeated: z.boolean() });

export const AppealDraft = z.object({ reportId: Id, text: TrimmedText.min(APPEAL_TEXT_MIN_CHARS) });
