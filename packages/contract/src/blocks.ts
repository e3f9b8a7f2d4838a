import { z } from "zod";
import { Id, Time } from "./primitives.ts";

/** A member whom the viewer blocked. Who blocked the viewer is never told. */
export const BlockedMember = z.object({
  profileId: Id,
  /** null: the member cannot be seen on this brand now. */
  profileName: z.string().nullable(),
  tsCreated: Time,
});
export type BlockedMember = z.infer<typeof BlockedMember>;
