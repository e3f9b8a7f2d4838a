import { z } from "zod";
import { Id, Time } from "./primitives.ts";

/** A member whom the viewer blocked. Nobody learns who blocked them. */
export const BlockedMember = z.object({
  profileId: Id,
  /** null: the member is currently not visible on this brand. */
  profileName: z.string().nullable(),
  tsCreated: Time,
});
export type BlockedMember = z.infer<typeof BlockedMember>;

/** An email address whose owner the member never wants to meet. The server stores only a hash and cannot show the address. */
export const KeptAwayAddress = z.object({ id: Id, tsCreated: Time });
export type KeptAwayAddress = z.infer<typeof KeptAwayAddress>;
