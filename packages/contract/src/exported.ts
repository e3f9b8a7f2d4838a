/** The parts of an export's data.json that another site of this software reads. Unknown keys and sections are ignored. */

import { KEY_END, toCurveKey } from "@lambda/geo/curve";
import { z } from "zod";
import { DOXY_PEP, HIV_STATUSES, PREP_REGIMENS, REMINDER_MONTHS, VACCINES } from "./health-fields.ts";
import { TYPED_MAX_CHARS, VOICE_MAX_MS } from "./limits.ts";
import { FirstContact, PictureCover } from "./messages.ts";
import { NotificationKind } from "./notifications.ts";
import { PictureAudience } from "./pictures.ts";
import { Day, Id, SingleLine, Time } from "./primitives.ts";
import { ProfileTexts } from "./profiles.ts";
import { VoiceAudience } from "./voices.ts";

/** Raised when a section that is read changes its meaning. */
export const EXPORT_FORMAT = 1;

/** Cleaned as the site stores it, or the same line in other letters would come twice. */
const Short = SingleLine.max(TYPED_MAX_CHARS);
const Flag = z.union([z.literal(0), z.literal(1)]);

/** A column that stores JSON: exported as it is stored. */
const storedJson = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .max(1_000_000)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "not JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** A choice of another version that this one does not know counts as none. */
const Preferences = z.object({
  notificationsOff: z.array(NotificationKind).catch([]),
  firstContact: FirstContact.catch(FirstContact.parse({})),
  coverPictures: PictureCover.catch("unknown"),
  phrases: z.array(Short).max(1000).catch([]),
  unwantedWords: z.array(Short).max(1000).catch([]),
});

const PictureIds = storedJson(z.array(Id).max(10_000));

const one = <Schema extends z.ZodType>(row: Schema) => z.tuple([row]);
/** Sections of which only the number of rows is shown. */
const Rows = z.array(z.unknown()).default([]);

export const ExportedData = z.object({
  format: z.literal(EXPORT_FORMAT),
  exported: Time,
  site: Short,
  account: one(z.object({ email: Short, preferences: storedJson(Preferences) })),
  profile: one(
    z.object({
      profileName: Short,
      birthdate: Short.nullable(),
      ...ProfileTexts.partial().shape,
      characteristics: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
      discreet: Flag,
      picsPublic: PictureIds,
      picsPrivate: PictureIds,
    }),
  ),
  health: z
    .array(
      z.object({
        hivStatus: z.enum(HIV_STATUSES).nullable(),
        prep: z.enum(PREP_REGIMENS).nullable(),
        doxyPep: z.enum(DOXY_PEP).nullable(),
        vaccines: storedJson(z.array(z.enum(VACCINES))),
        lastTest: Short.nullable(),
        reminderMonths: z.literal([...REMINDER_MONTHS]),
      }),
    )
    .max(1),
  pictures: z.array(z.object({ id: Id, audience: PictureAudience, nsfwOwner: Flag, harmlessOwner: Flag })).max(100_000),
  voiceIntroduction: z
    .array(z.object({ audience: VoiceAudience, durationMs: z.number().int().min(1).max(VOICE_MAX_MS) }))
    .max(1)
    .default([]),
  /** Each with the published point of its place. */
  trips: z
    .array(
      z.object({
        name: Short,
        key: z
          .number()
          .int()
          .min(0)
          .max(KEY_END - 1)
          .transform(toCurveKey),
        dayFrom: Day,
        dayTo: Day,
      }),
    )
    .max(1000)
    .default([]),
  notes: Rows,
  blocks: Rows,
  likes: Rows,
  messages: Rows,
});
export type ExportedData = z.infer<typeof ExportedData>;
