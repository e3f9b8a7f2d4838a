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
