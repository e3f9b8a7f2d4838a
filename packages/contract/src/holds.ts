/** Legal holds and the report to NCMEC's CyberTipline, as staff see them. */
import { z } from "zod";
import { Email } from "./accounts.ts";
import { HOLD_REASON_MIN_CHARS, TYPED_MAX_CHARS } from "./limits.ts";
import { Rule } from "./moderation.ts";
import { Id, refuseCharacter, Time, TrimmedText } from "./primitives.ts";
import { asCode } from "./typed.ts";

export const HoldRef = z.string().regex(/^[0-9a-f]{24}$/, "is no hold");
export const HoldItemName = z.string().regex(/^[0-9a-f]{64}$/, "is no copy");
/** Shown to the other admins and in the audit log. */
export const HoldReason = TrimmedText.min(HOLD_REASON_MIN_CHARS);

export const HoldEntry = z.object({
  holdRef: HoldRef,
  reportId: Id,
  caseRef: z.string(),
  brand: z.string(),
  rule: Rule,
  reason: z.string(),
  /** Kept for its whole duration, even if the case is dismissed. */
  confirmed: z.boolean(),
  extensible: z.boolean(),
  copies: z.number().int(),
  bytes: z.number().int(),
  tsStarted: Time,
  tsUntil: Time,
  tipNumber: z.string().nullable(),
  tsTip: Time.nullable(),
  /** The pending or granted request to open it. */
  request: z
    .object({
      requestRef: HoldRef,
      /** Whether this admin made the request, agreed to it, or neither. */
      mine: z.enum(["asked", "agreed", "no"]),
      reason: z.string(),
      tsAsked: Time,
      /** When the request lapses or, once granted, when access ends. */
      tsUntil: Time,
      open: z.boolean(),
    })
    .nullable(),
});
export type HoldEntry = z.infer<typeof HoldEntry>;

/** The decrypted content of a hold, for the two admins who opened it. */
export const HoldContent = z.object({
  /** Oldest first; the JSON as it was stored. */
  records: z.array(z.object({ tsKept: Time, json: z.string() })),
  pictures: z.array(
    z.object({
      mac: HoldItemName,
      kind: z.enum(["evidence", "original"]),
      evidenceId: Id.nullable(),
      /** A voice recording, not a picture. */
      isVoice: z.boolean(),
      bytes: z.number().int(),
    }),
  ),
});
export type HoldContent = z.infer<typeof HoldContent>;

/** Incident types of the CyberTipline's reporting interface, in its exact spelling. */
export const INCIDENT_TYPES = [
  "Child Pornography (possession, manufacture, and distribution)",
  "Online Enticement of Children for Sexual Acts",
  "Child Sex Trafficking",
  "Child Sexual Molestation",
  "Unsolicited Obscene Material Sent to a Child",
] as const;

/** The fields that staff fill in; the rest is added from the case. */
export const TipFields = z.object({
  incidentType: z.enum(INCIDENT_TYPES),
  incidentDateTime: Time,
  reporterFirstName: TrimmedText.min(1).max(100),
  reporterLastName: TrimmedText.min(1).max(100),
  reporterEmail: Email,
  additionalInfo: TrimmedText,
  /** Staff viewed the pictures. The report must state this, because it decides who may view them afterwards. */
  filesViewed: z.boolean(),
});
export type TipFields = z.infer<typeof TipFields>;

/** What the site fills in from the case, to prepare the form. */
export const TipDraft = z.object({
  reportId: Id,
  incidentDateTime: Time,
  companyName: z.string(),
  reported: z.object({
    espIdentifier: z.string(),
    screenName: z.string(),
    /** null if this admin may not see it, or if it was deleted. */
    email: z.string().nullable(),
    dateOfBirth: z.string().nullable(),
    profileUrl: z.string(),
    tsRegistered: Time.nullable(),
  }),
  files: z.array(
    z.object({
      evidenceId: Id,
      fileName: z.string(),
      md5: z.string(),
      sha1: z.string(),
      sha256: z.string(),
      tsUploaded: Time,
      publiclyAvailable: z.boolean(),
    }),
  ),
  texts: z.array(z.object({ by: z.enum(["reported", "other"]), text: z.string(), ts: Time })),
});
export type TipDraft = z.infer<typeof TipDraft>;

export const TipFile = z.object({ name: z.string(), xml: z.string(), text: z.string() });

export const TipNumber = z
  .string()
  .max(TYPED_MAX_CHARS)
  .overwrite(asCode)
  .superRefine(refuseCharacter(/[^0-9]/u))
  .regex(/^[0-9]{1,20}$/, "is the number of the report, digits alone");
