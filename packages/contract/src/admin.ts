import { z } from "zod";
import { JurySanction } from "./arbitration.ts";
import { ROLES } from "./capabilities.ts";
import { STAFF_REASON_MIN_CHARS, SUSPENSION_MAX_DAYS, TEST_USERS_MAX } from "./limits.ts";
import { ActionKind, AppealSide, Outcome, Rule } from "./moderation.ts";
import { Id, numeric, Time, TrimmedText } from "./primitives.ts";
import { ReportSource } from "./reports.ts";

export const RoleCount = z.object({ role: z.enum(ROLES), count: z.number().int() });

/** How many publicly visible pictures were marked explicit, by their owners or by votes. */
export const ExplicitShare = z.object({
  brand: z.string(),
  /** ISO 3166, with the state in the United States; "" for members without a position and for countries with few members. */
  country: z.string(),
  pictures: z.number().int(),
  explicit: z.number().int(),
  tsCounted: Time,
});
export type ExplicitShare = z.infer<typeof ExplicitShare>;

export const CreateTestUsersRequest = z.object({ count: numeric(z.number().int().min(1).max(TEST_USERS_MAX)) });

/** Why staff, rather than a jury, decide a case. */
export const StaffReason = z.enum([
  /** Juries do not judge this rule. */
  "rule",
  /** The reported picture was not public. */
  "private",
  /** None of the reporters has enough credibility. */
  "record",
  /** The member was cleared within JURY_CLEARED_COOLDOWN_MS. */
  "cleared",
  /** The juror pool is too small, too recent, too much in contact with one side, or too uniform. */
  "few",
  "recent",
  "contact",
  "alike",
  /** Another report arrived after the jury had started. */
  "joined",
  /** Evidence was deleted, unsent or made private. */
  "withdrawn",
  /** The jury didn't agree, or too few voted. */
  "undecided",
  /** Detected automatically: a known picture, or signs of ban evasion. */
  "found",
  /** The jury recommended more than it may impose. */
  "recommended",
]);
export type StaffReason = z.infer<typeof StaffReason>;

export const QueueEntry = z.object({
  id: Id,
  caseRef: z.string(),
  brand: z.string(),
  subjectProfileId: Id,
  subjectName: z.string(),
  source: ReportSource,
  category: Rule,
  severity: z.number().int(),
  credibility: z.number(),
  filings: z.number().int(),
  state: z.enum(["staff", "jury", "decided"]),
  appealed: z.boolean(),
  staffReason: StaffReason.nullable(),
  /** The jury's recommendation, which staff have to confirm. */
  recommended: JurySanction.nullable(),
  outcome: Outcome.nullable(),
  tsCreated: Time,
});
export type QueueEntry = z.infer<typeof QueueEntry>;

export const EvidenceItem = z.object({
  id: Id,
  kind: z.enum(["profile", "message", "picture", "voice"]),
  byReported: z.boolean(),
  text: z.string(),
  hasPicture: z.boolean(),
  /** The recording is at /api/evidence/{id}. */
  hasVoice: z.boolean(),
  sourceId: Id,
  tsSource: Time,
});

export const ActionEntry = z.object({
  id: Id,
  kind: ActionKind,
  rule: Rule,
  reason: z.string(),
  byJury: z.boolean(),
  brand: z.string(),
  tsCreated: Time,
  tsUntil: Time.nullable(),
  tsLifted: Time.nullable(),
});

/** Who filed a report. "clock" is a scheduled job that detected something. */
const FILERS = ["member", "game", "staff", "clock", "visitor"] as const;

/** A case as staff see it, without the reporters' identities. */
export const CaseFile = QueueEntry.extend({
  complaints: z.array(
    z.object({ rule: Rule, text: z.string(), credibility: z.number(), by: z.enum(FILERS), tsCreated: Time }),
  ),
  evidence: z.array(EvidenceItem),
  /** Further complaints and pieces of evidence. */
  omitted: z.number().int(),
  actions: z.array(ActionEntry),
  juries: z.array(
    z.object({
      round: z.number().int(),
      verdict: z.string().nullable(),
      sanction: JurySanction.nullable(),
      votes: z.number().int(),
      reasons: z.array(z.string()),
    }),
  ),
  /** forStaff: awaits a staff decision, not a jury. */
  appeals: z.array(
    z.object({ side: AppealSide, text: z.string(), result: z.string().nullable(), forStaff: z.boolean() }),
  ),
});
export type CaseFile = z.infer<typeof CaseFile>;

/** A search result for staff: only what distinguishes members, because appearing in a search is not logged. */
export const MemberEntry = z.object({
  id: Id,
  name: z.string(),
  homeBrand: z.string(),
  status: z.enum(["active", "suspended", "banned", "deleted"]),
  tsStatusUntil: Time.nullable(),
  /** Whether this admin may suspend or ban the member: admins of the home brand and network admins. */
  manageable: z.boolean(),
  isTest: z.boolean(),
  tsCreated: Time,
});

/** Access is logged. `email` and `realName` are empty for staff of other brands. */
export const MemberFile = MemberEntry.extend({
  email: z.string(),
  realName: z.string(),
  /** Members in scope whose names look the same as this one. */
  twinIds: z.array(Id),
  /** The name looks like that of the site or its staff. */
  claimsToBeStaff: z.boolean(),
  tsSeen: Time,
  actions: z.array(ActionEntry),
  reportIds: z.array(Id),
});

/** POST /api/admin/action. With `reportId` it also decides that case, or grants the reporter's appeal if that awaits staff. */
export const ActionDraft = z
  .object({
    subjectProfileId: Id,
    kind: ActionKind,
    rule: Rule,
    reason: TrimmedText.min(STAFF_REASON_MIN_CHARS),
    days: numeric(z.number().int().min(1).max(SUSPENSION_MAX_DAYS)).optional(),
    pictureId: Id.optional(),
    reportId: Id.optional(),
  })
  .refine((draft) => draft.kind !== "suspend" || draft.days !== undefined, {
    path: ["days"],
    message: "is required for a suspension",
  })
  .refine((draft) => draft.kind !== "hide_picture" || draft.pictureId !== undefined, {
    path: ["pictureId"],
    message: "is required to hide a picture",
  });

export const ContactEntry = z.object({
  id: Id,
  kind: z.enum(["contact", "problem"]),
  profileId: Id.nullable(),
  brand: z.string(),
  name: z.string(),
  message: z.string(),
  tsCreated: Time,
  tsDone: Time.nullable(),
});

export const AuditLine = z.object({
  seq: z.number().int(),
  ts: Time,
  brand: z.string(),
  action: z.string(),
  by: z.string(),
  caseRef: z.string().nullable(),
  subjectProfileId: Id.nullable(),
  actorName: z.string().nullable(),
  details: z.string(),
  hash: z.string(),
});
