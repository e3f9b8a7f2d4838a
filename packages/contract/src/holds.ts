/** Legal holds and the report to NCMEC's CyberTipline, as staff see them. */
import { z } from "zod";
import { Rule } from "./moderation.ts";
import { Id, Time, TrimmedText } from "./primitives.ts";

export const HoldRef = z.string().regex(/^[0-9a-f]{24}$/, "is no hold");
export const HoldItemName = z.string().regex(/^[0-9a-f]{64}$/, "is no copy");
/** Why: what the other admins and the audit log read. */
export const HoldReason = TrimmedText.min(10);

export const HoldEntry = z.object({
  holdRef: HoldRef,
  reportId: Id,
  caseRef: z.string(),
  brand: z.string(),
  rule: Rule,
  reason: z.string(),
  /** Stays for its whole time, also when the case is dismissed. */
  confirmed: z.boolean(),
  extensible: z.boolean(),
  copies: z.number().int(),
  bytes: z.number().int(),
  tsStarted: Time,
  tsUntil: Time,
  tipNumber: z.string().nullable(),
  tsTip: Time.nullable(),
  /** The request to open it that waits or holds. */
  request: z
    .object({
      requestRef: HoldRef,
      /** Whether this admin asked for it, agreed to it, or neither. */
      mine: z.enum(["asked", "agreed", "no"]),
      reason: z.string(),
      tsAsked: Time,
      /** When it lapses, or until when the two may look. */
      tsUntil: Time,
      open: z.boolean(),
    })
    .nullable(),
});
export type HoldEntry = z.infer<typeof HoldEntry>;

/** What a hold keeps, decrypted: for the two who opened it. */
export const HoldContent = z.object({
  /** Records, oldest first: JSON as it was kept. */
  records: z.array(z.object({ tsKept: Time, json: z.string() })),
  pictures: z.array(
    z.object({
      mac: HoldItemName,
      kind: z.enum(["evidence", "original"]),
      evidenceId: Id.nullable(),
      /** To be heard, not seen. */
      isVoice: z.boolean(),
      bytes: z.number().int(),
    }),
  ),
});
export type HoldContent = z.infer<typeof HoldContent>;

/** The kinds of incident of the CyberTipline's reporting interface, spelled as it spells them. */
export const INCIDENT_TYPES = [
  "Child Pornography (possession, manufacture, and distribution)",
  "Online Enticement of Children for Sexual Acts",
  "Child Sex Trafficking",
  "Child Sexual Molestation",
  "Unsolicited Obscene Material Sent to a Child",
] as const;

/** What staff fill in; what the site knows by itself is added from the case. */
export const TipFields = z.object({
  incidentType: z.enum(INCIDENT_TYPES),
  incidentDateTime: Time,
  reporterFirstName: TrimmedText.min(1).max(100),
  reporterLastName: TrimmedText.min(1).max(100),
  reporterEmail: z.email().max(254),
  additionalInfo: TrimmedText,
  /** Staff looked at the pictures: it decides who may look at them after. */
  filesViewed: z.boolean(),
});
export type TipFields = z.infer<typeof TipFields>;

/** What the site fills in by itself, for the form. */
export const TipDraft = z.object({
  reportId: Id,
  incidentDateTime: Time,
  companyName: z.string(),
  reported: z.object({
    espIdentifier: z.string(),
    screenName: z.string(),
    /** Null where this admin may not see it, or it is gone. */
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

/** The number that the CyberTipline gives back. */
export const TipNumber = z
  .string()
  .trim()
  .regex(/^[0-9]{1,20}$/, "is the number of the report, digits alone");
