import { z } from "zod";
import { DISCLOSURES_KEPT_MAX } from "./limits.ts";
import { Id, Time } from "./primitives.ts";

/**
 * A block that was undone, an album that was opened, a discreet member who showed themselves to one other or to everybody, who is shown on
 * another brand, or who stopped hiding; and what was loosened: a stay in a country that punishes, a picture or recording that was private,
 * limits on first messages, audiences of health.
 */
export const DisclosureKind = z.enum([
  "unblocked",
  "album",
  "shown",
  "open",
  "shared",
  "unhidden",
  "stay",
  "picture",
  "voice",
  "limits",
  "health",
]);
export type DisclosureKind = z.infer<typeof DisclosureKind>;

/** What the member let others see or reach in a session that had no fresh proof. */
export const Disclosure = z.object({
  id: Id,
  kind: DisclosureKind,
  /** null: it concerns everybody. */
  profileId: Id.nullable(),
  /** null: the member is currently not visible on this brand. */
  profileName: z.string().nullable(),
  brand: z.string().nullable(),
  tsCreated: Time,
});
export type Disclosure = z.infer<typeof Disclosure>;

/** Disclosures that the end of all sessions does not take back; ids of others select nothing. */
export const KeptDisclosures = z.array(z.number().min(1)).max(DISCLOSURES_KEPT_MAX).default([]);
