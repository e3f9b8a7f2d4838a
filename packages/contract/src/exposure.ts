import { z } from "zod";
import { EXPOSURE_SPANS_DAYS } from "./exposure-spans.ts";
import { EXPOSURE_RECIPIENTS_MAX } from "./limits.ts";
import { Id } from "./primitives.ts";

/** POST /api/exposure: anonymous notices to chosen chat partners, or to all from a period, including hidden and blocked ones. */
export const ExposureDraft = z
  .object({
    recipientProfileIds: z.array(Id).max(EXPOSURE_RECIPIENTS_MAX).default([]),
    allWithinDays: z.union(EXPOSURE_SPANS_DAYS.map((days) => z.literal(days))).optional(),
  })
  .refine((draft) => draft.recipientProfileIds.length > 0 || draft.allWithinDays !== undefined, {
    path: ["recipientProfileIds"],
    message: "choose at least one",
  });
export type ExposureDraft = z.infer<typeof ExposureDraft>;

/** Someone with whom the member exchanged messages. */
export const ExposurePartner = z.object({ profileId: Id, profileName: z.string(), pictureId: Id.nullable() });
