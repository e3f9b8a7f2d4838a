import { z } from "zod";
import { JurySanction } from "./arbitration.ts";
import { ROLES } from "./capabilities.ts";
import { SUSPENSION_MAX_DAYS, TEST_USERS_MAX } from "./limits.ts";
import { ActionKind, AppealSide, Outcome, Rule } from "./moderation.ts";
import { Id, numeric, Time, TrimmedText } from "./primitives.ts";
import { ReportSource } from "./reports.ts";

export const RoleCount = z.object({ role: z.enum(ROLES), count: z.number().int() });

/** How many of the pictures that others can see are marked or judged explicit. */
export const ExplicitShare = z.object({
  brand: z.string(),
  /** ISO 3166, in the United States with the state; "" for members without a position and for countries with few of them. */
  country: z.string(),
  pictures: z.number().int(),
  explicit: z.number().int(),
  tsCounted: Time,
});
export type ExplicitShare = z.infer<typeof ExplicitShare>;

export const TestUsersCreate = z.object({ count: numeric(z.number().int().min(1).max(TEST_USERS_MAX)) });

/** Why staff decide a case instead of a jury. */
export const STAFF_REASONS = [
  /** The rule is one that juries do not judge. */
  "rule",
  /** It is about a picture that was not public. */
  "private",
  /** Nobody who reported it has been right often enough. */
  "record",
  /** The member was cleared within JURY_AFTER_CLEARED_MS. */
  "cleared",
  /** The pool of jurors is too small, too new, too much in contact with a side, or too uniform. */
  "few",
  "recent",
  "contact",
  "alike",
  /** Another report came in after the jury had started. */
  "joined",
  /** Evidence was deleted, unsent or made private. */
  "withdrawn",
  /** The jury did not agree, or too few voted. */
  "undecided",
  /** The site itself found it: a known picture, or what a ban left. */
  "found",
  /** The jury recommends more than it may impose. */
  "recommended",
] as const;
export const StaffReason = z.enum(STAFF_REASONS);
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
  /** What a jury found right, and staff have to confirm. */
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
  /** What was said, at /api/evidence/{id}. */
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

/** What filed a report; clock: the site itself, which found something known. */
const FILERS = ["member", "game", "staff", "clock", "visitor"] as const;

/** A case as staff read it, without who filed it. */
export const CaseFile = QueueEntry.extend({
  complaints: z.array(
    z.object({ rule: Rule, text: z.string(), credibility: z.number(), by: z.enum(FILERS), tsCreated: Time }),
  ),
  evidence: z.array(EvidenceItem),
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
  /** forStaff: waits for their decision, not for a jury's. */
  appeals: z.array(
    z.object({ side: AppealSide, text: z.string(), result: z.string().nullable(), forStaff: z.boolean() }),
  ),
});
export type CaseFile = z.infer<typeof CaseFile>;

/** A result of a search by staff: only what tells results apart, since being found is not logged. */
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

/** Reading it is logged. Address and real name are empty for another brand's staff. */
export const MemberFile = MemberEntry.extend({
  email: z.string(),
  realName: z.string(),
  /** Members in scope whose names cannot be told from this one. */
  twinIds: z.array(Id),
  /** The name reads like that of the site or of its staff. */
  claimsToBeStaff: z.boolean(),
  tsSeen: Time,
  actions: z.array(ActionEntry),
  reportIds: z.array(Id),
});

/** POST /api/admin/action. With reportId it also decides that case, or grants the reporter's appeal that waits for staff. */
export const ActionDraft = z
  .object({
    subjectProfileId: Id,
    kind: ActionKind,
    rule: Rule,
    reason: TrimmedText.min(3),
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
export type ActionDraft = z.input<typeof ActionDraft>;

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
