import { z } from "zod";
import { Email } from "./accounts.ts";
import {
  NOTICE_CONTACT_MAX_CHARS,
  NOTICE_COUNTER_MIN_CHARS,
  NOTICE_EXPLANATION_MIN_CHARS,
  NOTICE_LOCATION_MAX_CHARS,
  NOTICE_PICTURES_MAX,
  NOTICE_UPLOAD_MAX_BYTES,
  NOTICE_WORK_STEPS_MAX,
  REAL_NAME_MAX_CHARS,
  STAFF_REASON_MIN_CHARS,
} from "./limits.ts";
import { Rule } from "./moderation.ts";
import { BooleanInput, Id, SingleLine, Time, TrimmedText } from "./primitives.ts";
import { ProofOfWork } from "./proof-of-work.ts";

export const NoticeKind = z.enum(["intimate", "illegal"]);

/** What a notice of illegal content can be about. Each is a rule of the site, under which staff handle it. */
export const NOTICE_CATEGORIES = ["minor", "threat", "hate", "harassment", "scam", "impersonation", "other"] as const;

/** Who requests the removal of an intimate picture: the person it shows, or an authorized representative. */
export const NoticeRole = z.enum(["shown", "authorised"]);

/** asked: staff asked the notifier for more information. forwarded: a case against a member was opened and will decide. */
export const NoticeState = z.enum(["open", "asked", "removed", "rejected", "forwarded"]);

/** A part of a notice for another brand has the notice's number and one more digit. */
const NoticeRef = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{10}(-[1-9])?$/);
const Secret = z.string().regex(/^[\w-]{43}$/);

/** POST /api/notice-challenge. Each step of `harder` asks for eight times the work, after a notice was refused as TOO_EASY. */
export const NoticeChallengeRequest = z.object({
  harder: z.coerce.number().int().min(0).max(NOTICE_WORK_STEPS_MAX).default(0),
});

/** Proof of work. The i-th answer n makes SHA-256 of `challenge:i:n` start with `bits` zero bits. */
export const NoticeChallenge = z.object({ challenge: z.string(), bits: z.number().int(), answers: z.number().int() });

const isAnonymous = (draft: { kind: string; category: string; email?: string | undefined; name: string }) =>
  draft.kind === "illegal" && draft.category === "minor" && draft.email === undefined && draft.name === "";

/** POST /api/notices. */
export const NoticeDraft = z
  .object({
    kind: NoticeKind,
    category: z.enum(["intimate", ...NOTICE_CATEGORIES]).default("intimate"),
    role: NoticeRole.optional(),
    /** The typed signature. */
    name: SingleLine.max(REAL_NAME_MAX_CHARS).default(""),
    email: Email.optional(),
    contact: SingleLine.max(NOTICE_CONTACT_MAX_CHARS).default(""),
    /** URLs or profile names, in the notifier's own words. */
    location: TrimmedText.max(NOTICE_LOCATION_MAX_CHARS).default(""),
    explanation: TrimmedText.default(""),
    /** The picture itself as base64, scaled down by the browser. It is hashed, never stored. */
    picture: z
      .base64()
      .max(Math.ceil(NOTICE_UPLOAD_MAX_BYTES / 3) * 4)
      .optional(),
    goodFaith: BooleanInput,
    locale: z.enum(["en", "es"]).default("en"),
    proof: ProofOfWork,
  })
  .refine((draft) => draft.goodFaith, { path: ["goodFaith"], message: "MISSING" })
  .refine((draft) => (draft.kind === "intimate") === (draft.category === "intimate"), {
    path: ["category"],
    message: "does not fit the kind",
  })
  .refine((draft) => draft.kind !== "intimate" || draft.role !== undefined, { path: ["role"], message: "MISSING" })
  .refine((draft) => isAnonymous(draft) || draft.name.length >= 2, { path: ["name"], message: "MISSING" })
  .refine((draft) => isAnonymous(draft) || draft.email !== undefined, { path: ["email"], message: "MISSING" })
  .refine((draft) => draft.location !== "" || (draft.kind === "intimate" && draft.picture !== undefined), {
    path: ["location"],
    message: "MISSING",
  })
  .refine((draft) => draft.kind === "intimate" || draft.explanation.length >= NOTICE_EXPLANATION_MIN_CHARS, {
    path: ["explanation"],
    message: `TOO_SHORT ${NOTICE_EXPLANATION_MIN_CHARS}`,
  });

/** Always the same shape, so that it never reveals whether something is on the site. */
export const NoticeResponse = z.object({ ref: z.string(), secret: z.string(), tsDue: Time.nullable() });

/** The secret is sent in the body, to keep it out of logs. `code` comes from the mail and confirms the address. */
export const NoticeReceiptRequest = z.object({ ref: NoticeRef, secret: Secret, code: Secret.optional() });

/** The owner of the address says that they did not file it. */
export const NoticeDisowning = z.object({ ref: NoticeRef, secret: Secret, code: Secret });

export const NoticeReply = z.object({ ref: NoticeRef, secret: Secret, text: TrimmedText.min(1) });

const NoticeMessage = z.object({ by: z.enum(["notifier", "staff"]), text: z.string(), tsCreated: Time });

export const CounterResult = z.enum(["upheld", "refused"]);

/** The status that the notifier can follow. It mentions no picture until a human has decided. */
export const NoticeReceipt = z.object({
  ref: z.string(),
  kind: NoticeKind,
  state: NoticeState,
  /** True once the link in the mail was opened. */
  confirmed: z.boolean(),
  anonymous: z.boolean(),
  reason: z.string(),
  messages: z.array(NoticeMessage),
  /** The owner's objection to a removal, if any. */
  counter: z.enum(["waiting", "upheld", "refused"]).nullable(),
  tsCreated: Time,
  tsDue: Time.nullable(),
  tsDecided: Time.nullable(),
});
export type NoticeReceipt = z.infer<typeof NoticeReceipt>;

/** A notice about the member's own pictures. It contains nothing written by the notifier. */
export const OwnNotice = z.object({
  id: Id,
  category: Rule,
  /** removed and cleared are decisions; deleted is final. viewed: it was never hidden, but staff looked at it. */
  state: z.enum(["hidden", "removed", "cleared", "deleted", "viewed"]),
  pictureIds: z.array(Id),
  reason: z.string(),
  tsHidden: Time,
  /** When staff first looked at a picture that was not public; null if they did not, or the notice is not decided yet. */
  tsViewed: Time.nullable(),
  tsDecided: Time.nullable(),
  counter: z.object({
    allowed: z.boolean(),
    text: z.string(),
    result: CounterResult.nullable(),
    tsCreated: Time.nullable(),
  }),
});
export type OwnNotice = z.infer<typeof OwnNotice>;

export const CounterDraft = z.object({ id: Id, text: TrimmedText.min(NOTICE_COUNTER_MIN_CHARS) });

export const NOTICE_VIEWS = ["open", "counters", "decided"] as const;

export const DeskNotice = z.object({
  id: Id,
  ref: z.string(),
  brand: z.string(),
  kind: NoticeKind,
  category: Rule,
  state: NoticeState,
  confirmed: z.boolean(),
  pictures: z.number().int(),
  countered: z.boolean(),
  tsCreated: Time,
  /** null if the law sets no deadline. */
  tsDue: Time.nullable(),
  tsDecided: Time.nullable(),
});
export type DeskNotice = z.infer<typeof DeskNotice>;

export const DeskNoticeFile = DeskNotice.extend({
  role: NoticeRole.nullable(),
  name: z.string(),
  email: z.string(),
  contact: z.string(),
  location: z.string(),
  explanation: z.string(),
  reason: z.string(),
  unfounded: z.boolean(),
  /** Whether the owner of the address says that they did not file it. */
  disowned: z.boolean(),
  hasUpload: z.boolean(),
  reportId: Id.nullable(),
  /** Profiles that its URLs refer to. */
  profileIds: z.array(Id),
  messages: z.array(NoticeMessage),
  pictureList: z.array(
    z.object({
      pictureId: Id,
      profileId: Id,
      profileName: z.string(),
      state: z.enum(["named", "hidden", "removed", "cleared", "deleted"]),
      atOnce: z.boolean(),
      /** Whether any member could see it. If not, only a copy that came with the notice attached it, and its owner learns of each look. */
      wasPublic: z.boolean(),
      /** Whether the notice does not name it, and it only looks like one that it names. */
      alike: z.boolean(),
    }),
  ),
  counters: z.array(z.object({ profileId: Id, text: z.string(), result: CounterResult.nullable(), tsCreated: Time })),
});
export type DeskNoticeFile = z.infer<typeof DeskNoticeFile>;

export const NoticeCounts = z.object({
  open: z.number().int(),
  late: z.number().int(),
  overdue: z.number().int(),
  counters: z.number().int(),
  tsNextDue: Time.nullable(),
});

const Reason = TrimmedText.min(STAFF_REASON_MIN_CHARS);
/** `pictureIds` are those to remove, and the others stay. Without it those that the notice names are removed. */
export const NoticeRemoval = z.object({
  id: Id,
  reason: Reason,
  pictureIds: z
    .array(Id)
    .min(1)
    .max(NOTICE_PICTURES_MAX * 2)
    .optional(),
});
export const NoticeRejection = z.object({ id: Id, reason: Reason, unfounded: BooleanInput.default(false) });
export const NoticeQuestion = z.object({ id: Id, text: Reason });
export const NoticeForward = z.object({ id: Id, subjectProfileId: Id, rule: Rule, text: Reason });
export const NameNoticePictureRequest = z.object({ id: Id, pictureId: Id });
export const CounterDecision = z.object({
  id: Id,
  subjectProfileId: Id,
  upheld: BooleanInput,
  reason: Reason,
  unfounded: BooleanInput.default(false),
});

/** Figures for one quarter, by when notices were received. */
export const NoticeFigures = z.object({
  period: z.string(),
  received: z.number().int(),
  intimate: z.number().int(),
  hiddenAtOnce: z.number().int(),
  removed: z.number().int(),
  rejected: z.number().int(),
  forwarded: z.number().int(),
  countersUpheld: z.number().int(),
  medianDecisionMs: z.number().nullable(),
  /** Share of intimate-picture notices decided in time, 0 to 1; null if there were none. */
  withinDue: z.number().nullable(),
});
export type NoticeFigures = z.infer<typeof NoticeFigures>;
