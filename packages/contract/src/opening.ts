/** What the law asks before a brand opens to visitors (docs/OPERATIONS.md, Opening). */
import { z } from "zod";
import { Time } from "./primitives.ts";

/** In the order in which they are best done. */
export const OpeningStep = z.enum([
  "mail",
  "keys",
  "contact",
  "imprint",
  "terms",
  "processing",
  "ages",
  "risks",
  "duty",
  "countries",
]);

export type OpeningStep = z.infer<typeof OpeningStep>;

export const OpeningState = z.object({
  open: z.boolean(),
  steps: z.array(
    z.object({
      step: OpeningStep,
      /** Null: not ticked. */
      tsDone: Time.nullable(),
      /** The admin's name; null also if the account is gone. */
      by: z.string().nullable(),
    }),
  ),
  /** Addresses that may register before the brand opens. */
  invited: z.array(z.string()),
});
export type OpeningState = z.infer<typeof OpeningState>;
